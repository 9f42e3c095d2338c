#include "reference.h"

#include "keys.h"
#include <liboath/oath.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <string.h>

// The optimiser must assume that the memory at `value` is read.
static inline void keep(const void *value) { __asm__ volatile("" : : "r"(value) : "memory"); }

static EVP_MAC_CTX *keyed_context(const char *digest, const unsigned char *key, size_t length) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    EVP_MAC_free(mac);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_end(),
    };
    if (context && EVP_MAC_init(context, key, length, parameters) == 1) return context;
    EVP_MAC_CTX_free(context);
    return NULL;
}

static void write_counter(uint64_t counter, unsigned char *bytes) {
    for (int index = 7; index >= 0; index--, counter >>= 8) bytes[index] = (unsigned char)counter;
}

static void write_digits(const unsigned char *mac, size_t length, int digits, char *text) {
    const unsigned char *start = mac + (mac[length - 1] & 0xf);
    uint32_t number = (uint32_t)(start[0] & 0x7f) << 24 | (uint32_t)start[1] << 16
        | (uint32_t)start[2] << 8 | start[3];
    text[digits] = 0;
    for (int index = digits - 1; index >= 0; index--, number /= 10)
        text[index] = (char)('0' + number % 10);
}

int reference_hotp_openssl(bool rekeyed, size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char message[8], mac[EVP_MAX_MD_SIZE];
    char text[10] = "";
    size_t length = 0, done = 0;
    EVP_MAC_CTX *context = keyed_context("SHA1", keys[0], HOTP_KEY_LENGTH);
    if (!context) return -1;
    for (; done < count; done++) {
        const unsigned char *key = rekeyed ? keys[done % KEY_COUNT] : NULL;
        write_counter(done, message);
        if (EVP_MAC_init(context, key, key ? HOTP_KEY_LENGTH : 0, NULL) != 1) break;
        if (EVP_MAC_update(context, message, sizeof message) != 1) break;
        if (EVP_MAC_final(context, mac, &length, sizeof mac) != 1) break;
        write_digits(mac, length, 6, text);
        keep(text);
    }
    EVP_MAC_CTX_free(context);
    memcpy(last, text, 6);
    return done == count ? 6 : -1;
}

int reference_hotp_liboath(bool rekeyed, size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    char text[10] = "";
    for (size_t done = 0; done < count; done++) {
        const char *key = (const char *)keys[rekeyed ? done % KEY_COUNT : 0];
        if (oath_hotp_generate(key, HOTP_KEY_LENGTH, done, 6, false, OATH_HOTP_DYNAMIC_TRUNCATION,
                               text) != OATH_OK)
            return -1;
        keep(text);
    }
    memcpy(last, text, 6);
    return 6;
}

int reference_hotp_liboath_miss(size_t window, size_t count, unsigned char *last) {
    unsigned char **keys = secure_keys();
    for (size_t done = 0; done < count; done++) {
        const char *key = (const char *)keys[0];
        if (oath_hotp_validate(key, HOTP_KEY_LENGTH, 0, window, "000000") != OATH_INVALID_OTP)
            return -1;
    }
    last[0] = 1;
    return 1;
}

static unsigned char nibble(char digit) {
    return (unsigned char)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static void write_question(const char *question, unsigned char bytes[128]) {
    memset(bytes, 0, 128);
    for (size_t index = 0; question[index]; index++)
        bytes[index / 2] |= (unsigned char)(nibble(question[index]) << (index % 2 ? 0 : 4));
}

int reference_ocra(const char *suite, int digits, const char *question, size_t count,
                   unsigned char *last) {
    unsigned char **keys = secure_keys();
    unsigned char message[8], bytes[128], mac[EVP_MAX_MD_SIZE];
    char text[10] = "";
    size_t length = 0, done = 0;
    EVP_MAC_CTX *context = keyed_context("SHA256", keys[0], KEY_LENGTH);
    if (!context) return -1;
    for (; done < count; done++) {
        write_counter(done, message);
        write_question(question, bytes);
        if (EVP_MAC_init(context, keys[done % KEY_COUNT], KEY_LENGTH, NULL) != 1) break;
        if (EVP_MAC_update(context, (const unsigned char *)suite, strlen(suite) + 1) != 1) break;
        if (EVP_MAC_update(context, message, sizeof message) != 1) break;
        if (EVP_MAC_update(context, bytes, sizeof bytes) != 1) break;
        if (EVP_MAC_final(context, mac, &length, sizeof mac) != 1) break;
        if (digits) write_digits(mac, length, digits, text);
        keep(mac);
        keep(text);
    }
    EVP_MAC_CTX_free(context);
    if (done != count) return -1;
    if (digits) {
        memcpy(last, text, (size_t)digits);
        return digits;
    }
    for (size_t index = 0; index < length; index++) {
        last[2 * index] = (unsigned char)"0123456789abcdef"[mac[index] >> 4];
        last[2 * index + 1] = (unsigned char)"0123456789abcdef"[mac[index] & 0xf];
    }
    return (int)(2 * length);
}
