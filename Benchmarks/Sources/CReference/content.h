// The JSON text and the signature of acsSignedContent.
#ifndef BENCHMARKS_CONTENT_H
#define BENCHMARKS_CONTENT_H

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>

enum { CONTENT_LONGEST_TOKEN = 4096, POINT_LENGTH = 65 };

// A leaf, an intermediate certificate and the anchor; all keys are on P-256.
enum { CHAIN_LENGTH = 3, LONGEST_CERTIFICATE = 1024 };
struct chain {
    EVP_PKEY *keys[CHAIN_LENGTH];
    X509 *certificates[CHAIN_LENGTH];
    unsigned char der[CHAIN_LENGTH][LONGEST_CERTIFICATE];
    int lengths[CHAIN_LENGTH];
};

// Made once and never freed; null if a call failed.
const struct chain *content_chain(void);

bool content_point(EVP_PKEY *key, unsigned char *point);
// Signs by the key of the leaf. The header contains the leaf and the intermediate certificate.
// Returns the length of the token, or 0.
size_t content_sign(const unsigned char *acs_point, const unsigned char *sdk_point,
                    unsigned char *token);

#endif
