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

// Connectivity: the kernel's news about interfaces and addresses, and whether any of them leads out of this machine.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/// A non-blocking socket that becomes readable when a link, an address or a default route changes; -1 with errno.
static inline int csystem_route_events(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/// Reads what has come, and forgets it: the state is looked up anew. Lost messages (ENOBUFS) are news too.
static inline void csystem_route_drain(int fd) {
    char buffer[8192];
    for (;;) {
        ssize_t length = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
        if (length > 0 || (length < 0 && (errno == EINTR || errno == ENOBUFS))) continue;
        return;
    }
}

/// 1 for a way out over IPv4, 2 over IPv6, both added; -1 when it cannot be told. A way out is an address of an
/// interface that is up and running, neither loopback nor link-local (RFC 3927, RFC 4291 section 2.5.6).
static inline int csystem_network_ways(void) {
    struct ifaddrs *first;
    if (getifaddrs(&first) < 0) return -1;
    int ways = 0;
    for (struct ifaddrs *entry = first; entry; entry = entry->ifa_next) {
        if (!entry->ifa_addr || !(entry->ifa_flags & IFF_UP) || !(entry->ifa_flags & IFF_RUNNING)) continue;
        if (entry->ifa_flags & IFF_LOOPBACK) continue;
        if (entry->ifa_addr->sa_family == AF_INET) {
            uint32_t address = ntohl(((struct sockaddr_in *)(void *)entry->ifa_addr)->sin_addr.s_addr);
            if ((address >> 16) != 0xA9FE) ways |= 1;
        } else if (entry->ifa_addr->sa_family == AF_INET6) {
            if (!IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)(void *)entry->ifa_addr)->sin6_addr)) ways |= 2;
        }
    }
    freeifaddrs(first);
    return ways;
}
#endif
