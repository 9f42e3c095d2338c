// The keys that both sides use, and both keep in OpenSSL's secure heap.
#ifndef BENCHMARKS_KEYS_H
#define BENCHMARKS_KEYS_H

#include <openssl/crypto.h>
#include <stdlib.h>

enum { KEY_COUNT = 16, KEY_LENGTH = 32, HOTP_KEY_LENGTH = 20 };

// Created at the first call and never freed. Key k has the bytes 32k, 32k + 1, …
//
// Every other block is freed: a heap with gaps, as in a long-lived process, allocates blocks at
// the same speed for both sides, however many blocks each side holds.
static inline unsigned char **secure_keys(void) {
    static unsigned char *keys[8 * KEY_COUNT], *gaps[8 * KEY_COUNT];
    if (keys[0]) return keys;
    for (int k = 0; k < 8 * KEY_COUNT; k++) {
        keys[k] = OPENSSL_secure_malloc(KEY_LENGTH);
        gaps[k] = OPENSSL_secure_malloc(KEY_LENGTH);
        if (!keys[k] || !gaps[k]) abort();
        for (int index = 0; index < KEY_LENGTH; index++)
            keys[k][index] = (unsigned char)(k * KEY_LENGTH + index);
    }
    for (int k = 0; k < 8 * KEY_COUNT; k++) OPENSSL_secure_free(gaps[k]);
    return keys;
}

#endif
