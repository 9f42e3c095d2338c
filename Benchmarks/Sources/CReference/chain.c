#include "content.h"

#include "reference.h"
#include <openssl/ec.h>
#include <openssl/x509v3.h>
#include <string.h>

static bool add_extension(X509 *certificate, int kind, const char *value) {
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, kind, value);
    bool done = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return done;
}

// Signs a certificate for `key`; the anchor signs itself.
static X509 *certify(int level, EVP_PKEY *key, EVP_PKEY *issuer) {
    static const char *const names[] = {"ACS", "Directory signer", "Directory", "Directory"};
    X509 *certificate = X509_new();
    X509_NAME *subject = X509_NAME_new(), *signer = X509_NAME_new();
    bool done = certificate && subject && signer
        && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                      (const unsigned char *)names[level], -1, -1, 0) == 1
        && X509_NAME_add_entry_by_txt(signer, "CN", MBSTRING_ASC,
                                      (const unsigned char *)names[level + 1], -1, -1, 0) == 1
        && X509_set_version(certificate, X509_VERSION_3) == 1
        && ASN1_INTEGER_set(X509_get_serialNumber(certificate), level + 1) == 1
        && X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        && X509_gmtime_adj(X509_getm_notAfter(certificate), 86400)
        && X509_set_subject_name(certificate, subject) == 1
        && X509_set_issuer_name(certificate, signer) == 1
        && X509_set_pubkey(certificate, key) == 1
        && add_extension(certificate, NID_basic_constraints,
                         level ? "critical,CA:TRUE" : "critical,CA:FALSE")
        && add_extension(certificate, NID_key_usage,
                         level ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature")
        && X509_sign(certificate, issuer, EVP_sha256()) > 0;
    X509_NAME_free(subject);
    X509_NAME_free(signer);
    return done ? certificate : NULL;
}

static bool encode(struct chain *chain, int level) {
    X509 *certificate = chain->certificates[level];
    unsigned char *der = chain->der[level];
    int length = certificate ? i2d_X509(certificate, NULL) : -1;
    if (length <= 0 || length > LONGEST_CERTIFICATE) return false;
    chain->lengths[level] = i2d_X509(certificate, &der);
    return true;
}

const struct chain *content_chain(void) {
    static struct chain chain;
    if (chain.certificates[0]) return &chain;
    for (int level = CHAIN_LENGTH - 1; level >= 0; level--) {
        EVP_PKEY *key = EVP_EC_gen("P-256");
        chain.keys[level] = key;
        EVP_PKEY *issuer = level + 1 < CHAIN_LENGTH ? chain.keys[level + 1] : key;
        if (!key) return NULL;
        chain.certificates[level] = certify(level, key, issuer);
        if (!encode(&chain, level)) return NULL;
    }
    return &chain;
}

int reference_certificate(int level, unsigned char *der, size_t size) {
    const struct chain *chain = content_chain();
    int length = chain ? chain->lengths[level] : -1;
    if (length > 0 && (size_t)length <= size) memcpy(der, chain->der[level], (size_t)length);
    return length;
}

bool reference_content_scalar(unsigned char *scalar) {
    const struct chain *chain = content_chain();
    BIGNUM *number = NULL;
    bool done = chain && EVP_PKEY_get_bn_param(chain->keys[0], "priv", &number) == 1
        && BN_bn2binpad(number, scalar, 32) == 32;
    BN_clear_free(number);
    return done;
}
