/* Cooperative groups: grids, clusters, blocks, tiles and coalesced threads. What groups can do together is in
 * cooperative_groups/: reduce.h, scan.h, memcpy_async.h. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_H
#define LOCKSTEP_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_
#include "cooperative_groups/details/helpers.h"
#include "cooperative_groups/details/info.h"
#include "cooperative_groups/details/memory.h"
#include "cooperative_groups/details/sync.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN

namespace details {
struct group_access;
}

/* Any group but a tile of several warps, for functions that are not templates. */
class thread_group {
  public:
    LOCKSTEP_CG unsigned long long size() const { return num_threads(); }
    LOCKSTEP_CG unsigned long long num_threads() const;
    LOCKSTEP_CG unsigned long long thread_rank() const;
    LOCKSTEP_CG void sync() const;
    LOCKSTEP_CG unsigned int get_type() const { return type_; }

  protected:
    friend struct details::group_access;
    LOCKSTEP_CG explicit thread_group(unsigned int type) : type_(type) {}
    LOCKSTEP_CG explicit thread_group(details::grid_workspace* workspace)
        : type_(details::grid_group_id), workspace_(workspace) {}
    LOCKSTEP_CG thread_group(unsigned int mask, unsigned int meta_rank, unsigned int meta_size, bool is_tile)
        : type_(details::coalesced_group_id),
          mask_(mask),
          meta_rank_(meta_rank),
          meta_size_(meta_size),
          is_tile_(is_tile) {}

    unsigned int type_;
    unsigned int mask_ = 0; /* lanes of the warp: of tiles and coalesced groups */
    unsigned int meta_rank_ = 0, meta_size_ = 1;
    bool is_tile_ = false; /* its lanes are neighbours */
    details::grid_workspace* workspace_ = nullptr;
};

/* All threads of a launch. They can wait for each other if it was cooperative. */
class grid_group : public thread_group {
  public:
    using arrival_token = unsigned long long;

    LOCKSTEP_CG bool is_valid() const { return workspace_ != nullptr; }
    LOCKSTEP_CG void sync() const { barrier_wait(barrier_arrive()); }
    LOCKSTEP_CG arrival_token barrier_arrive() const {
        if (!is_valid()) __trap();
        return details::arrive_at_grid(workspace_);
    }
    LOCKSTEP_CG void barrier_wait(arrival_token&& token) const { details::wait_for_grid(workspace_, token); }

    static LOCKSTEP_CG unsigned long long size() { return num_threads(); }
    static LOCKSTEP_CG unsigned long long num_threads() { return num_blocks() * details::threads_of_block(); }
    static LOCKSTEP_CG unsigned long long thread_rank() {
        return block_rank() * details::threads_of_block() + details::thread_of_block();
    }
    static LOCKSTEP_CG dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static LOCKSTEP_CG dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static LOCKSTEP_CG dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    static LOCKSTEP_CG dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static LOCKSTEP_CG unsigned long long num_blocks() { return details::blocks_of_grid(); }
    static LOCKSTEP_CG dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static LOCKSTEP_CG unsigned long long block_rank() { return details::block_of_grid(); }
#if LOCKSTEP_ARCH >= 900
    static LOCKSTEP_CG dim3 dim_clusters();
    static LOCKSTEP_CG unsigned long long num_clusters();
    static LOCKSTEP_CG dim3 cluster_index();
    static LOCKSTEP_CG unsigned long long cluster_rank();
#endif

  private:
    friend LOCKSTEP_CG grid_group this_grid();
    LOCKSTEP_CG explicit grid_group(details::grid_workspace* workspace) : thread_group(workspace) {}
};
LOCKSTEP_CG grid_group this_grid() { return grid_group(details::this_workspace()); }

/* Several grids on several GPUs: CUDA has deprecated it in version 11 and removed it in 13. */
#define LOCKSTEP_CG_NO_MULTI_GRID \
    __attribute__((unavailable("groups of several grids are not implemented; CUDA 13 has removed them")))
