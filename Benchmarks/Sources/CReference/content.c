#include "content.h"

#include "base64.h"
#include "json.h"
#include "reference.h"
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <time.h>

enum { SIGNATURE_LENGTH = 64, LONGEST_ENCODING = 72 };

static const char URL[] = "https://acs.bank.example/challenge/7f3a";

bool content_point(EVP_PKEY *key, unsigned char *point) {
    size_t length = 0;
    return EVP_PKEY_get_octet_string_param(key, "pub", point, POINT_LENGTH, &length) == 1
        && length == POINT_LENGTH;
}

// MARK: Making

static size_t append(unsigned char *text, const char *part) {
    size_t length = strlen(part);
    memcpy(text, part, length);
    return length;
}

static size_t append_key(unsigned char *text, const char *name, const unsigned char *point) {
    size_t length = append(text, name);
    length += append(text + length, "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"");
    length += base64url_encode(point + 1, 32, text + length);
    length += append(text + length, "\",\"y\":\"");
    length += base64url_encode(point + 33, 32, text + length);
    return length + append(text + length, "\"},");
}

static size_t write_payload(unsigned char *text, const unsigned char *acs_point,
                            const unsigned char *sdk_point) {
    size_t length = append(text, "{");
    length += append_key(text + length, "\"acsEphemPubKey\":", acs_point);
    length += append_key(text + length, "\"sdkEphemPubKey\":", sdk_point);
    length += append(text + length, "\"acsURL\":\"");
    length += append(text + length, URL);
    return length + append(text + length, "\"}");
}

static size_t write_header(unsigned char *text, const struct chain *chain) {
    size_t length = append(text, "{\"alg\":\"ES256\",\"x5c\":[");
    for (int level = 0; level + 1 < CHAIN_LENGTH; level++) {
        length += append(text + length, level ? ",\"" : "\"");
        length += (size_t)EVP_EncodeBlock(text + length, chain->der[level], chain->lengths[level]);
        length += append(text + length, "\"");
    }
    return length + append(text + length, "]}");
}

static bool sign(EVP_PKEY *key, const unsigned char *message, size_t count, unsigned char *raw) {
    unsigned char encoded[LONGEST_ENCODING];
    const unsigned char *start = encoded;
    size_t length = sizeof encoded;
    ECDSA_SIG *numbers = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = context
        && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, encoded, &length, message, count) == 1
        && (numbers = d2i_ECDSA_SIG(NULL, &start, (long)length))
        && BN_bn2binpad(ECDSA_SIG_get0_r(numbers), raw, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(numbers), raw + 32, 32) == 32;
    ECDSA_SIG_free(numbers);
    EVP_MD_CTX_free(context);
    return done;
}

size_t content_sign(const unsigned char *acs_point, const unsigned char *sdk_point,
                    unsigned char *token) {
    const struct chain *chain = content_chain();
    unsigned char text[CONTENT_LONGEST_TOKEN], raw[SIGNATURE_LENGTH];
    if (!chain) return 0;
    size_t length = base64url_encode(text, write_header(text, chain), token);
    token[length++] = '.';
    size_t count = write_payload(text, acs_point, sdk_point);
    length += base64url_encode(text, count, token + length);
    if (!sign(chain->keys[0], token, length, raw)) return 0;
    token[length++] = '.';
    return length + base64url_encode(raw, SIGNATURE_LENGTH, token + length);
}

// MARK: Checking

struct parts {
    unsigned char bytes[3][CONTENT_LONGEST_TOKEN];
    size_t counts[3];
    size_t signed_length;
};

static bool split(const unsigned char *token, size_t length, struct parts *parts) {
    const unsigned char *start = token, *end = token + length;
    for (int part = 0; part < 3; part++) {
        const unsigned char *stop = memchr(start, '.', (size_t)(end - start));
        if (!stop) stop = end;
        int count = base64url_decode(start, (size_t)(stop - start), parts->bytes[part]);
        if (count < 0) return false;
        parts->counts[part] = (size_t)count;
        if (part == 1) parts->signed_length = (size_t)(stop - token);
        start = stop + 1;
    }
    return parts->counts[2] == SIGNATURE_LENGTH;
}

