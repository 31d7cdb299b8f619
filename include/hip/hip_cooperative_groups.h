/* Cooperative groups: a block, tiles of a wavefront, the lanes that are active. */
#ifndef LOCKSTEP_HIP_COOPERATIVE_GROUPS_H
#define LOCKSTEP_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUP_H
#include "hip_runtime.h"

#if defined(__cplusplus) && defined(__HIP__)
#define LOCKSTEP_D __device__ inline __attribute__((always_inline))

namespace cooperative_groups {
namespace __lockstep {

LOCKSTEP_D unsigned int thread_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LOCKSTEP_D unsigned int block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
LOCKSTEP_D unsigned int block_in_grid() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
LOCKSTEP_D unsigned int grid_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
/* Where a cooperative launch counts the blocks that have come to the grid's barrier, from 0; null where the
 * launch is none. */
LOCKSTEP_D unsigned long long* grid_workspace() {
    unsigned long long* address = nullptr;
#ifdef __HIP_DEVICE_COMPILE__
    asm volatile("s_trap 69" : "={v[0:1]}"(address));
#endif
    return address;
}
/* The count never starts again: a round is over when it has reached the next multiple of the blocks. It is
 * looked at before it is added to: until this block has arrived, its round cannot end. */
LOCKSTEP_D void sync_grid() {
    unsigned long long* const arrived = grid_workspace();
    if (!arrived) __builtin_trap();
    __syncthreads();
    if (thread_in_block() == 0) {
        const unsigned long long blocks = grid_blocks();
        const unsigned long long end =
            (__atomic_load_n(arrived, __ATOMIC_RELAXED) / blocks + 1) * blocks;
        __threadfence();
        __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
        while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < end) __builtin_amdgcn_s_sleep(1);
        __threadfence();
    }
    __syncthreads();
}
/* The lanes of a wavefront that are in the same tile as this one */
LOCKSTEP_D unsigned long long tile_mask(unsigned int size) {
    return (size == 64 ? ~0ull : (1ull << size) - 1) << (__lane_id() & ~(size - 1));
}
LOCKSTEP_D unsigned int lanes_below(unsigned long long mask) { return __popcll(mask & __lanemask_lt()); }
/* The lane that is the n-th of a mask */
LOCKSTEP_D int lane_numbered(unsigned long long mask, unsigned int n) {
    for (; n; --n) mask &= mask - 1;
    return __ffsll(mask) - 1;
}
/* Bit n for the n-th lane of the mask */
LOCKSTEP_D unsigned long long packed(unsigned long long bits, unsigned long long mask) {
    unsigned long long result = 0;
    for (unsigned int n = 0; mask; mask &= mask - 1, ++n) result |= (bits >> (__ffsll(mask) - 1) & 1) << n;
    return result;
}

}  // namespace __lockstep

/* Any group: what a function of a program's takes that does not care. */
class thread_group {
  public:
    LOCKSTEP_D unsigned int size() const { return size_; }
    LOCKSTEP_D unsigned int num_threads() const { return size_; }
    LOCKSTEP_D unsigned int thread_rank() const { return rank_; }
    LOCKSTEP_D bool is_valid() const { return true; }
    LOCKSTEP_D void sync() const {
        if (mask_)
            __syncwarp();
        else
            __syncthreads();
    }

  protected:
    LOCKSTEP_D thread_group(unsigned int size, unsigned int rank, unsigned long long mask)
        : size_(size), rank_(rank), mask_(mask) {}
    unsigned int size_, rank_;
    unsigned long long mask_; /* of lanes; 0: the whole block */
    friend LOCKSTEP_D thread_group tiled_partition(const thread_group& parent, unsigned int size);
};

class thread_block : public thread_group {
  public:
    LOCKSTEP_D thread_block() : thread_group(__lockstep::block_threads(), __lockstep::thread_in_block(), 0) {}
    static LOCKSTEP_D void sync() { __syncthreads(); }
    static LOCKSTEP_D dim3 group_index() { return blockIdx; }
    static LOCKSTEP_D dim3 thread_index() { return threadIdx; }
    static LOCKSTEP_D dim3 group_dim() { return blockDim; }
    static LOCKSTEP_D dim3 dim_threads() { return blockDim; }
};
LOCKSTEP_D thread_block this_thread_block() { return thread_block(); }

