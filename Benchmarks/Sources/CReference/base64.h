// Base64 by OpenSSL, and base64url without padding from it.
#ifndef BENCHMARKS_BASE64_H
#define BENCHMARKS_BASE64_H

#include <openssl/evp.h>
#include <string.h>

enum { BASE64_LONGEST_TEXT = 4096 };

static inline size_t base64url_encode(const unsigned char *bytes, size_t count,
                                      unsigned char *text) {
    size_t length = (size_t)EVP_EncodeBlock(text, bytes, (int)count);
    while (length > 0 && text[length - 1] == '=') length--;
    for (size_t index = 0; index < length; index++) {
        if (text[index] == '+') text[index] = '-';
        if (text[index] == '/') text[index] = '_';
    }
    return length;
}

// Returns the count of bytes, or -1.
static inline int base64url_decode(const unsigned char *text, size_t length,
                                   unsigned char *bytes) {
    unsigned char padded[BASE64_LONGEST_TEXT];
    size_t count = (length + 3) / 4 * 4;
    if (count > sizeof padded) return -1;
    for (size_t index = 0; index < length; index++)
        padded[index] = text[index] == '-' ? '+' : text[index] == '_' ? '/' : text[index];
    memset(padded + length, '=', count - length);
    int written = EVP_DecodeBlock(bytes, padded, (int)count);
    return written < 0 ? -1 : written - (int)(count - length);
}

#endif
