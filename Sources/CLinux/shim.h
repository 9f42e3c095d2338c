// Linux calls that are variadic, need _GNU_SOURCE, or have no glibc function.
#ifndef COUNTERSIGN_CLINUX_H
#define COUNTERSIGN_CLINUX_H

#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int malloc_trim(size_t);

// Returns free memory of the allocator to the system.
static inline void countersign_return_memory(void) {
    malloc_trim(0);
}

extern int renameat2(int, const char *, int, const char *, unsigned int);

// Renames a file; fails with EEXIST if the new name exists.
//
// The numbers are AT_FDCWD and RENAME_NOREPLACE. Including their headers would declare `struct
// stat` and others here, and no longer in the module Glibc.
static inline int countersign_rename_to_new(const char *from, const char *to) {
    return renameat2(-100, from, -100, to, 1);
}

extern int pipe2(int[2], int);

// A pipe that child processes do not inherit: the number is O_CLOEXEC.
static inline int countersign_pipe(int *ends) {
    return pipe2(ends, 02000000);
}

extern int posix_spawn_file_actions_addclosefrom_np(void *, int);

// Makes a new process close all descriptors from this number on.
static inline int countersign_close_from(void *actions, int number) {
    return posix_spawn_file_actions_addclosefrom_np(actions, number);
}

// The environment for a new process that inherits all of it. Swift does not allow a global variable
// of C in code that several threads run.
static inline char **countersign_environment(void) {
    extern char **environ;
    return environ;
}

// Whether this process writes core dumps, and other processes of its user may trace or read it.
static inline int countersign_set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}

// One event of epoll. Its header cannot be included, for the reason above. Only on x86-64 is the
// structure packed.
struct countersign_event {
    unsigned int readiness;
    unsigned long long token;
}
#ifdef __x86_64__
__attribute__((packed))
#endif
;

extern int epoll_create1(int);
extern int epoll_ctl(int, int, int, void *);
extern int epoll_wait(int, void *, int, int);
extern int eventfd(unsigned int, int);
extern int accept4(int, void *, void *, int);

// Here and below, the number is SOCK_CLOEXEC or its equivalent, with SOCK_NONBLOCK.
static inline int countersign_epoll(void) {
    return epoll_create1(02000000);
}

// The number is EPOLL_CTL_ADD: closing a descriptor removes it.
static inline int countersign_watch(
    int epoll, int descriptor, unsigned int readiness, unsigned long long token
) {
    struct countersign_event event = {readiness, token};
    return epoll_ctl(epoll, 1, descriptor, &event);
}

static inline int countersign_wait(
    int epoll, struct countersign_event *events, int count, int milliseconds
) {
    return epoll_wait(epoll, events, count, milliseconds);
}

// A descriptor that becomes readable after a write, until it is read.
static inline int countersign_event_descriptor(void) {
    return eventfd(0, 02004000);
}

static inline int countersign_accept(int listener, void *address, unsigned int *size) {
    return accept4(listener, address, size, 02004000);
}

extern int adjtimex(void *);

// The state of the kernel's clock, as ntp_adjtime(3) returns it. Zeros change nothing; the array is
// larger than `struct timex`, whose header would declare `struct timeval` here.
static inline int countersign_clock_state(void) {
    long status[64] = {0};
    return adjtimex(status);
}

static inline long countersign_add_key(
    const char *type, const char *description, const void *payload, unsigned long count, long ring
) {
    return syscall(SYS_add_key, type, description, payload, count, ring);
}

static inline long countersign_keyctl(
    int operation, unsigned long first, unsigned long second, unsigned long third,
    unsigned long fourth
) {
    return syscall(SYS_keyctl, operation, first, second, third, fourth);
}

#endif
