// Masks of warp functions, as an H200 takes them: masks that part a warp, masks for all that leave out lanes where the
// whole warp is together, lanes that have left.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^warp-masks ok$
#include "support/check.h"

struct Results {
    unsigned ballot, any, all, match, sum, least, shuffled;
};

__device__ Results each(unsigned mask, unsigned lane) {
    Results r;
    r.ballot = __ballot_sync(mask, lane % 3 == 0);
    r.any = __any_sync(mask, lane == 20);
    r.all = __all_sync(mask, lane >= 5);
    r.match = __match_any_sync(mask, lane % 4);
    r.sum = __reduce_add_sync(mask, lane);
    r.least = __reduce_min_sync(mask, lane + 7);
    r.shuffled = __shfl_sync(mask, 100 + lane, (lane * 7 + 3) & 31);
    __syncwarp(mask);
    return r;
}

__device__ unsigned part_of(unsigned lane) { return lane < 5 ? 0x1f : lane < 20 ? 0xfffe0 : 0xfff00000; }

__global__ void parts(Results* out) { out[threadIdx.x] = each(part_of(threadIdx.x), threadIdx.x); }

// The same with the lanes apart before: each part goes on when its lanes have come.
__global__ void parts_meet(Results* out, int* order) {
    const unsigned lane = threadIdx.x;
    if (lane % 2) order[lane] = 1;
    out[lane] = each(part_of(lane), lane);
}

__global__ void match_all_in_parts(unsigned* out) {
    const unsigned lane = threadIdx.x;
    int same = 0;
    const unsigned lanes = __match_all_sync(part_of(lane), lane < 20 ? 1u : lane, &same);
    out[lane] = same ? lanes : 0;
}

// A constant mask is without effect where the warp is together.
__global__ void constant(unsigned* out) {
    const unsigned lane = threadIdx.x;
    out[lane] = __ballot_sync(0xffff, lane % 3 == 0);
    out[32 + lane] = __ballot_sync(0, lane % 3 == 0);
    out[64 + lane] = __shfl_xor_sync(0xffff, 100 + lane, 1);
    out[96 + lane] = __reduce_add_sync(0xffff, lane);
    __syncwarp(0xff);
}

// Neither is any other that is the same for all.
__global__ void given(unsigned mask, unsigned* out) {
    const unsigned lane = threadIdx.x;
    out[lane] = __ballot_sync(mask, lane % 3 == 0);
    for (unsigned turn = 0; turn < lane % 5; ++turn) out[32 + lane] = turn;
    out[32 + lane] = __shfl_sync(mask, 100 + lane, 20);
}

// Where all lanes that are left take the same way: behind a return, in a branch or loop whose condition is the
// same for all, also where it comes from a vote or from one lane.
__global__ void same_way(unsigned mask, int turns, unsigned lanes, unsigned* out) {
    const unsigned lane = threadIdx.x;
    if (lane >= lanes) return;
    unsigned sum = 0;
    if (turns > 0) sum += __ballot_sync(mask, lane % 3 == 0);
    for (int turn = 0; turn < turns; ++turn) sum += __ballot_sync(mask, lane % 2 == 0);
    if (__any_sync(~0u, lane == 3)) sum += __reduce_add_sync(mask, lane);
    if (__shfl_sync(~0u, lane, 5) == 5) sum += __shfl_sync(mask, lane, 9);
    if (lane % 2) out[lane] = sum;  // apart, and together again
    __syncwarp(mask);
    out[lane] = sum;
}

// Lanes that have left take no part, and give 0.
__global__ void left(Results* out) {
    const unsigned lane = threadIdx.x;
    if (lane >= 16) return;
    out[lane] = each(0xffffffff, lane);
}

__global__ void of_the_tile(unsigned* out, unsigned width) {
    const unsigned lane = threadIdx.x, first = lane & ~(width - 1);
    const unsigned mask = ((1u << width) - 1) << first;
    out[lane] = __ballot_sync(mask, lane % 3 == 0) >> first;
}

int main() {
    Results* results = device_zeros<Results>(32);
    unsigned* words = device_zeros<unsigned>(128);
    int* order = device_zeros<int>(32);
    const auto check = [&](auto part, unsigned present) {
        const auto got = to_host(results, 32);
        for (unsigned t = 0; t < 32; ++t) {
            if (!(present >> t & 1)) continue;
            const unsigned lanes = part(t) & present;
            unsigned sum = 0, least = ~0u, match = 0;
            for (unsigned l = 0; l < 32; ++l) {
                if (!(lanes >> l & 1)) continue;
                sum += l;
                least = std::min(least, l + 7);
                match |= (l % 4 == t % 4 ? 1u : 0u) << l;
            }
            EXPECT_AT(t, got[t].ballot, 0x49249249u & lanes);
            EXPECT_AT(t, got[t].any, lanes >> 20 & 1);
            EXPECT_AT(t, got[t].all, (lanes & 0x1f) == 0 ? 1u : 0u);
            EXPECT_AT(t, got[t].match, match);
            EXPECT_AT(t, got[t].sum, sum);
            EXPECT_AT(t, got[t].least, least);
            const unsigned from = (t * 7 + 3) & 31;
            EXPECT_AT(t, got[t].shuffled, present >> from & 1 ? 100 + from : 0u);
        }
    };
    const auto three = [](unsigned t) { return t < 5 ? 0x1fu : t < 20 ? 0xfffe0u : 0xfff00000u; };
    parts<<<1, 32>>>(results);
    check(three, ~0u);
    parts_meet<<<1, 32>>>(results, order);
    check(three, ~0u);
    left<<<1, 32>>>(results);
    check([](unsigned) { return ~0u; }, 0xffffu);

    match_all_in_parts<<<1, 32>>>(words);
    auto got = to_host(words, 32);
    for (int t = 0; t < 32; ++t) EXPECT_AT(t, got[t], t < 5 ? 0x1fu : t < 20 ? 0xfffe0u : 0u);
    constant<<<1, 32>>>(words);
    got = to_host(words, 128);
    for (int t = 0; t < 32; ++t) {
        EXPECT_AT(t, got[t], 0x49249249u);
        EXPECT_AT(t, got[32 + t], 0x49249249u);
        EXPECT_AT(t, got[64 + t], 100u + (t ^ 1));
        EXPECT_AT(t, got[96 + t], 496u);
    }
    for (unsigned mask : {0u, 0xffu, 0xffff0000u}) {
        given<<<1, 32>>>(mask, words);
        got = to_host(words, 64);
        for (int t = 0; t < 32; ++t) {
            EXPECT_AT(t, got[t], 0x49249249u);
            EXPECT_AT(t, got[32 + t], 120u);
        }
    }
    for (unsigned lanes : {16u, 32u}) {
        same_way<<<1, 32>>>(0xff, 2, lanes, words);
        got = to_host(words, 32);
        const unsigned present = lanes == 32 ? ~0u : 0xffffu;
        for (unsigned t = 0; t < lanes; ++t)
            EXPECT_AT(t, got[t],
                      (0x49249249u & present) + 2 * (0x55555555u & present) + lanes * (lanes - 1) / 2 + 9);
    }
    of_the_tile<<<1, 32>>>(words, 8);
    got = to_host(words, 32);
    for (int t = 0; t < 32; ++t) EXPECT_AT(t, got[t], 0x49249249u >> (t & ~7) & 0xffu);
    return finish("warp-masks");
}
