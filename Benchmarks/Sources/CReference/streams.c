#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

struct reference_streams {
    SSL_CTX *context;
    size_t count;
    struct connection connections[];
};

// Each connection needs a descriptor in this process.
static bool raise_limit(size_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return false;
    limit.rlim_cur = limit.rlim_max;
    return limit.rlim_max > count + 256 && setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

// Returns when the first bytes of the stream have arrived.
static bool begin(struct connection *connection, const struct reference_request *request) {
    if (!send_request(connection, request)) return false;
    while (receive(connection) == MOVED) {
        const char *body = body_of(connection);
        if (body && *body) return is_accepted(connection);
    }
    return false;
}

struct reference_streams *reference_open_streams(int port, bool secured,
                                                 const struct reference_request *requests,
                                                 size_t count) {
    struct reference_streams *streams
        = calloc(1, sizeof *streams + count * sizeof *streams->connections);
    if (!streams || !raise_limit(count)) return NULL;
    streams->context = client_context(secured, NULL);
    for (; streams->count < count; streams->count++) {
        struct connection *connection = &streams->connections[streams->count];
        if (!open_connection(connection, port, streams->context)
            || !begin(connection, &requests[streams->count])) {
            close_connection(connection);
            reference_close_streams(streams);
            return NULL;
        }
    }
    return streams;
}

size_t reference_open_stream_count(const struct reference_streams *streams) {
    size_t count = 0;
    for (size_t index = 0; index < streams->count; index++) {
        char byte;
        ssize_t size = recv(streams->connections[index].socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        count += size > 0 || (size < 0 && errno == EAGAIN);
    }
    return count;
}

void reference_close_streams(struct reference_streams *streams) {
    for (size_t index = 0; index < streams->count; index++)
        close_connection(&streams->connections[index]);
    SSL_CTX_free(streams->context);
    free(streams);
}
