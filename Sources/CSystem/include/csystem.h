// The few declarations Swift's Glibc module lacks, as static inlines. Keep this file readable in one sitting.
#pragma once

#if defined(__linux__)
#include <errno.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <linux/sockios.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// EPOLL_CLOEXEC and EFD_* are enumerators of anonymous C enums, which Swift imports with unhelpful types.
static inline int csystem_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// A non-blocking, close-on-exec event counter, used to wake an event loop from another thread.
static inline int csystem_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Adds or changes the interest in `fd`; `op` is EPOLL_CTL_ADD, EPOLL_CTL_MOD or EPOLL_CTL_DEL.
static inline int csystem_epoll_ctl(int epoll, int op, int fd, uint32_t events) {
    struct epoll_event event = {0};
    event.events = events;
    event.data.fd = fd;
    return epoll_ctl(epoll, op, fd, &event);
}

static inline int csystem_event_fd(const struct epoll_event *event) { return event->data.fd; }
static inline uint32_t csystem_event_mask(const struct epoll_event *event) { return event->events; }

/// Wakes the loop. A full counter already means a pending wake-up, so EAGAIN is success.
static inline void csystem_eventfd_signal(int fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {}
}

// Declared here because the C library hides it without _GNU_SOURCE, which a module cannot count on.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

/// Takes a connection that is non-blocking and close-on-exec from its first moment.
static inline int csystem_accept(int fd) { return accept4(fd, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

/// Bytes of a TCP socket's send queue that the other end has not acknowledged. `ioctl` is variadic in C.
static inline int csystem_unsent_bytes(int fd) {
    int count = 0;
    return ioctl(fd, SIOCOUTQ, &count) == 0 ? count : 0;
}

static inline void csystem_eventfd_drain(int fd) {
    uint64_t count;
    while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {}
}

/// Names the calling thread, for debuggers and `ps -L`; 15 characters are kept.
static inline void csystem_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
#endif
