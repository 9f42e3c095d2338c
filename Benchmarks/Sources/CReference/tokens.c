#include "reference.h"

#include "base64.h"
#include "json.h"
#include "keys.h"
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <string.h>

enum { TAG_LENGTH = 16, LONGEST_TOKEN = 2048 };

static const char *const HEADERS[] = {
    "{\"alg\":\"dir\",\"kid\":\"7\",\"enc\":\"A128CBC-HS256\"}",
    "{\"alg\":\"dir\",\"kid\":\"7\",\"enc\":\"A128GCM\"}",
};

// MARK: Ciphers; the tag follows the ciphertext

static bool tag_of(const unsigned char *key, const unsigned char *nonce, const unsigned char *header,
                   size_t header_length, const unsigned char *ciphertext, size_t count,
                   unsigned char *tag) {
    unsigned char message[LONGEST_TOKEN], mac[EVP_MAX_MD_SIZE], bits[8];
    size_t length = 0, written;
    memcpy(message, header, header_length);
    length += header_length;
    memcpy(message + length, nonce, 16);
    length += 16;
    memcpy(message + length, ciphertext, count);
    length += count;
    for (int index = 0; index < 8; index++)
        bits[index] = (unsigned char)((uint64_t)header_length * 8 >> (56 - 8 * index));
    memcpy(message + length, bits, 8);
    length += 8;
    bool done = EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, 16, message, length, mac,
                          sizeof mac, &written);
    memcpy(tag, mac, TAG_LENGTH);
    return done;
}

static int seal(bool gcm, const unsigned char *key, const unsigned char *nonce,
                const unsigned char *header, size_t header_length, const unsigned char *plaintext,
                size_t count, unsigned char *sealed) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length = 0, last = 0, ignored;
    bool done = context
        && EVP_CipherInit_ex(context, gcm ? EVP_aes_128_gcm() : EVP_aes_128_cbc(), NULL,
                             gcm ? key : key + 16, nonce, 1) == 1
        && (!gcm || EVP_CipherUpdate(context, NULL, &ignored, header, (int)header_length) == 1)
        && EVP_CipherUpdate(context, sealed, &length, plaintext, (int)count) == 1
        && EVP_CipherFinal_ex(context, sealed + length, &last) == 1;
    length += last;
    done = done
        && (gcm ? EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG_LENGTH, sealed + length) == 1
                : tag_of(key, nonce, header, header_length, sealed, (size_t)length, sealed + length));
    EVP_CIPHER_CTX_free(context);
    return done ? length + TAG_LENGTH : -1;
}

static int unseal(bool gcm, const unsigned char *key, const unsigned char *nonce,
                  const unsigned char *header, size_t header_length, const unsigned char *ciphertext,
                  size_t count, unsigned char *tag, unsigned char *plaintext) {
    unsigned char expected[TAG_LENGTH];
    if (!gcm
        && (!tag_of(key, nonce, header, header_length, ciphertext, count, expected)
            || CRYPTO_memcmp(expected, tag, TAG_LENGTH) != 0))
        return -1;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length = 0, last = 0, ignored;
    bool done = context
        && EVP_CipherInit_ex(context, gcm ? EVP_aes_128_gcm() : EVP_aes_128_cbc(), NULL,
                             gcm ? key : key + 16, nonce, 0) == 1
        && (!gcm || EVP_CipherUpdate(context, NULL, &ignored, header, (int)header_length) == 1)
        && (!gcm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG_LENGTH, tag) == 1)
        && EVP_CipherUpdate(context, plaintext, &length, ciphertext, (int)count) == 1
        && EVP_CipherFinal_ex(context, plaintext + length, &last) == 1;
    EVP_CIPHER_CTX_free(context);
    return done ? length + last : -1;
}

// MARK: Tokens with a direct key

static size_t make_token(bool gcm, const unsigned char *plaintext, size_t count,
                         unsigned char *token) {
    unsigned char **keys = secure_keys(), sealed[LONGEST_TOKEN];
    size_t nonce_length = gcm ? 12 : 16;
    size_t header = base64url_encode((const unsigned char *)HEADERS[gcm], strlen(HEADERS[gcm]), token);
    int length = seal(gcm, keys[0], keys[2], token, header, plaintext, count, sealed);
    if (length < 0) return 0;
    size_t written = header;
    token[written++] = '.';
    token[written++] = '.';
    written += base64url_encode(keys[2], nonce_length, token + written);
    token[written++] = '.';
    written += base64url_encode(sealed, (size_t)length - TAG_LENGTH, token + written);
    token[written++] = '.';
    return written + base64url_encode(sealed + length - TAG_LENGTH, TAG_LENGTH, token + written);
}

// The header names this algorithm, this cipher and a key, and no extension.
static bool is_expected(bool gcm, const unsigned char *header, size_t length) {
    static const char *const refused[] = {"crit", "zip", "jwk", "jku", "x5u"};
    struct json json;
    if (!json_read(&json, header, length) || json_member(&json, 0, "kid") < 0) return false;
    for (size_t index = 0; index < sizeof refused / sizeof *refused; index++)
        if (json_member(&json, 0, refused[index]) >= 0) return false;
    return json_equals(&json, json_member(&json, 0, "alg"), "dir")
        && json_equals(&json, json_member(&json, 0, "enc"), gcm ? "A128GCM" : "A128CBC-HS256");
}