class LOCKSTEP_CG_NO_MULTI_GRID multi_grid_group;
LOCKSTEP_CG_NO_MULTI_GRID __device__ int this_multi_grid();
#undef LOCKSTEP_CG_NO_MULTI_GRID

#if LOCKSTEP_ARCH >= 900
/* Blocks that see each other's shared memory. Without a cluster each block is one of its own. */
namespace details {
#define LOCKSTEP_CG_REGISTER(name, special)                              \
    LOCKSTEP_CG unsigned int name() {                                    \
        unsigned int value;                                              \
        asm volatile("mov.u32 %0, %%" special ";" : "=r"(value));        \
        return value;                                                    \
    }
LOCKSTEP_CG_REGISTER(cluster_block_x, "cluster_ctaid.x")
LOCKSTEP_CG_REGISTER(cluster_block_y, "cluster_ctaid.y")
LOCKSTEP_CG_REGISTER(cluster_block_z, "cluster_ctaid.z")
LOCKSTEP_CG_REGISTER(cluster_blocks_x, "cluster_nctaid.x")
LOCKSTEP_CG_REGISTER(cluster_blocks_y, "cluster_nctaid.y")
LOCKSTEP_CG_REGISTER(cluster_blocks_z, "cluster_nctaid.z")
LOCKSTEP_CG_REGISTER(cluster_block_rank, "cluster_ctarank")
LOCKSTEP_CG_REGISTER(cluster_block_count, "cluster_nctarank")
LOCKSTEP_CG_REGISTER(cluster_x, "clusterid.x")
LOCKSTEP_CG_REGISTER(cluster_y, "clusterid.y")
LOCKSTEP_CG_REGISTER(cluster_z, "clusterid.z")
LOCKSTEP_CG_REGISTER(clusters_x, "nclusterid.x")
LOCKSTEP_CG_REGISTER(clusters_y, "nclusterid.y")
LOCKSTEP_CG_REGISTER(clusters_z, "nclusterid.z")
#undef LOCKSTEP_CG_REGISTER
LOCKSTEP_CG void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
LOCKSTEP_CG void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
} /* namespace details */

class cluster_group : public thread_group {
  public:
    struct arrival_token {};

