#ifndef CONNECTION_H
#define CONNECTION_H

#include "reference.h"

#include <openssl/ssl.h>

// A client's connection to a server of this machine, whoever that is.
struct connection {
    int socket;
    // NULL where it is plain.
    SSL *session;
    // Which request it has no answer to yet, and what came of that answer.
    size_t request, size;
    char answer[4096];
};

enum move { MOVED, BLOCKED, BROKEN };

// NULL for connections without TLS, and where there is no memory.
SSL_CTX *client_context(bool secured);
bool open_connection(struct connection *connection, int port, SSL_CTX *context);
void close_connection(struct connection *connection);
bool send_request(struct connection *connection, const struct reference_request *request);
// Reads what is there, behind what came before.
enum move receive(struct connection *connection);
// Where the body begins of what came; NULL until the head is here.
const char *body_of(const struct connection *connection);
// Whether the head is of status 200.
bool is_accepted(const struct connection *connection);

#endif
