#include "cbenchbaseline.h"

#include <curl/curl.h>
#include <stdint.h>
#include <time.h>

#if defined(__linux__)
#include <sys/epoll.h>
#include <unistd.h>

static int epoll = -1;
static long timer = -1;
static size_t total;

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context) {
    (void)easy, (void)context, (void)socket_context;
    struct epoll_event event = {0};
    event.data.fd = socket;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event);
        return 0;
    }
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) < 0) epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
    return 0;
}

static int on_timer(CURLM *multi, long milliseconds, void *context) {
    (void)multi, (void)context;
    timer = milliseconds;
    return 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    total += size * count;
    return size * count;
}

static CURL *make_easy(const char *url, int http2, int insecure) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 128 * 1024L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    if (http2) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    if (insecure) {
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    return easy;
}

struct cbench_result cbench_run(const char *url, int requests, int concurrency, int connections, int http2,
                                int insecure) {
    struct cbench_result result = {0};
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    epoll = epoll_create1(0);
    total = 0;
    timer = -1;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)(concurrency > 8 ? concurrency : 8));
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)connections);
    int started = 0, done = 0, running = 0;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (started < concurrency && started < requests) {
        curl_multi_add_handle(multi, make_easy(url, http2, insecure));
        started++;
    }
    struct epoll_event events[256];
    while (done < requests) {
        int count = epoll_wait(epoll, events, 256, timer < 0 ? 1000 : (int)timer);
        if (count <= 0) {
            timer = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        for (int i = 0; i < count; i++) {
            int mask = (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0) |
                       (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
            curl_multi_socket_action(multi, events[i].data.fd, mask, &running);
        }
        if (timer == 0) {
            timer = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            if (message->data.result != CURLE_OK) result.errors++;
            done++;
            curl_multi_remove_handle(multi, easy);
            if (started < requests) {
                started++;
                curl_multi_add_handle(multi, easy);
            } else {
                curl_easy_cleanup(easy);
            }
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    result.seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    result.bytes = total;
    curl_multi_cleanup(multi);
    close(epoll);
    return result;
}
#else
struct cbench_result cbench_run(const char *url, int requests, int concurrency, int connections, int http2,
                                int insecure) {
    (void)url, (void)concurrency, (void)connections, (void)http2, (void)insecure;
    return (struct cbench_result){0, 0, requests};
}
#endif
