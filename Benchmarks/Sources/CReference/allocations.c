#define _GNU_SOURCE
#include "reference.h"

#include <dlfcn.h>
#include <stdatomic.h>

// Swift's runtime calls this hook only while hooks are enabled, so other measurements are not
// affected.
typedef void *allocate(const void *type, size_t size, size_t alignment_mask);
static allocate *original;
static atomic_size_t allocation_count;

static void *count_and_allocate(const void *type, size_t size, size_t alignment_mask) {
    atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
    return original(type, size, alignment_mask);
}

static allocate **hook(void) {
    return dlsym(RTLD_DEFAULT, "_swift_allocObject");
}

static atomic_bool *hooks_enabled(void) {
    return dlsym(
        RTLD_DEFAULT,
        "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"
    );
}

bool reference_start_counting_allocations(void) {
    if (!hook() || !hooks_enabled()) return false;
    original = *hook();
    *hook() = count_and_allocate;
    atomic_store(&allocation_count, 0);
    atomic_store(hooks_enabled(), true);
    return true;
}

size_t reference_stop_counting_allocations(void) {
    atomic_store(hooks_enabled(), false);
    *hook() = original;
    return atomic_load(&allocation_count);
}
