// libcurl: one function per type for its variadic functions, which Swift cannot import.
#ifndef COUNTERSIGN_CCURL_H
#define COUNTERSIGN_CCURL_H

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/socket.h>

static inline CURLcode countersign_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode countersign_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode countersign_curl_set_text(
    CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode countersign_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode countersign_curl_set_receiver(
    CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode countersign_curl_set_prerequest(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode countersign_curl_get_number(CURL *easy, CURLINFO item, long *value) {
    return curl_easy_getinfo(easy, item, value);
}

static inline CURLMcode countersign_curl_keep_connections(CURLM *multi, long count) {
    return curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}

// Without this, every child process would inherit libcurl's sockets.
static inline curl_socket_t countersign_curl_open_socket(
    void *unused, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)unused;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode countersign_curl_set_close_on_exec(CURL *easy) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, countersign_curl_open_socket);
}

// Macros with computed values: Swift imports only plain numbers.
static const long COUNTERSIGN_CURL_HTTP_1_1 = CURL_HTTP_VERSION_1_1;
static const long COUNTERSIGN_CURL_TLS_1_2 = CURL_SSLVERSION_TLSv1_2;

#endif
