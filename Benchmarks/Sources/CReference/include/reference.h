// The references that the package is compared with: the same work in plain C.
//
// A reference does its work `count` times and writes the last result to `last`, so that it can be
// compared with ours. It returns the number of written bytes, or -1 if a library failed.
#ifndef BENCHMARKS_REFERENCE_H
#define BENCHMARKS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REFERENCE_LONGEST_RESULT = 128 };

// HOTP-SHA1 with six digits; the counter starts at 0. `rekeyed` uses all keys in turn, otherwise
// only the first.
int reference_hotp_openssl(bool rekeyed, size_t count, unsigned char *last);
int reference_hotp_liboath(bool rekeyed, size_t count, unsigned char *last);
// Verifies a code that matches none of the counters from 0 to `window`.
int reference_hotp_liboath_miss(size_t window, size_t count, unsigned char *last);
// With 0 digits the result is the whole MAC. All keys are used in turn.
int reference_ocra(const char *suite, int digits, const char *question, size_t count,
                   unsigned char *last);

int reference_hkdf(size_t count, unsigned char *last);
int reference_aes_gcm_seal(size_t count, unsigned char *last);
int reference_aes_gcm_open(size_t count, unsigned char *last);
int reference_ecdsa_sign(size_t count, unsigned char *last);
int reference_ecdsa_verify(size_t count, unsigned char *last);
// Encrypted tokens with a direct key, and the end of the token or of its plaintext as the result.
int reference_jwe_seal(bool gcm, const unsigned char *plaintext, size_t byte_count, size_t count,
                       unsigned char *last);
int reference_jwe_open(bool gcm, const unsigned char *plaintext, size_t byte_count, size_t count,
                       unsigned char *last);
// Both sides sign with one RSA key. Returns the length of its PKCS#8, which is written if it fits.
int reference_rsa_key(unsigned char *der, size_t size);
// Writes the 256 bytes of its modulus; the exponent is 65537.
bool reference_rsa_modulus(unsigned char *modulus);
int reference_pss_sign(size_t count, unsigned char *last);
int reference_pss_verify(size_t count, unsigned char *last);
// The content that an ACS signs for an app, by a key below a directory's certificate.
//
// Both sides sign with one key. Returns the length of a certificate: level 0 is that of the key,
// 1 its issuer, 2 the anchor. It is written if it fits.
int reference_certificate(int level, unsigned char *der, size_t size);
// Writes the 32 bytes of the key.
bool reference_content_scalar(unsigned char *scalar);
int reference_content_make(size_t count, unsigned char *last);
int reference_content_verify(size_t count, unsigned char *last);
int reference_content_verify_chain(size_t count, unsigned char *last);
// Makes a key, the shared secret with an app, the key of their channel, and signed content.
int reference_channel(size_t count, unsigned char *last);
int reference_argon2id(uint32_t passes, uint32_t memory_kib, uint32_t lanes, unsigned char *last);

// The statements of a verifier's jobs, with the values that the verifier bound.
enum reference_kind { REFERENCE_NULL, REFERENCE_INTEGER, REFERENCE_TEXT, REFERENCE_BYTES };
struct reference_value {
    enum reference_kind kind;
    int64_t integer;
    const void *bytes;
    size_t count;
};
struct reference_step {
    size_t statement;
    const struct reference_value *values;
    size_t count;
};
struct reference_job {
    const struct reference_step *steps;
    size_t count;
};

// Opens a store and prepares the statements; null if a statement cannot be prepared.
struct reference_store *reference_open_store(const char *path, const char *const *texts,
                                             size_t count);
void reference_close_store(struct reference_store *store);
// Runs the jobs and commits them in groups of `group`; false if a statement fails.
bool reference_replay(struct reference_store *store, const struct reference_job *reading,
                      size_t reading_count, const struct reference_job *writing,
                      size_t writing_count, size_t group);
const char *reference_store_error(const struct reference_store *store);

// Counts the objects that Swift allocates; false if the runtime has no hook for it.
bool reference_start_counting_allocations(void);
size_t reference_stop_counting_allocations(void);

// The number of calls of fsync by this process.
size_t reference_wait_count(void);

// The bytes of a client's request.
struct reference_request {
    const void *bytes;
    size_t count;
};

// Returns the request of step `step` of an exchange, which may depend on the body of the response to
// the step before. It must stay valid until the next call for the same connection. Its bytes are
// NULL if that body is wrong.
typedef struct reference_request reference_next(void *context, size_t connection, size_t exchange,
                                                size_t step, const char *body, size_t count);

// Exchanges over persistent TLS connections to servers on this machine.
struct reference_load {
    // The PEM file of the client's certificate and its key; NULL for none.
    const char *certificate;
    // Each response must contain this text; NULL for any.
    const char *expected;
    // The connections are spread over the ports.
    const int *ports;
    size_t port_count, connections;
    // The first request of each exchange.
    const struct reference_request *requests;
    size_t count;
    // The requests of an exchange. `next` and its context are used only after the first one.
    size_t steps;
    reference_next *next;
    void *context;
    // Exchanges per second, begun whether or not earlier responses arrived. With 0, each
    // connection begins the next exchange when it has received the last response.
    double rate;
    // The latency of each request, `steps` for each exchange. It counts from the time when the
    // request was due.
    double *seconds;
};

// Makes all exchanges and returns the duration in seconds, without the handshakes. The result is
// negative if the status of a response is neither 200 nor 201, or if it lacks the expected text.
double reference_load(const struct reference_load *load);

// Connections that each receive a stream; all streams have begun.
struct reference_streams;
struct reference_streams *reference_open_streams(int port, bool secured,
                                                 const struct reference_request *requests,
                                                 size_t count);
// The number of streams that the server has not ended.
size_t reference_open_stream_count(const struct reference_streams *streams);
void reference_close_streams(struct reference_streams *streams);

#endif
