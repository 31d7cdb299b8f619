/* Barriers that no instruction gives: of a grid, and of several warps of a block. Both count arrivals and
 * never start again from 0, so that who arrives need not ask when the round before has ended: a round is over
 * when the count has reached the next multiple of the members. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_SYNC_H
#define LOCKSTEP_COOPERATIVE_GROUPS_SYNC_H
#include "helpers.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

/* What a cooperative launch gives to its grid, zeroed. */
struct grid_workspace {
    unsigned int bytes;
    unsigned int word; /* nvcc's barrier */
    unsigned long long arrived;
};

/* Null where the launch was not cooperative. */
LOCKSTEP_CG_STATIC grid_workspace* this_workspace() {
    unsigned long long address;
    asm("{ .reg .b32 low, high; mov.u32 high, %%envreg1; mov.u32 low, %%envreg2; mov.b64 %0, {low, high}; }"
        : "=l"(address));
    return reinterpret_cast<grid_workspace*>(address);
}

/* The count of blocks for which the round that this block is in is over; of use to thread 0 alone, which
 * arrives and waits for all. The count is looked at before it is added to: until this block has arrived, its
 * round cannot end. */
LOCKSTEP_CG_STATIC unsigned long long arrive_at_grid(grid_workspace* workspace) {
    __syncthreads();
    if (thread_of_block() != 0) return 0;
    const unsigned long long blocks = blocks_of_grid();
    const unsigned long long now = *const_cast<volatile unsigned long long*>(&workspace->arrived);
    __threadfence();
    asm volatile("red.add.u64 [%0], 1;" ::"l"(&workspace->arrived) : "memory");
    return (now / blocks + 1) * blocks;
}
LOCKSTEP_CG_STATIC void wait_for_grid(grid_workspace* workspace, unsigned long long end) {
    if (thread_of_block() == 0) {
        while (*const_cast<volatile unsigned long long*>(&workspace->arrived) < end) {
        }
        __threadfence();
    }
    __syncthreads();
}

/* Of the warps that count at `arrived`, a power of two of them: the count may wrap round. */
LOCKSTEP_CG_STATIC void sync_warps(unsigned int* arrived, unsigned int warps) {
    __syncwarp();
    if (lane() == 0) {
        volatile unsigned int* count = arrived;
        const unsigned int end = (*count / warps + 1) * warps;
        __threadfence_block();
        atomicAdd(arrived, 1u);
        while ((int)(*count - end) < 0) {
        }
        __threadfence_block();
    }
    __syncwarp();
}

}  // namespace details
LOCKSTEP_CG_END

#endif
#endif
