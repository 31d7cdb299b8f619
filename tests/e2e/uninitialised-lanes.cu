// Values that only some lanes set, handed to functions that exchange them: lanes that have nothing to give hand over a
// variable that they never set. What sets it must still be done by those lanes alone.
// RUN: lockstep run %s
// OUT: ^uninitialised-lanes ok$
// RUN: lockstep run -G %s
// OUT: ^uninitialised-lanes ok$
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "support/check.h"

constexpr unsigned full = 0xFFFFFFFFu;

__device__ int counters[32];

__device__ int broadcast(int value) { return __shfl_sync(full, value, 0); }

template <class T>
__device__ T broadcast_any(T value, int from) {
    return __shfl_sync(full, value, from);
}

struct Ticket {
    int number;
    float weight;
};

__global__ void one_lane(int* out) {
    const int lane = threadIdx.x % 32;
    int ticket;
    if (lane == 0) ticket = atomicAdd(&counters[0], 1);
    ticket = __shfl_sync(full, ticket, 0);
    out[threadIdx.x] = ticket;

    int wrapped;
    if (lane == 0) wrapped = atomicAdd(&counters[1], 1);
    out[threadIdx.x] |= broadcast(wrapped);

    int by_leader;
    const int leader = __ffs(__activemask()) - 1;
    if (lane == leader) by_leader = atomicAdd(&counters[2], 1);
    out[threadIdx.x] |= __shfl_sync(full, by_leader, leader);

    long long wide;
    if (lane == 7) wide = atomicAdd(&counters[3], 1) + (1ll << 40);
    out[threadIdx.x] |= static_cast<int>(broadcast_any(wide, 7) - (1ll << 40));

    double real;
    if (lane == 7) real = atomicAdd(&counters[4], 1) + 0.5;
    out[threadIdx.x] |= static_cast<int>(broadcast_any(real, 7) - 0.5);

    float single;
    if (lane == 31) single = atomicAdd(&counters[5], 1);
    out[threadIdx.x] |= static_cast<int>(broadcast_any(single, 31));

    __half half;
    if (lane == 1) half = __float2half(atomicAdd(&counters[6], 1));
    out[threadIdx.x] |= static_cast<int>(__half2float(__shfl_sync(full, half, 1)));

    __nv_bfloat16 brain;
    if (lane == 1) brain = __float2bfloat16(atomicAdd(&counters[7], 1));
    out[threadIdx.x] |= static_cast<int>(__bfloat162float(__shfl_sync(full, brain, 1)));

    Ticket pair;
    if (lane == 2) pair.number = atomicAdd(&counters[8], 1);
    out[threadIdx.x] |= __shfl_sync(full, pair.number, 2);

    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    Ticket whole;
    if (lane == 3) whole.number = atomicAdd(&counters[9], 1);
    out[threadIdx.x] |= tile.shfl(whole, 3).number;
}

__global__ void up_and_down(int* out) {
    const int lane = threadIdx.x % 32;
    int value;
    if (lane < 16) value = atomicAdd(&counters[10], 0) + lane;
    const int above = __shfl_down_sync(full, value, 1);
    const int below = __shfl_up_sync(full, value, 1);
    const int across = __shfl_xor_sync(full, value, 1);
    out[threadIdx.x] = lane == 0 ? above : lane < 15 ? below + above + across : 0;
    if (lane < 16) atomicAdd(&counters[11], 1);
}

__global__ void summed(int* out) {
    const int lane = threadIdx.x % 32;
    int value;
    if (lane < 8) value = atomicAdd(&counters[12], 1) * 0 + lane + 1;
    for (int step = 4; step > 0; step /= 2) {
        const int other = __shfl_down_sync(full, value, step);
        if (lane < step) value += other;
    }
    out[threadIdx.x] = __shfl_sync(full, value, 0);
}

__global__ void loop_carried(int* out) {
    const int lane = threadIdx.x % 32;
    int last;
    int sum = 0;
    for (int turn = 0; turn < 4; ++turn) {
        if (lane == turn * 5) last = atomicAdd(&counters[13], 1);
        last = __shfl_sync(full, last, turn * 5);
        sum += last;
    }
    out[threadIdx.x] = sum;
}

