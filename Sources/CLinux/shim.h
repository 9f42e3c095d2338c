// The kernel's keyring: glibc has no functions for it, and Swift cannot call the variadic syscall.
#ifndef COUNTERSIGN_CLINUX_H
#define COUNTERSIGN_CLINUX_H

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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