    static LOCKSTEP_CG void sync() {
        details::cluster_arrive();
        details::cluster_wait();
    }
    static LOCKSTEP_CG arrival_token barrier_arrive() {
        details::cluster_arrive();
        return arrival_token();
    }
    static LOCKSTEP_CG void barrier_wait() { details::cluster_wait(); }
    static LOCKSTEP_CG void barrier_wait(arrival_token&&) { details::cluster_wait(); }
    static LOCKSTEP_CG unsigned int query_shared_rank(const void* address) {
        unsigned int rank;
        asm volatile("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
        return rank;
    }
    template <class T>
    static LOCKSTEP_CG T* map_shared_rank(T* address, int rank) {
        T* mapped;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
        return mapped;
    }
    static LOCKSTEP_CG dim3 block_index() {
        return dim3(details::cluster_block_x(), details::cluster_block_y(), details::cluster_block_z());
    }
    static LOCKSTEP_CG unsigned int block_rank() { return details::cluster_block_rank(); }
    static LOCKSTEP_CG dim3 thread_index() {
        const dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static LOCKSTEP_CG unsigned int thread_rank() {
        return block_rank() * details::threads_of_block() + details::thread_of_block();
    }
    static LOCKSTEP_CG dim3 dim_blocks() {
        return dim3(details::cluster_blocks_x(), details::cluster_blocks_y(), details::cluster_blocks_z());
    }
    static LOCKSTEP_CG unsigned int num_blocks() { return details::cluster_block_count(); }
    static LOCKSTEP_CG dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static LOCKSTEP_CG unsigned int num_threads() { return num_blocks() * details::threads_of_block(); }
    static LOCKSTEP_CG unsigned int size() { return num_threads(); }

  private:
    friend LOCKSTEP_CG cluster_group this_cluster();
    LOCKSTEP_CG cluster_group() : thread_group(details::cluster_group_id) {}
};
LOCKSTEP_CG cluster_group this_cluster() { return cluster_group(); }
LOCKSTEP_CG dim3 grid_group::dim_clusters() {
    return dim3(details::clusters_x(), details::clusters_y(), details::clusters_z());
}
LOCKSTEP_CG unsigned long long grid_group::num_clusters() {
    return (unsigned long long)details::clusters_x() * details::clusters_y() * details::clusters_z();
}
LOCKSTEP_CG dim3 grid_group::cluster_index() {
    return dim3(details::cluster_x(), details::cluster_y(), details::cluster_z());
}
LOCKSTEP_CG unsigned long long grid_group::cluster_rank() {
    return ((unsigned long long)details::cluster_z() * details::clusters_y() + details::cluster_y()) *
               details::clusters_x() + details::cluster_x();
}
#endif

class thread_block : public thread_group {
  public:
    struct arrival_token {};

    static LOCKSTEP_CG void sync() { __syncthreads(); }
    LOCKSTEP_CG arrival_token barrier_arrive() const { return arrival_token(); }
    LOCKSTEP_CG void barrier_wait(arrival_token&&) const { __syncthreads(); }
    static LOCKSTEP_CG unsigned int thread_rank() { return details::thread_of_block(); }
    static LOCKSTEP_CG unsigned int size() { return details::threads_of_block(); }
    static LOCKSTEP_CG unsigned int num_threads() { return details::threads_of_block(); }
    static LOCKSTEP_CG dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static LOCKSTEP_CG dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static LOCKSTEP_CG dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static LOCKSTEP_CG dim3 dim_threads() { return group_dim(); }

  private:
    friend struct details::group_access;
    friend LOCKSTEP_CG thread_block this_thread_block();
    template <unsigned int MaxBlockSize>
    friend LOCKSTEP_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory);
    LOCKSTEP_CG explicit thread_block(details::tile_memory* memory = nullptr)
        : thread_group(details::thread_block_id), memory_(memory) {}
    template <unsigned int MaxBlockSize>
    static LOCKSTEP_CG details::tile_memory* inside(block_tile_memory<MaxBlockSize>& memory) {
        return &memory.memory_;
    }

    details::tile_memory* memory_;
};
LOCKSTEP_CG thread_block this_thread_block() { return thread_block(); }
template <unsigned int MaxBlockSize>
LOCKSTEP_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
    return thread_block(thread_block::inside(memory));
}

/* The lanes of a warp that run together, or a part of such lanes. */
class coalesced_group : public thread_group {
  public:
    LOCKSTEP_CG void sync() const { __syncwarp(mask_); }
    LOCKSTEP_CG unsigned int thread_rank() const { return __popc(mask_ & details::lanes_below()); }
    LOCKSTEP_CG unsigned int num_threads() const { return __popc(mask_); }
    LOCKSTEP_CG unsigned int size() const { return num_threads(); }
    LOCKSTEP_CG unsigned int meta_group_rank() const { return meta_rank_; }
    LOCKSTEP_CG unsigned int meta_group_size() const { return meta_size_; }

