/* Cooperative groups: blocks, tiles of a warp, coalesced threads. Grids (this_grid().sync()) are not here:
 * they need all blocks to be resident at once, which the simulated GPU does not promise yet. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_H
#define LOCKSTEP_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_
#include "cuda_runtime.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300
#error cooperative groups need a GPU of compute capability 3.0 or newer
#elif defined(__CUDA__) && defined(__cplusplus)

namespace cooperative_groups {

#define LOCKSTEP_CG __device__ __forceinline__

namespace details {

LOCKSTEP_CG unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
LOCKSTEP_CG unsigned int lanes_below() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
LOCKSTEP_CG unsigned int thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* Values larger than a register are moved a word at a time. */
template <class T, class Move>
LOCKSTEP_CG T by_words(const T& value, Move move) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned int buffer[words] = {};
    __builtin_memcpy(buffer, &value, sizeof(T));
    for (int i = 0; i < words; ++i) buffer[i] = move(buffer[i]);
    T result;
    __builtin_memcpy(&result, buffer, sizeof(T));
    return result;
}

}  // namespace details

class thread_group;

class thread_block {
  public:
    static LOCKSTEP_CG void sync() { __syncthreads(); }
    static LOCKSTEP_CG unsigned int thread_rank() { return details::thread_in_block(); }
    static LOCKSTEP_CG unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    static LOCKSTEP_CG unsigned int num_threads() { return size(); }
    static LOCKSTEP_CG dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static LOCKSTEP_CG dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static LOCKSTEP_CG dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static LOCKSTEP_CG dim3 dim_threads() { return group_dim(); }
};
LOCKSTEP_CG thread_block this_thread_block() { return thread_block(); }

/* A set of lanes of one warp: what tiles and coalesced groups have in common. */
class lane_group {
  public:
    LOCKSTEP_CG explicit lane_group(unsigned int mask) : mask_(mask) {}
    LOCKSTEP_CG void sync() const { __syncwarp(mask_); }
    LOCKSTEP_CG unsigned int thread_rank() const { return __popc(mask_ & details::lanes_below()); }
    LOCKSTEP_CG unsigned int size() const { return __popc(mask_); }
    LOCKSTEP_CG unsigned int num_threads() const { return size(); }
    LOCKSTEP_CG int any(int predicate) const { return __any_sync(mask_, predicate); }
    LOCKSTEP_CG int all(int predicate) const { return __all_sync(mask_, predicate); }
    LOCKSTEP_CG unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
    template <class T>
    LOCKSTEP_CG unsigned int match_any(T value) const {
        return packed(__match_any_sync(mask_, value));
    }
    template <class T>
    LOCKSTEP_CG unsigned int match_all(T value, int& predicate) const {
        return packed(__match_all_sync(mask_, value, &predicate));
    }
    LOCKSTEP_CG unsigned int mask() const { return mask_; }

  protected:
    /* Lanes of the warp to ranks in the group. */
    LOCKSTEP_CG unsigned int packed(unsigned int lanes) const {
        unsigned int result = 0, rank = 0;
        for (unsigned int rest = mask_; rest; rest &= rest - 1, ++rank)
            result |= (lanes >> (__ffs(rest) - 1) & 1u) << rank;
        return result;
    }
    unsigned int mask_;
};