static bool is_valid(EVP_PKEY *key, const unsigned char *message, size_t count,
                     const unsigned char *raw) {
    unsigned char *encoded = NULL;
    int length = -1;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ECDSA_SIG *numbers = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, 32, NULL), *s = BN_bin2bn(raw + 32, 32, NULL);
    if (context && numbers && r && s && ECDSA_SIG_set0(numbers, r, s))
        length = i2d_ECDSA_SIG(numbers, &encoded);
    bool valid = length > 0
        && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestVerify(context, encoded, (size_t)length, message, count) == 1;
    OPENSSL_free(encoded);
    ECDSA_SIG_free(numbers);
    EVP_MD_CTX_free(context);
    return valid;
}

static X509 *read_certificate(const struct json *header, int value) {
    unsigned char der[CONTENT_LONGEST_TOKEN];
    const unsigned char *next = der;
    size_t start = header->values[value].start, length = header->values[value].end - start;
    if (header->values[value].kind != JSON_STRING || length % 4 != 0) return NULL;
    int count = EVP_DecodeBlock(der, header->text + start, (int)length);
    // OpenSSL counts the padding, too.
    for (size_t last = start + length; count > 0 && header->text[last - 1] == '='; last--) count--;
    X509 *certificate = count > 0 ? d2i_X509(NULL, &next, count) : NULL;
    if (certificate && next == der + count) return certificate;
    X509_free(certificate);
    return NULL;
}

static bool is_trusted(X509 *leaf, STACK_OF(X509) *intermediates, X509 *anchor) {
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    bool trusted = store && context && X509_STORE_add_cert(store, anchor) == 1
        && X509_STORE_CTX_init(context, store, leaf, intermediates) == 1;
    if (trusted) {
        X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
        X509_VERIFY_PARAM_set_time(parameters, time(NULL));
        X509_VERIFY_PARAM_set_auth_level(parameters, 2);
        X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN);
        trusted = X509_verify_cert(context) == 1
            && (X509_get_key_usage(leaf) & KU_DIGITAL_SIGNATURE);
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    return trusted;
}

// The key of the header's first certificate, if a chain leads to the anchor.
static EVP_PKEY *trusted_key(const struct parts *parts, X509 *anchor) {
    struct json header;
    if (!json_read(&header, parts->bytes[0], parts->counts[0])
        || !json_equals(&header, json_member(&header, 0, "alg"), "ES256"))
        return NULL;
    int array = json_member(&header, 0, "x5c");
    if (array < 0 || header.values[array].kind != JSON_ARRAY) return NULL;
    STACK_OF(X509) *certificates = sk_X509_new_null();
    bool done = certificates;
    for (int value = array + 1; done && value < header.values[array].next; value++)
        done = sk_X509_push(certificates, read_certificate(&header, value)) > 0
            && sk_X509_value(certificates, sk_X509_num(certificates) - 1);
    X509 *leaf = done && sk_X509_num(certificates) > 0 ? sk_X509_value(certificates, 0) : NULL;
    EVP_PKEY *key = leaf && is_trusted(leaf, certificates, anchor) ? X509_get_pubkey(leaf) : NULL;
    sk_X509_pop_free(certificates, X509_free);
    return key;
}

