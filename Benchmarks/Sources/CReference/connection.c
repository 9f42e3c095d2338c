#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

SSL_CTX *client_context(bool secured, const char *certificate) {
    SSL_CTX *context = secured ? SSL_CTX_new(TLS_client_method()) : NULL;
    // The client does not verify the certificate; the server's work is the same.
    if (context) SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    if (!context || !certificate) return context;
    if (SSL_CTX_use_certificate_chain_file(context, certificate) == 1
        && SSL_CTX_use_PrivateKey_file(context, certificate, SSL_FILETYPE_PEM) == 1)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

// If the server stops responding, the measurement fails instead of waiting.
static bool set_options(int descriptor) {
    struct timeval limit = {.tv_sec = 20};
    int one = 1;
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0
        && setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0;
}

bool open_connection(struct connection *connection, int port, SSL_CTX *context) {
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection->session = NULL;
    connection->size = 0;
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection->socket < 0) return false;
    if (!set_options(connection->socket)
        || connect(connection->socket, (struct sockaddr *)&server, sizeof server))
        return false;
    if (!context) return true;
    connection->session = SSL_new(context);
    return connection->session && SSL_set_fd(connection->session, connection->socket) == 1
        && SSL_connect(connection->session) == 1;
}

void close_connection(struct connection *connection) {
    SSL_free(connection->session);
    if (connection->socket >= 0) close(connection->socket);
    connection->session = NULL;
    connection->socket = -1;
}

bool send_request(struct connection *connection, const struct reference_request *request) {
    connection->size = 0;
    ssize_t sent = connection->session
        ? SSL_write(connection->session, request->bytes, (int)request->count)
        : send(connection->socket, request->bytes, request->count, MSG_NOSIGNAL);
    return sent == (ssize_t)request->count;
}

enum move receive(struct connection *connection) {
    char *end = connection->response + connection->size;
    // One byte is reserved for the terminating zero.
    size_t room = sizeof connection->response - 1 - connection->size;
    if (room == 0) return BROKEN;
    ssize_t count;
    if (connection->session) {
        count = SSL_read(connection->session, end, (int)room);
        if (count <= 0 && SSL_get_error(connection->session, (int)count) == SSL_ERROR_WANT_READ)
            return BLOCKED;
    } else {
        count = recv(connection->socket, end, room, 0);
        if (count < 0 && errno == EAGAIN) return BLOCKED;
    }
    if (count <= 0) return BROKEN;
    connection->size += (size_t)count;
    connection->response[connection->size] = 0;
    return MOVED;
}

const char *body_of(const struct connection *connection) {
    const char *end = connection->size > 0 ? strstr(connection->response, "\r\n\r\n") : NULL;
    return end ? end + 4 : NULL;
}

bool is_accepted(const struct connection *connection) {
    static const char status[] = "HTTP/1.1 20";
    const char *last = connection->response + sizeof status - 1;
    return strncmp(connection->response, status, sizeof status - 1) == 0
        && (last[0] == '0' || last[0] == '1') && last[1] == ' ';
}