    template <class T>
    LOCKSTEP_CG T shfl(T value, int rank) const {
        return details::shuffle(mask_, value, lane_of((unsigned int)rank));
    }
    /* Beyond the ends a thread gets its own value. */
    template <class T>
    LOCKSTEP_CG T shfl_up(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return shfl(value, (int)(delta > rank ? rank : rank - delta));
    }
    template <class T>
    LOCKSTEP_CG T shfl_down(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return shfl(value, (int)(delta >= num_threads() - rank ? rank : rank + delta));
    }
    LOCKSTEP_CG int any(int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
    LOCKSTEP_CG int all(int predicate) const { return __ballot_sync(mask_, predicate) == mask_; }
    LOCKSTEP_CG unsigned int ballot(int predicate) const {
        return details::packed(__ballot_sync(mask_, predicate), mask_);
    }
#if LOCKSTEP_ARCH >= 700
    template <class T>
    LOCKSTEP_CG unsigned int match_any(T value) const {
        return details::packed(details::match_any(mask_, value), mask_);
    }
    template <class T>
    LOCKSTEP_CG unsigned int match_all(T value, int& predicate) const {
        return details::packed(details::match_all(mask_, value, &predicate), mask_);
    }
#endif

  private:
    friend struct details::group_access;
    LOCKSTEP_CG explicit coalesced_group(const thread_group& lanes) : thread_group(lanes) {}
    LOCKSTEP_CG int lane_of(unsigned int rank) const {
        if (rank == 0) return __ffs((int)mask_) - 1;
        return (int)(mask_ == 0xffffffffu ? rank : __fns(mask_, 0, (int)rank + 1));
    }
};

namespace details {

/* Groups are made by functions that are no members of theirs. */
struct group_access {
    template <class Group>
    static LOCKSTEP_CG unsigned int mask(const Group& group) {
        return group.mask_;
    }
    static LOCKSTEP_CG bool is_tile(const thread_group& group) { return group.is_tile_; }
    static LOCKSTEP_CG thread_group lanes(unsigned int mask, unsigned int meta_rank, unsigned int meta_size,
                                          bool is_tile) {
        return thread_group(mask, meta_rank, meta_size, is_tile);
    }
    static LOCKSTEP_CG coalesced_group coalesced(unsigned int mask, unsigned int meta_rank = 0,
                                                 unsigned int meta_size = 1, bool is_tile = false) {
        return coalesced_group(lanes(mask, meta_rank, meta_size, is_tile));
    }
    static LOCKSTEP_CG coalesced_group coalesced(const thread_group& group) { return coalesced_group(group); }
    template <class Group>
    static LOCKSTEP_CG tile_memory* memory(const Group& group) {
        return group.memory_;
    }
};

/* The tile of `Size` neighbouring lanes, whether or not the block has threads in all of them. */
template <unsigned int Size>
LOCKSTEP_CG unsigned int tile_lanes() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size % 32)) - 1) << (lane() & ~(Size - 1));
}

/* 1 to 32 threads: lanes of a warp. */
template <unsigned int Size>
class warp_tile : public thread_group {
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, … 1024 threads");

  public:
    static LOCKSTEP_CG void sync() { __syncwarp(tile_lanes<Size>()); }
    static LOCKSTEP_CG unsigned int thread_rank() { return thread_of_block() & (Size - 1); }
    static LOCKSTEP_CG constexpr unsigned int num_threads() { return Size; }
    static LOCKSTEP_CG constexpr unsigned int size() { return Size; }

    template <class T>
    LOCKSTEP_CG T shfl(T value, int rank) const {
        return shuffle(mask_, value, rank, Size);
    }
    template <class T>
    LOCKSTEP_CG T shfl_up(T value, unsigned int delta) const {
        return shuffle_up(mask_, value, delta, Size);
    }
    template <class T>
    LOCKSTEP_CG T shfl_down(T value, unsigned int delta) const {
        return shuffle_down(mask_, value, delta, Size);
    }
    template <class T>
    LOCKSTEP_CG T shfl_xor(T value, unsigned int lanes) const {
        return shuffle_xor(mask_, value, lanes, Size);
    }
    LOCKSTEP_CG int any(int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
    LOCKSTEP_CG int all(int predicate) const { return __ballot_sync(mask_, predicate) == mask_; }
    LOCKSTEP_CG unsigned int ballot(int predicate) const { return ranks(__ballot_sync(mask_, predicate)); }
#if LOCKSTEP_ARCH >= 700
    template <class T>
    LOCKSTEP_CG unsigned int match_any(T value) const {
        return ranks(details::match_any(mask_, value));
    }
    template <class T>
    LOCKSTEP_CG unsigned int match_all(T value, int& predicate) const {
        return ranks(details::match_all(mask_, value, &predicate));
    }
#endif

  protected:
    LOCKSTEP_CG warp_tile(unsigned int meta_rank, unsigned int meta_size)
        : thread_group(tile_lanes<Size>(), meta_rank, meta_size, true) {}

  private:
    LOCKSTEP_CG unsigned int ranks(unsigned int lanes) const { return lanes >> (lane() & ~(Size - 1) & 31); }
};

/* 64 to 1024 threads: warps of a block, which meet in shared memory. */
template <unsigned int Size>
class block_tile {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, … 1024 threads");