__global__ void votes_and_matches(unsigned* out) {
    const int lane = threadIdx.x % 32;
    int chosen;
    if (lane == 4) chosen = atomicAdd(&counters[14], 1) + 1;
    out[lane * 8] = __ballot_sync(full, lane == 4 && chosen > 0);
    bool flag;
    if (lane == 5) flag = atomicAdd(&counters[15], 1) >= 0;
    out[lane * 8 + 1] = __ballot_sync(full, flag) >> 5 & 1;
    int any;
    if (lane == 6) any = atomicAdd(&counters[16], 1) + 1;
    out[lane * 8 + 2] = __any_sync(full, any) != 0;
    int key;
    if (lane < 16) key = atomicAdd(&counters[17], 1) * 0 + lane / 2;
    out[lane * 8 + 3] = lane < 16 ? __match_any_sync(0xffffu, key) : 0;
    unsigned term;
    if (lane < 16) term = atomicAdd(&counters[18], 1) * 0 + 1;
    out[lane * 8 + 4] = __reduce_add_sync(full, lane < 16 ? term : 0u);
    unsigned all;
    if (lane == 9) all = atomicAdd(&counters[19], 1) + 1;
    out[lane * 8 + 5] = __reduce_or_sync(full, all) != 0;
}

// The lanes that want a place take theirs with one atomic.
__global__ void aggregated(int* out) {
    const int lane = threadIdx.x % 32;
    if (lane % 3 != 0) return;
    const unsigned together = __activemask();
    const int leader = __ffs(together) - 1;
    int first;
    if (lane == leader) first = atomicAdd(&counters[20], __popc(together));
    first = __shfl_sync(together, first, leader);
    out[first + __popc(together & ((1u << lane) - 1))] = threadIdx.x;
}

int main() {
    const int n = 64, warps = n / 32;
    int* out = device_zeros<int>(n);
    unsigned* words = device_zeros<unsigned>(32 * 8);
    one_lane<<<1, n>>>(out);
    auto got = to_host(out, n);
    for (int t = 0; t < n; ++t) EXPECT_AT(t, got[t], got[t / 32 * 32]);
    EXPECT(got[0] + got[32] == 1);
    up_and_down<<<1, n>>>(out);
    got = to_host(out, n);
    EXPECT_AT(0, got[0], 1);
    for (int t = 1; t < 15; ++t) EXPECT_AT(t, got[t], t - 1 + t + 1 + (t ^ 1));
    summed<<<1, n>>>(out);
    got = to_host(out, n);
    for (int t = 0; t < n; ++t) EXPECT_AT(t, got[t], 36);
    loop_carried<<<1, 32>>>(out);
    got = to_host(out, 32);
    for (int t = 0; t < 32; ++t) EXPECT_AT(t, got[t], 0 + 1 + 2 + 3);
    votes_and_matches<<<1, 32>>>(words);
    const auto votes = to_host(words, 32 * 8);
    for (int t = 0; t < 32; ++t) {
        EXPECT_AT(t, votes[t * 8], 1u << 4);
        EXPECT_AT(t, votes[t * 8 + 1], 1u);
        EXPECT_AT(t, votes[t * 8 + 2], 1u);
        EXPECT_AT(t, votes[t * 8 + 3], t < 16 ? 3u << (t & ~1) : 0u);
        EXPECT_AT(t, votes[t * 8 + 4], 16u);
        EXPECT_AT(t, votes[t * 8 + 5], 1u);
    }
    aggregated<<<1, n>>>(out);

    int counted[32];
    CUDA(cudaMemcpyFromSymbol(counted, counters, sizeof counted));
    for (int c = 0; c < 10; ++c) EXPECT_AT(c, counted[c], warps);
    EXPECT_AT(11, counted[11], 16 * warps);
    EXPECT_AT(12, counted[12], 8 * warps);
    EXPECT_AT(13, counted[13], 4);
    for (int c = 14; c < 17; ++c) EXPECT_AT(c, counted[c], 1);
    EXPECT_AT(17, counted[17], 16);
    EXPECT_AT(18, counted[18], 16);
    EXPECT_AT(19, counted[19], 1);
    EXPECT_AT(20, counted[20], 11 + 11);
    return finish("uninitialised-lanes");
}