// OpenSSL refuses a point that is not on the curve.
static EVP_PKEY *read_key(const struct json *payload, int object, EVP_PKEY *curve) {
    unsigned char point[POINT_LENGTH + 2] = {4};
    if (!json_equals(payload, json_member(payload, object, "kty"), "EC")
        || !json_equals(payload, json_member(payload, object, "crv"), "P-256"))
        return NULL;
    for (int index = 0; index < 2; index++) {
        int value = json_member(payload, object, index ? "y" : "x");
        if (value < 0 || payload->values[value].kind != JSON_STRING) return NULL;
        size_t start = payload->values[value].start, length = payload->values[value].end - start;
        if (length != 43
            || base64url_decode(payload->text + start, length, point + 1 + 32 * index) != 32)
            return NULL;
    }
    EVP_PKEY *key = EVP_PKEY_new();
    if (key && EVP_PKEY_copy_parameters(key, curve) == 1
        && EVP_PKEY_set1_encoded_public_key(key, point, POINT_LENGTH) == 1)
        return key;
    EVP_PKEY_free(key);
    return NULL;
}

static bool has_content(const struct parts *parts, EVP_PKEY *sdk_key) {
    struct json payload;
    if (!json_read(&payload, parts->bytes[1], parts->counts[1])) return false;
    EVP_PKEY *acs = read_key(&payload, json_member(&payload, 0, "acsEphemPubKey"), sdk_key);
    EVP_PKEY *sdk = read_key(&payload, json_member(&payload, 0, "sdkEphemPubKey"), sdk_key);
    bool done = acs && sdk && EVP_PKEY_eq(sdk, sdk_key) == 1
        && json_equals(&payload, json_member(&payload, 0, "acsURL"), URL);
    EVP_PKEY_free(acs);
    EVP_PKEY_free(sdk);
    return done;
}

// MARK: The work

struct content {
    EVP_PKEY *acs_key, *sdk_key;
    unsigned char acs_point[POINT_LENGTH], sdk_point[POINT_LENGTH];
    unsigned char token[CONTENT_LONGEST_TOKEN];
    size_t length;
};

static bool begin(struct content *content) {
    content->acs_key = EVP_EC_gen("P-256");
    content->sdk_key = EVP_EC_gen("P-256");
    if (!content->acs_key || !content->sdk_key
        || !content_point(content->acs_key, content->acs_point)
        || !content_point(content->sdk_key, content->sdk_point))
        return false;
    content->length = content_sign(content->acs_point, content->sdk_point, content->token);
    return content->length > 0;
}

static int end(struct content *content, bool done, unsigned char *last) {
    EVP_PKEY_free(content->acs_key);
    EVP_PKEY_free(content->sdk_key);
    last[0] = done;
    return 1;
}

static bool is_signed(const struct content *content, struct parts *parts, EVP_PKEY *key) {
    struct json header;
    return split(content->token, content->length, parts)
        && json_read(&header, parts->bytes[0], parts->counts[0])
        && json_equals(&header, json_member(&header, 0, "alg"), "ES256")
        && is_valid(key, content->token, parts->signed_length, parts->bytes[2]);
}

int reference_content_make(size_t count, unsigned char *last) {
    struct content content;
    struct parts parts;
    bool done = begin(&content);
    for (size_t index = 0; done && index < count; index++) {
        content.length = content_sign(content.acs_point, content.sdk_point, content.token);
        done = content.length > 0;
    }
    done = done && is_signed(&content, &parts, content_chain()->keys[0]);
    return end(&content, done, last);
}

int reference_content_verify(size_t count, unsigned char *last) {
    struct content content;
    struct parts parts;
    bool done = begin(&content);
    for (size_t index = 0; done && index < count; index++)
        done = is_signed(&content, &parts, content_chain()->keys[0]);
    return end(&content, done, last);
}

int reference_content_verify_chain(size_t count, unsigned char *last) {
    struct content content;
    struct parts parts;
    bool done = begin(&content);
    for (size_t index = 0; done && index < count; index++) {
        X509 *anchor = content_chain()->certificates[CHAIN_LENGTH - 1];
        EVP_PKEY *key = split(content.token, content.length, &parts)
            ? trusted_key(&parts, anchor) : NULL;
        done = key && is_valid(key, content.token, parts.signed_length, parts.bytes[2])
            && has_content(&parts, content.sdk_key);
        EVP_PKEY_free(key);
    }
    return end(&content, done, last);
}
