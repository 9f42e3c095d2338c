// Wipes memory before it is freed, in a whole program with all its libraries.
//
// Requests and responses contain codes. Swift, OpenSSL, libpq and SQLite copy them while they work, and
// only the place where all of them free memory knows every copy. glibc allows a program to replace
// `free` and `realloc`, and to call its own functions by their second names.

#include "WipingAllocator.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

static bool wipes = false;

void countersign_wipe_freed_memory(void) {
    wipes = true;
}

// The sanitizers replace the same functions.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

extern void __libc_free(void *block);
extern void *__libc_realloc(void *block, size_t size);

void free(void *block) {
    if (wipes && block != NULL) explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

// Moves a block only with a wipe.
void *realloc(void *block, size_t size) {
    if (!wipes || block == NULL) return __libc_realloc(block, size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t old = malloc_usable_size(block);
    // The end of a block that shrinks little stays with it.
    if (size <= old && size >= old / 2) return block;
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, size < old ? size : old);
    free(block);
    return moved;
}

#endif
