#include "reference.h"

#include "content.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/kdf.h>
#include <string.h>

// A secure channel that an ACS makes: a key, the shared secret, the key of the channel, and the
// signed content for the SDK.

enum { SECRET_LENGTH = 32 };

static const char REFERENCE_NUMBER[] = "3DS_LOA_SDK_TEST_020100_00001";

static bool agree(EVP_PKEY *own, EVP_PKEY *other, unsigned char *secret) {
    size_t length = SECRET_LENGTH;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    bool done = context && EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_derive_set_peer(context, other) == 1
        && EVP_PKEY_derive(context, secret, &length) == 1;
    EVP_PKEY_CTX_free(context);
    return done;
}

static size_t append_number(unsigned char *info, size_t number) {
    for (int index = 0; index < 4; index++)
        info[index] = (unsigned char)(number >> (24 - 8 * index));
    return 4;
}

static bool derive(EVP_KDF *kdf, unsigned char *secret, unsigned char *key) {
    unsigned char info[64];
    size_t count = strlen(REFERENCE_NUMBER);
    size_t length = append_number(info, 0);
    length += append_number(info + length, 0);
    length += append_number(info + length, count);
    memcpy(info + length, REFERENCE_NUMBER, count);
    length += count;
    length += append_number(info + length, 8 * SECRET_LENGTH);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, secret, SECRET_LENGTH),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info, length),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    bool done = context && EVP_KDF_derive(context, key, SECRET_LENGTH, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return done;
}

static bool make_channel(EVP_KDF *kdf, EVP_PKEY *sdk_key, const unsigned char *sdk_point) {
    unsigned char acs_point[POINT_LENGTH], token[CONTENT_LONGEST_TOKEN];
    unsigned char *secret = OPENSSL_secure_zalloc(SECRET_LENGTH);
    unsigned char *key = OPENSSL_secure_zalloc(SECRET_LENGTH);
    EVP_PKEY *acs_key = EVP_EC_gen("P-256");
    bool done = secret && key && acs_key && content_point(acs_key, acs_point)
        && agree(acs_key, sdk_key, secret) && derive(kdf, secret, key)
        && content_sign(acs_point, sdk_point, token) > 0;
    EVP_PKEY_free(acs_key);
    OPENSSL_secure_clear_free(secret, SECRET_LENGTH);
    OPENSSL_secure_clear_free(key, SECRET_LENGTH);
    return done;
}

int reference_channel(size_t count, unsigned char *last) {
    unsigned char sdk_point[POINT_LENGTH];
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "SSKDF", NULL);
    EVP_PKEY *sdk_key = EVP_EC_gen("P-256");
    bool done = kdf && sdk_key && content_point(sdk_key, sdk_point);
    for (size_t index = 0; done && index < count; index++)
        done = make_channel(kdf, sdk_key, sdk_point);
    EVP_PKEY_free(sdk_key);
    EVP_KDF_free(kdf);
    last[0] = done;
    return 1;
}
