// OpenSSL 3, as Cryptography needs it: functions for macros that Swift cannot import.
#ifndef COUNTERSIGN_COPENSSL_H
#define COUNTERSIGN_COPENSSL_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Macros with computed values: Swift imports only plain numbers.
static const int COUNTERSIGN_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;
static const int COUNTERSIGN_KEY_PAIR = EVP_PKEY_KEYPAIR;

#endif
