/* Shared memory in which tiles of several warps meet. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_MEMORY_H
#define LOCKSTEP_COOPERATIVE_GROUPS_MEMORY_H
#include "info.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

struct tile_memory {
    /* Of the 16 tiles of 64 threads that a block can have, then the 8 of 128, … and the one of 1024. */
    unsigned int arrived[32];
    unsigned long long values[32]; /* one a warp of the block */
    LOCKSTEP_CG unsigned int* counter(unsigned int size, unsigned int tile) {
        return &arrived[32 - 2048 / size + tile];
    }
};

/* Where the program has given none, as it need not from 8.0 on. */
LOCKSTEP_CG_STATIC tile_memory* default_tile_memory() {
#if LOCKSTEP_ARCH >= 800
    __shared__ tile_memory memory;
    return &memory;
#else
    return nullptr;
#endif
}

}  // namespace details

template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  private:
    friend class thread_block;
    static_assert(MaxBlockSize >= 1 && MaxBlockSize <= 1024, "a block has 1 to 1024 threads");
    details::tile_memory memory_;
};

LOCKSTEP_CG_END

#endif
#endif