static int read_token(bool gcm, const unsigned char *token, size_t length,
                      unsigned char *plaintext) {
    unsigned char **keys = secure_keys(), parts[5][LONGEST_TOKEN];
    int counts[5];
    const unsigned char *start = token, *end = token + length;
    size_t header_length = 0;
    for (int part = 0; part < 5; part++) {
        const unsigned char *stop = memchr(start, '.', (size_t)(end - start));
        if (!stop) stop = end;
        if (part == 0) header_length = (size_t)(stop - start);
        counts[part] = base64url_decode(start, (size_t)(stop - start), parts[part]);
        if (counts[part] < 0) return -1;
        start = stop + 1;
    }
    if (!is_expected(gcm, parts[0], (size_t)counts[0]) || counts[1] != 0
        || counts[2] != (gcm ? 12 : 16) || counts[4] != TAG_LENGTH)
        return -1;
    return unseal(gcm, keys[0], parts[2], token, header_length, parts[3], (size_t)counts[3], parts[4],
                  plaintext);
}

static int write_end(const unsigned char *bytes, size_t count, unsigned char *last) {
    size_t length = count < REFERENCE_LONGEST_RESULT ? count : REFERENCE_LONGEST_RESULT;
    memcpy(last, bytes + count - length, length);
    return (int)length;
}

int reference_jwe_seal(bool gcm, const unsigned char *plaintext, size_t byte_count, size_t count,
                       unsigned char *last) {
    unsigned char token[LONGEST_TOKEN];
    size_t length = 1;
    for (size_t index = 0; length && index < count; index++)
        length = make_token(gcm, plaintext, byte_count, token);
    return length ? write_end(token, length, last) : -1;
}

int reference_jwe_open(bool gcm, const unsigned char *plaintext, size_t byte_count, size_t count,
                       unsigned char *last) {
    unsigned char token[LONGEST_TOKEN], result[LONGEST_TOKEN];
    size_t length = make_token(gcm, plaintext, byte_count, token);
    int read = length ? 0 : -1;
    for (size_t index = 0; read >= 0 && index < count; index++) {
        unsigned char *secret = OPENSSL_secure_zalloc(byte_count + 32);
        read = secret ? read_token(gcm, token, length, secret) : -1;
        if (read >= 0) memcpy(result, secret, (size_t)read);
        OPENSSL_secure_clear_free(secret, byte_count + 32);
    }
    return read < 0 ? -1 : write_end(result, (size_t)read, last);
}

// MARK: PS256

static bool sign_pss(EVP_PKEY *key, const unsigned char *message, unsigned char *signature,
                     size_t *length) {
    EVP_PKEY_CTX *parameters;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = context
        && EVP_DigestSignInit(context, &parameters, EVP_sha256(), NULL, key) == 1
        && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
        && EVP_DigestSign(context, signature, length, message, KEY_LENGTH) == 1;
    EVP_MD_CTX_free(context);
    return done;
}

static bool verify_pss(EVP_PKEY *key, const unsigned char *message, const unsigned char *signature,
                       size_t length) {
    EVP_PKEY_CTX *parameters;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool valid = context
        && EVP_DigestVerifyInit(context, &parameters, EVP_sha256(), NULL, key) == 1
        && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
        && EVP_DigestVerify(context, signature, length, message, KEY_LENGTH) == 1;
    EVP_MD_CTX_free(context);
    return valid;
}

// Made once: it takes longer than all measured work.
static EVP_PKEY *rsa_key(void) {
    static EVP_PKEY *key;
    if (!key) key = EVP_RSA_gen(2048);
    return key;
}

int reference_rsa_key(unsigned char *der, size_t size) {
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(rsa_key());
    int length = info ? i2d_PKCS8_PRIV_KEY_INFO(info, NULL) : -1;
    if (length > 0 && (size_t)length <= size) i2d_PKCS8_PRIV_KEY_INFO(info, &der);
    PKCS8_PRIV_KEY_INFO_free(info);
    return length;
}

bool reference_rsa_modulus(unsigned char *modulus) {
    BIGNUM *number = NULL;
    bool done = EVP_PKEY_get_bn_param(rsa_key(), "n", &number) == 1
        && BN_bn2binpad(number, modulus, 256) == 256;
    BN_free(number);
    return done;
}

int reference_pss_sign(size_t count, unsigned char *last) {
    unsigned char signature[256];
    size_t length = sizeof signature;
    bool done = rsa_key();
    for (size_t index = 0; done && index < count; index++) {
        length = sizeof signature;
        done = sign_pss(rsa_key(), secure_keys()[0], signature, &length);
    }
    last[0] = done;
    return 1;
}

int reference_pss_verify(size_t count, unsigned char *last) {
    unsigned char signature[256];
    size_t length = sizeof signature;
    bool done = sign_pss(rsa_key(), secure_keys()[0], signature, &length);
    for (size_t index = 0; done && index < count; index++)
        done = verify_pss(rsa_key(), secure_keys()[0], signature, length);
    last[0] = done;
    return 1;
}