class coalesced_group : public lane_group {
  public:
    LOCKSTEP_CG explicit coalesced_group(unsigned int mask) : lane_group(mask) {}
    template <class T>
    LOCKSTEP_CG T shfl(T value, int rank) const {
        const int lane = __fns(mask_, 0, rank + 1);
        const unsigned int mask = mask_;
        return details::by_words(value, [=](unsigned int word) { return __shfl_sync(mask, word, lane); });
    }
    template <class T>
    LOCKSTEP_CG T shfl_up(T value, unsigned int delta) const {
        const int rank = (int)thread_rank() - (int)delta;
        return shfl(value, rank < 0 ? (int)thread_rank() : rank);
    }
    template <class T>
    LOCKSTEP_CG T shfl_down(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank() + delta;
        return shfl(value, rank >= size() ? thread_rank() : rank);
    }
    LOCKSTEP_CG unsigned long long meta_group_rank() const { return 0; }
    LOCKSTEP_CG unsigned long long meta_group_size() const { return 1; }
};
LOCKSTEP_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* `Size` neighbouring lanes: 1, 2, 4, 8, 16 or 32 of them. */
template <unsigned int Size, class Parent = void>
class thread_block_tile : public lane_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "lockstep: tiles have 1, 2, 4, 8, 16 or 32 threads");

  public:
    LOCKSTEP_CG thread_block_tile()
        : lane_group((Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1)
                     << (details::lane() & ~(Size - 1) & 31)) {}
    template <class OtherParent>
    LOCKSTEP_CG thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
        : lane_group(other.mask()) {}
    static LOCKSTEP_CG unsigned int thread_rank() { return details::lane() & (Size - 1); }
    static LOCKSTEP_CG constexpr unsigned int size() { return Size; }
    static LOCKSTEP_CG constexpr unsigned int num_threads() { return Size; }
    static LOCKSTEP_CG unsigned int meta_group_rank() { return details::thread_in_block() / Size; }
    static LOCKSTEP_CG unsigned int meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
    LOCKSTEP_CG unsigned int ballot(int predicate) const { return shifted(__ballot_sync(mask_, predicate)); }
    template <class T>
    LOCKSTEP_CG unsigned int match_any(T value) const {
        return shifted(__match_any_sync(mask_, value));
    }
    template <class T>
    LOCKSTEP_CG T shfl(T value, int rank) const {
        const unsigned int mask = mask_;
        return details::by_words(value,
                                 [=](unsigned int word) { return __shfl_sync(mask, word, rank, Size); });
    }
    template <class T>
    LOCKSTEP_CG T shfl_up(T value, unsigned int delta) const {
        const unsigned int mask = mask_;
        return details::by_words(value,
                                 [=](unsigned int word) { return __shfl_up_sync(mask, word, delta, Size); });
    }
    template <class T>
    LOCKSTEP_CG T shfl_down(T value, unsigned int delta) const {
        const unsigned int mask = mask_;
        return details::by_words(
            value, [=](unsigned int word) { return __shfl_down_sync(mask, word, delta, Size); });
    }
    template <class T>
    LOCKSTEP_CG T shfl_xor(T value, int lanes) const {
        const unsigned int mask = mask_;
        return details::by_words(value,
                                 [=](unsigned int word) { return __shfl_xor_sync(mask, word, lanes, Size); });
    }

  private:
    LOCKSTEP_CG unsigned int shifted(unsigned int lanes) const {
        return (lanes & mask_) >> (details::lane() & ~(Size - 1) & 31);
    }
};
template <unsigned int Size, class Parent>
LOCKSTEP_CG thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return thread_block_tile<Size, Parent>();
}

/* Any of the above, for functions that are not templates. */
class thread_group {
  public:
    LOCKSTEP_CG thread_group(const thread_block&) : mask_(0) {}
    LOCKSTEP_CG thread_group(const lane_group& lanes) : mask_(lanes.mask()) {}
    LOCKSTEP_CG void sync() const {
        if (mask_)
            __syncwarp(mask_);
        else
            __syncthreads();
    }
    LOCKSTEP_CG unsigned int thread_rank() const {
        return mask_ ? __popc(mask_ & details::lanes_below()) : details::thread_in_block();
    }
    LOCKSTEP_CG unsigned int size() const { return mask_ ? __popc(mask_) : thread_block::size(); }
    LOCKSTEP_CG unsigned int num_threads() const { return size(); }

  private:
    unsigned int mask_; /* 0: the whole block */
};
LOCKSTEP_CG thread_group tiled_partition(const thread_group&, unsigned int size) {
    const unsigned int first = details::lane() & ~(size - 1) & 31;
    return thread_group(lane_group((size >= 32 ? 0xffffffffu : (1u << size) - 1) << first));
}

template <class Group>
LOCKSTEP_CG void sync(const Group& group) {
    group.sync();
}

/* Reductions over a tile, by butterfly. */
template <class T>
struct plus {
    LOCKSTEP_CG T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    LOCKSTEP_CG T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    LOCKSTEP_CG T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    LOCKSTEP_CG T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    LOCKSTEP_CG T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    LOCKSTEP_CG T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned int Size, class Parent, class T, class Operation>
LOCKSTEP_CG T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
    for (unsigned int step = Size / 2; step > 0; step /= 2)
        value = operation(value, tile.shfl_xor(value, step));
    return value;
}

#undef LOCKSTEP_CG

}  // namespace cooperative_groups

#endif
#endif
