// What the package is measured against: the same work in plain C.
//
// A reference does its work `count` times, writes the last result to `last`, so that it can be
// compared with ours, and gives the count of bytes written, or -1 where a library refused.
#ifndef BENCHMARKS_REFERENCE_H
#define BENCHMARKS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REFERENCE_LONGEST_RESULT = 128 };

// HOTP-SHA1, six digits: the moving factor counts from 0; the keys take turns, or the first stays.
int reference_hotp_openssl(bool rekeyed, size_t count, unsigned char *last);
int reference_hotp_liboath(bool rekeyed, size_t count, unsigned char *last);
// A code that none of the counters from 0 to `window` has.
int reference_hotp_liboath_miss(size_t window, size_t count, unsigned char *last);
// Eight digits, or with none the whole MAC; the keys take turns.
int reference_ocra(const char *suite, int digits, const char *question, size_t count,
                   unsigned char *last);

int reference_hkdf(size_t count, unsigned char *last);
int reference_aes_gcm_seal(size_t count, unsigned char *last);
int reference_aes_gcm_open(size_t count, unsigned char *last);
int reference_ecdsa_sign(size_t count, unsigned char *last);
int reference_ecdsa_verify(size_t count, unsigned char *last);
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

// Opens a store and prepares the statements; null if the store does not take one of them.
struct reference_store *reference_open_store(const char *path, const char *const *texts,
                                             size_t count);
void reference_close_store(struct reference_store *store);
// Does the jobs in groups of `group` that are committed together; false if a statement fails.
bool reference_replay(struct reference_store *store, const struct reference_job *reading,
                      size_t reading_count, const struct reference_job *writing,
                      size_t writing_count, size_t group);
const char *reference_store_error(const struct reference_store *store);

// Counts the objects that Swift puts on the heap; false where the runtime has no such hook.
bool reference_start_counting_allocations(void);
size_t reference_stop_counting_allocations(void);

// How often this process has waited for a disk.
size_t reference_wait_count(void);

// What a client sends, as it goes over the network.
struct reference_request {
    const void *bytes;
    size_t count;
};

// Requests over connections that are kept, of this machine and over TLS.
struct reference_load {
    int port;
    size_t connections;
    const struct reference_request *requests;
    size_t count;
    // So many are due in a second, whether those before them were answered or not; where it is 0,
    // each connection sends the next one when it has its answer.
    double rate;
    // What each request took, from the moment it was due.
    double *seconds;
};

// Sends all of them and gives how long that took, in seconds, without the handshakes; less than 0
// where one was answered otherwise than by 200.
double reference_load(const struct reference_load *load);

// Connections on which a request is answered by a stream, which has begun on all of them.
struct reference_streams;
struct reference_streams *reference_open_streams(int port, bool secured,
                                                 const struct reference_request *requests,
                                                 size_t count);
// How many the server has not ended since.
size_t reference_open_stream_count(const struct reference_streams *streams);
void reference_close_streams(struct reference_streams *streams);

#endif
