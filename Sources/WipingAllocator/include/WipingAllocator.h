#ifndef COUNTERSIGN_WIPING_ALLOCATOR_H
#define COUNTERSIGN_WIPING_ALLOCATOR_H

// From now on, this program wipes memory before it frees it. Call it first, on the only thread.
void countersign_wipe_freed_memory(void);

#endif
