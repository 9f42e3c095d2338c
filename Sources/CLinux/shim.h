// Linux: calls that take any number of arguments, that only _GNU_SOURCE declares, or that glibc has
// no function for.
#ifndef COUNTERSIGN_CLINUX_H
#define COUNTERSIGN_CLINUX_H

#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int renameat2(int, const char *, int, const char *, unsigned int);

// Renames a file, and fails with EEXIST where there is one of the new name.
//
// The numbers are AT_FDCWD and RENAME_NOREPLACE. Their headers are not included, since `struct stat`
// and others would be declared here then, and not in the module Glibc any more.
static inline int countersign_rename_to_new(const char *from, const char *to) {
    return renameat2(-100, from, -100, to, 1);
}

extern int pipe2(int[2], int);

// A pipe that no other program gets which this process starts: the number is O_CLOEXEC.
static inline int countersign_pipe(int *ends) {
    return pipe2(ends, 02000000);
}

extern int posix_spawn_file_actions_addclosefrom_np(void *, int);

// Has a program that is started get nothing open from this number on.
static inline int countersign_close_from(void *actions, int number) {
    return posix_spawn_file_actions_addclosefrom_np(actions, number);
}

// What a program that is started gets, where it is to get all that this one has. As a variable it
// could not be used by code that several threads run.
static inline char **countersign_environment(void) {
    extern char **environ;
    return environ;
}

// Whether this process leaves core dumps, and may be traced or read by others of its user.
static inline int countersign_set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}

// What epoll says of one descriptor. Of its header the same is true as of the others above; on
// x86-64 alone the kernel has no gap between the two.
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

// Here and below the number is SOCK_CLOEXEC or its like, with SOCK_NONBLOCK.
static inline int countersign_epoll(void) {
    return epoll_create1(02000000);
}

// The number is EPOLL_CTL_ADD: whatever is closed is removed.
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

// A descriptor that is ready once something was written to it, until that was read.
static inline int countersign_bell(void) {
    return eventfd(0, 02004000);
}

static inline int countersign_accept(int listener, void *address, unsigned int *size) {
    return accept4(listener, address, size, 02004000);
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
