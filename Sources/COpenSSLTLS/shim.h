// OpenSSL's TLS, as HTTPServer needs it: functions for macros that Swift cannot import.
#ifndef COUNTERSIGN_COPENSSLTLS_H
#define COUNTERSIGN_COPENSSLTLS_H

#include <openssl/err.h>
#include <openssl/ssl.h>

static const uint64_t COUNTERSIGN_TLS_OPTIONS = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION
    | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF;

static inline int countersign_set_minimum_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int countersign_set_groups(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

// Empty buffers are freed, and the rest of a partial write may move in memory.
static inline void countersign_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                     | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    );
}

static inline void countersign_set_session_count(SSL_CTX *context, long count) {
    SSL_CTX_sess_set_cache_size(context, count);
}

static inline void countersign_disable_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

#endif
