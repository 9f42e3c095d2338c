#ifndef CONNECTION_H
#define CONNECTION_H

#include "reference.h"

#include <openssl/ssl.h>

// A client's connection to a server on this machine.
struct connection {
    int socket;
    // NULL without TLS.
    SSL *session;
    // The exchange that waits for a response, its step, and the size of the received part.
    size_t exchange, step, size;
    char response[8192];
};

enum move { MOVED, BLOCKED, BROKEN };

// NULL for connections without TLS, and if it fails. The client shows the certificate of a PEM file,
// which also has the key; NULL for none.
SSL_CTX *client_context(bool secured, const char *certificate);
bool open_connection(struct connection *connection, int port, SSL_CTX *context);
void close_connection(struct connection *connection);
bool send_request(struct connection *connection, const struct reference_request *request);
// Appends the available bytes to the response.
enum move receive(struct connection *connection);
// The start of the received body; NULL until the head is complete.
const char *body_of(const struct connection *connection);
// Returns whether the status is 200 or 201.
bool is_accepted(const struct connection *connection);

#endif