  public:
    static LOCKSTEP_CG unsigned int thread_rank() { return thread_of_block() & (Size - 1); }
    static LOCKSTEP_CG constexpr unsigned int num_threads() { return Size; }
    static LOCKSTEP_CG constexpr unsigned int size() { return Size; }
    LOCKSTEP_CG void sync() const { sync_warps(memory_->counter(Size, thread_of_block() / Size), Size / 32); }
    template <class T>
    LOCKSTEP_CG T shfl(T value, unsigned int rank) const {
        return exchange(value, thread_rank() == rank, [&] { return *place<T>(rank / 32); });
    }
    LOCKSTEP_CG int any(int predicate) const {
        return gather<int>(__any_sync(0xffffffffu, predicate),
                           [](int value, unsigned int lanes) { return __any_sync(lanes, value); });
    }
    LOCKSTEP_CG int all(int predicate) const {
        return gather<int>(__all_sync(0xffffffffu, predicate),
                           [](int value, unsigned int lanes) { return __all_sync(lanes, value); });
    }

  protected:
    friend struct group_access;
    template <class Group>
    LOCKSTEP_CG explicit block_tile(const Group& parent)
        : memory_(group_access::memory(parent) ? group_access::memory(parent) : default_tile_memory()) {
        if (!memory_) __trap(); /* before 8.0 the program has to give it: block_tile_memory */
        parent.sync();          /* nobody is in a tile any more that was made before */
        if (thread_rank() == 0) *memory_->counter(Size, thread_of_block() / Size) = 0;
        parent.sync();
    }

    tile_memory* memory_;

  public:
    /* For reduce and scan: puts down the value of one thread a warp, or of one in the tile, and lets `read`
     * look at it. */
    template <class T, class Read>
    LOCKSTEP_CG T exchange(T value, bool mine, Read read) const {
        if (mine) *place<T>(thread_rank() / 32) = value;
        sync();
        const T result = read();
        sync(); /* the place is free for the next */
        return result;
    }
    /* `combine` is called with a value of each warp, in the lanes that it is told: as many as there are
     * warps. */
    template <class T, class Combine>
    LOCKSTEP_CG T gather(T value, Combine combine) const {
        return exchange(value, lane() == 31, [&] {
            T result = *place<T>(lane() % (Size / 32));
            if (lane() < Size / 32) result = combine(result, 0xffffffffu >> (32 - Size / 32));
            return shuffle(0xffffffffu, result, (int)(thread_rank() / 32));
        });
    }

  private:
    template <class T>
    LOCKSTEP_CG T* place(unsigned int warp) const {
        static_assert(sizeof(T) <= 8, "tiles of more than 32 threads exchange values of at most 8 bytes");
        return reinterpret_cast<T*>(&memory_->values[thread_of_block() / Size * (Size / 32) + warp]);
    }
};

template <unsigned int Size, bool Large = (Size > 32)>
class tile : public warp_tile<Size> {
  protected:
    template <class Group>
    LOCKSTEP_CG tile(const Group&, unsigned int meta_rank, unsigned int meta_size)
        : warp_tile<Size>(meta_rank, meta_size) {}

  public:
    LOCKSTEP_CG unsigned int meta_rank() const { return this->meta_rank_; }
    LOCKSTEP_CG unsigned int meta_size() const { return this->meta_size_; }
};
template <unsigned int Size>
class tile<Size, true> : public block_tile<Size> {
  protected:
    template <class Group>
    LOCKSTEP_CG tile(const Group& parent, unsigned int meta_rank, unsigned int meta_size)
        : block_tile<Size>(parent), meta_rank_(meta_rank), meta_size_(meta_size) {}

  public:
    LOCKSTEP_CG unsigned int meta_rank() const { return meta_rank_; }
    LOCKSTEP_CG unsigned int meta_size() const { return meta_size_; }

  private:
    unsigned int meta_rank_, meta_size_;
};

}  // namespace details

