#include "reference.h"

#include "keys.h"
#include <argon2.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <string.h>

static int write_last(const unsigned char *result, int length, bool done, unsigned char *last) {
    if (!done) return -1;
    memcpy(last, result, (size_t)length);
    return length;
}

// MARK: HKDF

static bool derive(EVP_KDF *kdf, unsigned char *key, unsigned char *derived) {
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MODE, "EXTRACT_AND_EXPAND", 0),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key, KEY_LENGTH),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, "", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, "benchmark", 9),
        OSSL_PARAM_construct_end(),
    };
    bool done = context && EVP_KDF_derive(context, derived, KEY_LENGTH, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return done;
}

int reference_hkdf(size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char result[KEY_LENGTH];
    bool done = true;
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    for (size_t index = 0; done && index < count; index++) {
        unsigned char *derived = OPENSSL_secure_zalloc(KEY_LENGTH);
        done = derived && derive(kdf, keys[0], derived);
        if (done) memcpy(result, derived, KEY_LENGTH);
        OPENSSL_secure_clear_free(derived, KEY_LENGTH);
    }
    EVP_KDF_free(kdf);
    return write_last(result, KEY_LENGTH, done, last);
}

// MARK: AES-256-GCM over a seed of 32 bytes

enum { NONCE_LENGTH = 12, TAG_LENGTH = 16, SEALED_LENGTH = KEY_LENGTH + TAG_LENGTH };

static bool seal(const unsigned char *seed, const unsigned char *key, const unsigned char *nonce,
                 unsigned char *sealed) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length;
    bool done = context
        && EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce, 1) == 1
        && EVP_CipherUpdate(context, NULL, &length, nonce, NONCE_LENGTH) == 1
        && EVP_CipherUpdate(context, sealed, &length, seed, KEY_LENGTH) == 1
        && EVP_CipherFinal_ex(context, sealed + length, &length) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG_LENGTH,
                               sealed + KEY_LENGTH) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

static bool unseal(unsigned char *sealed, const unsigned char *key, const unsigned char *nonce,
                   unsigned char *seed) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length;
    bool done = context
        && EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce, 0) == 1
        && EVP_CipherUpdate(context, NULL, &length, nonce, NONCE_LENGTH) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG_LENGTH,
                               sealed + KEY_LENGTH) == 1
        && EVP_CipherUpdate(context, seed, &length, sealed, KEY_LENGTH) == 1
        && EVP_CipherFinal_ex(context, seed + length, &length) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

int reference_aes_gcm_seal(size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char result[SEALED_LENGTH];
    bool done = true;
    for (size_t index = 0; done && index < count; index++) {
        unsigned char *sealed = OPENSSL_malloc(SEALED_LENGTH);
        done = sealed && seal(keys[1], keys[0], keys[2], sealed);
        if (done) memcpy(result, sealed, SEALED_LENGTH);
        OPENSSL_free(sealed);
    }
    return write_last(result, SEALED_LENGTH, done, last);
}

int reference_aes_gcm_open(size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char sealed[SEALED_LENGTH], result[KEY_LENGTH];
    bool done = seal(keys[1], keys[0], keys[2], sealed);
    for (size_t index = 0; done && index < count; index++) {
        unsigned char *seed = OPENSSL_secure_zalloc(KEY_LENGTH);
        done = seed && unseal(sealed, keys[0], keys[2], seed);
        if (done) memcpy(result, seed, KEY_LENGTH);
        OPENSSL_secure_clear_free(seed, KEY_LENGTH);
    }
    return write_last(result, KEY_LENGTH, done, last);
}

// MARK: ECDSA on P-256, with r and s as 64 bytes

enum { SIGNATURE_LENGTH = 64, LONGEST_ENCODING = 72 };

static bool sign(EVP_PKEY *key, const unsigned char *message, unsigned char *raw) {
    unsigned char encoded[LONGEST_ENCODING];
    const unsigned char *start = encoded;
    size_t length = sizeof encoded;
    ECDSA_SIG *numbers = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = context
        && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, encoded, &length, message, KEY_LENGTH) == 1
        && (numbers = d2i_ECDSA_SIG(NULL, &start, (long)length))
        && BN_bn2binpad(ECDSA_SIG_get0_r(numbers), raw, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(numbers), raw + 32, 32) == 32;
    ECDSA_SIG_free(numbers);
    EVP_MD_CTX_free(context);
    return done;
}

static bool verify(EVP_PKEY *key, const unsigned char *message, const unsigned char *raw) {
    unsigned char *encoded = NULL;
    int length = -1;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ECDSA_SIG *numbers = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, 32, NULL), *s = BN_bin2bn(raw + 32, 32, NULL);
    if (context && numbers && r && s && ECDSA_SIG_set0(numbers, r, s))
        length = i2d_ECDSA_SIG(numbers, &encoded);
    bool valid = length > 0
        && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestVerify(context, encoded, (size_t)length, message, KEY_LENGTH) == 1;
    OPENSSL_free(encoded);
    ECDSA_SIG_free(numbers);
    EVP_MD_CTX_free(context);
    return valid;
}

int reference_ecdsa_sign(size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char raw[SIGNATURE_LENGTH];
    EVP_PKEY *key = EVP_EC_gen("P-256");
    bool done = key;
    for (size_t index = 0; done && index < count; index++) done = sign(key, keys[0], raw);
    done = done && verify(key, keys[0], raw);
    EVP_PKEY_free(key);
    last[0] = done;
    return 1;
}

int reference_ecdsa_verify(size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char raw[SIGNATURE_LENGTH];
    EVP_PKEY *key = EVP_EC_gen("P-256");
    bool done = key && sign(key, keys[0], raw);
    for (size_t index = 0; done && index < count; index++) done = verify(key, keys[0], raw);
    EVP_PKEY_free(key);
    last[0] = done;
    return 1;
}

// MARK: Argon2id

int reference_argon2id(uint32_t passes, uint32_t memory_kib, uint32_t lanes, unsigned char *last) {
    unsigned char **keys = secure_keys();
    argon2_context context = {
        .out = last,
        .outlen = KEY_LENGTH,
        .pwd = keys[0],
        .pwdlen = KEY_LENGTH,
        .salt = keys[1],
        .saltlen = KEY_LENGTH,
        .t_cost = passes,
        .m_cost = memory_kib,
        .lanes = lanes,
        .threads = lanes,
        .version = ARGON2_VERSION_13,
    };
    return argon2id_ctx(&context) == ARGON2_OK ? KEY_LENGTH : -1;
}