class grid_group : public thread_group {
  public:
    LOCKSTEP_D grid_group()
        : thread_group(
              __lockstep::grid_blocks() * __lockstep::block_threads(),
              __lockstep::block_in_grid() * __lockstep::block_threads() + __lockstep::thread_in_block(), 0) {}
    LOCKSTEP_D dim3 group_dim() const { return gridDim; }
    LOCKSTEP_D unsigned int num_blocks() const { return __lockstep::grid_blocks(); }
    LOCKSTEP_D unsigned int block_rank() const { return __lockstep::block_in_grid(); }
    LOCKSTEP_D bool is_valid() const { return __lockstep::grid_workspace() != nullptr; }
    LOCKSTEP_D void sync() const { __lockstep::sync_grid(); }
};
LOCKSTEP_D grid_group this_grid() { return grid_group(); }

class coalesced_group : public thread_group {
  public:
    explicit LOCKSTEP_D coalesced_group(unsigned long long mask)
        : thread_group(__popcll(mask), __lockstep::lanes_below(mask), mask) {}
    LOCKSTEP_D void sync() const { __syncwarp(); }
    template <class T>
    LOCKSTEP_D T shfl(T value, int rank) const {
        return __lockstep_from_lane(value, __lockstep::lane_numbered(mask_, (unsigned int)rank % size_));
    }
    template <class T>
    LOCKSTEP_D T shfl_down(T value, unsigned int delta) const {
        const unsigned int rank = rank_ + delta;
        return __lockstep_from_lane(value, __lockstep::lane_numbered(mask_, rank < size_ ? rank : rank_));
    }
    template <class T>
    LOCKSTEP_D T shfl_up(T value, unsigned int delta) const {
        return __lockstep_from_lane(value,
                                    __lockstep::lane_numbered(mask_, rank_ < delta ? rank_ : rank_ - delta));
    }
    LOCKSTEP_D unsigned long long ballot(int predicate) const {
        return __lockstep::packed(__ballot(predicate) & mask_, mask_);
    }
    LOCKSTEP_D int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
    LOCKSTEP_D int all(int predicate) const { return (__ballot(predicate) & mask_) == mask_; }
};
LOCKSTEP_D coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int tile, class Parent = void>
class thread_block_tile : public thread_group {
    static_assert((tile & (tile - 1)) == 0 && tile >= 1 && tile <= warpSize,
                  "a tile has a power of two of threads, and no more than a wavefront");

  public:
    LOCKSTEP_D thread_block_tile()
        : thread_group(tile, __lockstep::thread_in_block() % tile, __lockstep::tile_mask(tile)) {}
    /* A tile is the same, whatever it is a part of. */
    template <class Other>
    LOCKSTEP_D thread_block_tile(const thread_block_tile<tile, Other>&) : thread_block_tile() {}
    static constexpr unsigned int numThreads = tile;
    LOCKSTEP_D unsigned int size() const { return tile; }
    LOCKSTEP_D unsigned int num_threads() const { return tile; }
    LOCKSTEP_D unsigned int meta_group_rank() const { return __lockstep::thread_in_block() / tile; }
    LOCKSTEP_D unsigned int meta_group_size() const {
        return (__lockstep::block_threads() + tile - 1) / tile;
    }
    LOCKSTEP_D void sync() const { __syncwarp(); }
    template <class T>
    LOCKSTEP_D T shfl(T value, int rank) const {
        return __shfl(value, rank, tile);
    }
    template <class T>
    LOCKSTEP_D T shfl_down(T value, unsigned int delta) const {
        return __shfl_down(value, delta, tile);
    }
    template <class T>
    LOCKSTEP_D T shfl_up(T value, unsigned int delta) const {
        return __shfl_up(value, delta, tile);
    }
    template <class T>
    LOCKSTEP_D T shfl_xor(T value, unsigned int lanes) const {
        return __shfl_xor(value, (int)lanes, tile);
    }
    LOCKSTEP_D unsigned long long ballot(int predicate) const {
        return (__ballot(predicate) & mask_) >> (__lane_id() & ~(tile - 1));
    }
    LOCKSTEP_D int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
    LOCKSTEP_D int all(int predicate) const { return (__ballot(!predicate) & mask_) == 0; }
};

template <unsigned int tile, class Parent>
LOCKSTEP_D thread_block_tile<tile, Parent> tiled_partition(const Parent&) {
    return thread_block_tile<tile, Parent>();
}
LOCKSTEP_D thread_group tiled_partition(const thread_group&, unsigned int size) {
    return thread_group(size, __lockstep::thread_in_block() % size, __lockstep::tile_mask(size));
}

/* The same as functions */
template <class Group>
LOCKSTEP_D unsigned int group_size(const Group& group) {
    return group.size();
}
template <class Group>
LOCKSTEP_D unsigned int thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
LOCKSTEP_D bool is_valid(const Group& group) {
    return group.is_valid();
}
template <class Group>
LOCKSTEP_D void sync(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups
#undef LOCKSTEP_D
#endif

#endif