/* A part of a block, or of another tile. With a parent it knows its place there without storing it. */
template <unsigned int Size, class Parent = void>
class thread_block_tile : public details::tile<Size> {
  public:
    static LOCKSTEP_CG unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
    static LOCKSTEP_CG unsigned int meta_group_size() { return (Parent::size() + Size - 1) / Size; }

  private:
    template <unsigned int OtherSize, class OtherParent>
    friend LOCKSTEP_CG thread_block_tile<OtherSize, OtherParent> tiled_partition(const OtherParent& parent);
    LOCKSTEP_CG explicit thread_block_tile(const Parent& parent)
        : details::tile<Size>(parent, meta_group_rank(), meta_group_size()) {}
};
template <unsigned int Size>
class thread_block_tile<Size, void> : public details::tile<Size> {
  public:
    template <class Parent>
    LOCKSTEP_CG thread_block_tile(const thread_block_tile<Size, Parent>& other)
        : details::tile<Size>(other) {}
    LOCKSTEP_CG unsigned int meta_group_rank() const { return this->meta_rank(); }
    LOCKSTEP_CG unsigned int meta_group_size() const { return this->meta_size(); }

  private:
    friend LOCKSTEP_CG thread_block_tile<1, void> this_thread();
    LOCKSTEP_CG explicit thread_block_tile(const thread_block& block) : details::tile<Size>(block, 0, 1) {}
};

namespace details {
template <unsigned int Size, class Parent>
struct can_be_tiled : std::false_type {};
template <unsigned int Size>
struct can_be_tiled<Size, thread_block> : std::true_type {};
template <unsigned int Size, unsigned int ParentSize, class GrandParent>
struct can_be_tiled<Size, thread_block_tile<ParentSize, GrandParent>> : std::true_type {
    static_assert(Size < ParentSize, "a tile is smaller than the tile that it is part of");
};
}  // namespace details

template <unsigned int Size, class Parent>
LOCKSTEP_CG thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    static_assert(details::can_be_tiled<Size, Parent>::value,
                  "only blocks and tiles have tiles of a fixed size");
    return thread_block_tile<Size, Parent>(parent);
}

LOCKSTEP_CG thread_block_tile<1, void> this_thread() {
    return thread_block_tile<1, void>(this_thread_block());
}
LOCKSTEP_CG coalesced_group coalesced_threads() { return details::group_access::coalesced(__activemask()); }

/* Of any group. */
template <class Group>
LOCKSTEP_CG void sync(const Group& group) {
    group.sync();
}
template <class Group>
LOCKSTEP_CG auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group>
LOCKSTEP_CG auto group_size(const Group& group) -> decltype(group.num_threads()) {
    return group.num_threads();
}

LOCKSTEP_CG unsigned long long thread_group::num_threads() const {
    if (type_ == details::coalesced_group_id) return __popc(mask_);
    return type_ == details::grid_group_id ? grid_group::num_threads() : thread_block::num_threads();
}
LOCKSTEP_CG unsigned long long thread_group::thread_rank() const {
    if (type_ == details::coalesced_group_id) return __popc(mask_ & details::lanes_below());
    return type_ == details::grid_group_id ? grid_group::thread_rank() : thread_block::thread_rank();
}
LOCKSTEP_CG void thread_group::sync() const {
    if (type_ == details::coalesced_group_id)
        __syncwarp(mask_);
    else if (type_ == details::grid_group_id)
        static_cast<const grid_group*>(this)->sync();
    else
        __syncthreads();
}

LOCKSTEP_CG_END

#include "cooperative_groups/details/invoke.h"
#include "cooperative_groups/details/partitioning.h"

LOCKSTEP_CG_BEGIN
/* Where CUDA 11 had tiles of several warps. */
namespace experimental {
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
template <unsigned int TileCommunicationSize = 8, unsigned int MaxBlockSize = 1024>
using block_tile_memory = cooperative_groups::block_tile_memory<MaxBlockSize>;
}  // namespace experimental
LOCKSTEP_CG_END

#endif
#endif
