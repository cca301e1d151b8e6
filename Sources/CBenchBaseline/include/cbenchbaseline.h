// The least a program in C has to do to send many requests with libcurl: what the transport is measured against.
#pragma once

#include <stddef.h>

struct cbench_result {
    double seconds;
    size_t bytes;
    int errors;
};

/// Sends `requests` GETs to `url`, `concurrency` at a time, with one thread, epoll and libcurl's multi socket interface.
/// `connections` is the most connections, 0 for no limit; `http2` asks for HTTP/2 over TLS and waits for a shared
/// connection.
struct cbench_result cbench_run(const char *url, int requests, int concurrency, int connections, int http2,
                                int insecure);
