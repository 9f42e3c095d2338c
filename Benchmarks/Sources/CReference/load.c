#define _GNU_SOURCE
#include "connection.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { MAXIMUM_EVENTS = 64 };

struct load {
    const struct reference_load *options;
    struct connection *connections;
    // Connections without an exchange; the last one is used first.
    size_t *idle, idle_count;
    size_t begun, ended;
    double start;
};

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The time to begin an exchange, if a connection is free; without a rate, at once.
static double due(const struct load *load, size_t exchange) {
    double rate = load->options->rate;
    return rate > 0 ? load->start + (double)exchange / rate : load->start;
}

static double *seconds_of(const struct load *load, const struct connection *connection) {
    const struct reference_load *options = load->options;
    return &options->seconds[connection->exchange * options->steps + connection->step];
}

static bool begin_due(struct load *load) {
    const struct reference_load *options = load->options;
    double time = now(CLOCK_MONOTONIC);
    while (load->begun < options->count && load->idle_count > 0
           && due(load, load->begun) <= time) {
        struct connection *connection = &load->connections[load->idle[--load->idle_count]];
        connection->exchange = load->begun;
        connection->step = 0;
        // Without a rate the request is due when it is sent.
        *seconds_of(load, connection)
            = options->rate > 0 ? due(load, load->begun) : now(CLOCK_MONOTONIC);
        if (!send_request(connection, &options->requests[load->begun++])) return false;
    }
    return true;
}

static bool send_next(struct load *load, size_t index, const char *body) {
    const struct reference_load *options = load->options;
    struct connection *connection = &load->connections[index];
    size_t count = connection->size - (size_t)(body - connection->response);
    struct reference_request request = options->next(options->context, index, connection->exchange,
                                                     ++connection->step, body, count);
    *seconds_of(load, connection) = now(CLOCK_MONOTONIC);
    return request.bytes && send_request(connection, &request);
}

// The response must have a Content-Length. The server sends nothing after it until the next
// request.
static bool is_whole(const struct connection *connection, const char *body) {
    const char *field = strcasestr(connection->response, "\r\ncontent-length: ");
    if (!field || field > body) return false;
    size_t length = strtoul(field + strlen("\r\ncontent-length: "), NULL, 10);
    return connection->size == (size_t)(body - connection->response) + length;
}

// Reports why a run ends.
static bool refuse(const struct connection *connection) {
    fprintf(stderr, "unexpected response: %.200s\n", connection->response);
    return false;
}

static bool take_response(struct load *load, size_t index) {
    struct connection *connection = &load->connections[index];
    enum move move;
    while ((move = receive(connection)) == MOVED) {}
    if (move == BROKEN) return false;
    const char *body = body_of(connection);
    if (!body || !is_whole(connection, body)) return true;
    if (!is_accepted(connection)) return refuse(connection);
    const char *expected = load->options->expected;
    if (expected && !strstr(connection->response, expected)) return refuse(connection);
    double *seconds = seconds_of(load, connection);
    *seconds = now(CLOCK_MONOTONIC) - *seconds;
    if (connection->step + 1 < load->options->steps) return send_next(load, index, body);
    connection->size = 0;
    load->idle[load->idle_count++] = index;
    load->ended++;
    return true;
}

// Waits until a response arrives, or until the next exchange is due and a connection is free.
static void wait_for(const struct load *load, int epoll) {
    struct pollfd responses = {.fd = epoll, .events = POLLIN};
    double pause = 20;
    if (load->begun < load->options->count && load->idle_count > 0)
        pause = due(load, load->begun) - now(CLOCK_MONOTONIC);
    if (pause < 0) pause = 0;
    struct timespec time = {.tv_sec = (time_t)pause, .tv_nsec = (long)((pause - (time_t)pause) * 1e9)};
    ppoll(&responses, 1, &time, NULL);
}

static bool run(struct load *load, int epoll) {
    struct epoll_event events[MAXIMUM_EVENTS];
    double last = now(CLOCK_MONOTONIC);
    while (load->ended < load->options->count) {
        if (!begin_due(load)) return false;
        wait_for(load, epoll);
        int count = epoll_wait(epoll, events, MAXIMUM_EVENTS, 0);
        for (int event = 0; event < count; event++)
            if (!take_response(load, events[event].data.u64)) return false;
        if (count > 0) last = now(CLOCK_MONOTONIC);
        if (now(CLOCK_MONOTONIC) - last > 20) return false;
    }
    return true;
}

static bool connect_all(struct load *load, SSL_CTX *context, int epoll) {
    for (size_t index = 0; index < load->options->connections; index++) {
        struct connection *connection = &load->connections[index];
        int port = load->options->ports[index % load->options->port_count];
        if (!open_connection(connection, port, context)) return false;
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = index};
        if (fcntl(connection->socket, F_SETFL, O_NONBLOCK)
            || epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event))
            return false;
        load->idle[load->idle_count++] = index;
    }
    return true;
}

double reference_load(const struct reference_load *options) {
    SSL_CTX *context = client_context(true, options->certificate);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct load load = {
        .options = options,
        .connections = calloc(options->connections, sizeof *load.connections),
        .idle = calloc(options->connections, sizeof *load.idle),
    };
    for (size_t index = 0; index < options->connections; index++)
        load.connections[index].socket = -1;
    bool done = context && epoll >= 0 && connect_all(&load, context, epoll);
    load.start = now(CLOCK_MONOTONIC);
    done = done && run(&load, epoll);
    double elapsed = now(CLOCK_MONOTONIC) - load.start;
    for (size_t index = 0; index < options->connections; index++)
        close_connection(&load.connections[index]);
    free(load.connections);
    free(load.idle);
    close(epoll);
    SSL_CTX_free(context);
    return done ? elapsed : -1;
}
