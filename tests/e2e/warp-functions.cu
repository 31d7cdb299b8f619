// Shuffles, votes, matches and warp reductions: whole warps, parts of warps, and divergent code.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^warp-functions ok$
#include "support/check.h"

constexpr unsigned full = 0xFFFFFFFFu;

__global__ void shuffles(int* out) {
    int lane = threadIdx.x, value = lane * 10;
    int* o = out + lane * 10;
    o[0] = __shfl_sync(full, value, 5);
    o[1] = __shfl_sync(full, value, lane + 1);  // wraps around at the width
    o[2] = __shfl_up_sync(full, value, 3);      // the first three keep their own
    o[3] = __shfl_down_sync(full, value, 7);    // the last seven keep their own
    o[4] = __shfl_xor_sync(full, value, 16);
    o[5] = __shfl_sync(full, value, 2, 8);  // lane 2 of each group of eight
    o[6] = __shfl_up_sync(full, value, 1, 4);
    o[7] = __shfl_down_sync(full, value, 1, 16);
    o[8] = __shfl_xor_sync(full, value, 5, 8);
    o[9] = static_cast<int>(__shfl_sync(full, 1ll << 40 | lane, 9) >> 8 |
                            __shfl_sync(full, 1ll << 40 | lane, 9) % 256);
}

__global__ void typed_shuffles(double* doubles, float* floats, unsigned long long* longs) {
    int lane = threadIdx.x;
    doubles[lane] = __shfl_xor_sync(full, lane * 1.25, 1);
    floats[lane] = __shfl_down_sync(full, lane * 0.5f, 1);
    longs[lane] = __shfl_up_sync(full, 0x1234567800000000ull + lane, 2);
}

__global__ void votes(unsigned* out) {
    int lane = threadIdx.x;
    unsigned* o = out + lane * 8;
    o[0] = __ballot_sync(full, lane % 3 == 0);
    o[1] = __any_sync(full, lane == 31);
    o[2] = __all_sync(full, lane >= 0);
    o[3] = __all_sync(full, lane != 17);
    o[4] = __match_any_sync(full, lane / 5);
    int agree = 7;
    o[5] = __match_all_sync(full, 42, &agree);
    o[6] = agree;
    o[7] = __match_all_sync(full, lane == 3 ? 1ll << 50 : 0ll, &agree) + 1000 * agree;
}

// Each side of the branch talks among its own lanes only.
__global__ void divergent(unsigned* out) {
    int lane = threadIdx.x % 32;
    unsigned result = 0;
    if (lane < 12) {
        unsigned mask = 0xFFF;
        result = __ballot_sync(mask, lane & 1) + 100000 * __shfl_sync(mask, lane, 11);
        if (lane % 4 == 0) result += 10000000 * __popc(__ballot_sync(0x111, true));
    } else if (lane < 16) {
        unsigned mask = 0xF000;
        int sum = lane;
        for (int offset = 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(mask, sum, offset);
        result = sum;
    } else {
        for (int i = 16; i <= lane; ++i) result += i;  // lanes leave the loop one after the other
        __syncwarp(0xFFFF0000u);
        result = __shfl_sync(0xFFFF0000u, result, 16 + (lane + 1) % 16);
    }
    out[threadIdx.x] = result;
}

__global__ void reductions(unsigned* out) {
    int lane = threadIdx.x;
    unsigned* o = out + lane * 6;
    o[0] = __reduce_add_sync(full, static_cast<unsigned>(lane));
    o[1] = __reduce_min_sync(full, static_cast<unsigned>(100 - lane));
    o[2] = static_cast<unsigned>(__reduce_max_sync(full, lane - 16));
    o[3] = __reduce_and_sync(full, ~(1u << lane));
    o[4] = __reduce_or_sync(full, 1u << (lane / 2));
    o[5] = __reduce_xor_sync(full, 1u << lane);
}

// A warp that is not full, and one whose lanes have left.
__global__ void partial(unsigned* out) {
    if (threadIdx.x % 2) return;
    unsigned mask = __activemask();
    out[threadIdx.x] = __ballot_sync(0x55555555u & (blockDim.x < 32 ? (1u << blockDim.x) - 1 : full), true);
    out[threadIdx.x + 1] = mask;
}

int main() {
    int* ints = device_zeros<int>(32 * 10);
    shuffles<<<1, 32>>>(ints);
    auto s = to_host(ints, 320);
    for (int l = 0; l < 32; ++l) {
        const int* o = &s[l * 10];
        EXPECT_AT(l, o[0], 50);
        EXPECT_AT(l, o[1], (l + 1) % 32 * 10);
        EXPECT_AT(l, o[2], (l < 3 ? l : l - 3) * 10);
        EXPECT_AT(l, o[3], (l + 7 > 31 ? l : l + 7) * 10);
        EXPECT_AT(l, o[4], (l ^ 16) * 10);
        EXPECT_AT(l, o[5], (l / 8 * 8 + 2) * 10);
        EXPECT_AT(l, o[6], (l % 4 == 0 ? l : l - 1) * 10);
        EXPECT_AT(l, o[7], (l % 16 == 15 ? l : l + 1) * 10);
        EXPECT_AT(l, o[8], (l ^ 5) * 10);
        EXPECT_AT(l, o[9], static_cast<int>((1ll << 40 | 9) >> 8 | 9));
    }
    double* doubles = device_zeros<double>(32);
    float* floats = device_zeros<float>(32);
    auto* longs = device_zeros<unsigned long long>(32);
    typed_shuffles<<<1, 32>>>(doubles, floats, longs);
    auto d = to_host(doubles, 32);
    auto f = to_host(floats, 32);
    auto u = to_host(longs, 32);
    for (int l = 0; l < 32; ++l) {
        EXPECT_AT(l, d[l], (l ^ 1) * 1.25);
        EXPECT_AT(l, f[l], (l == 31 ? 31 : l + 1) * 0.5f);
        EXPECT_AT(l, u[l], 0x1234567800000000ull + (l < 2 ? l : l - 2));
    }

    unsigned* words = device_zeros<unsigned>(32 * 8);
    votes<<<1, 32>>>(words);
    auto v = to_host(words, 256);
    for (int l = 0; l < 32; ++l) {
        const unsigned* o = &v[l * 8];
        unsigned thirds = 0, alike = 0;
        for (int k = 0; k < 32; ++k) {
            if (k % 3 == 0) thirds |= 1u << k;
            if (k / 5 == l / 5) alike |= 1u << k;
        }
        EXPECT_AT(l, o[0], thirds);
        EXPECT_AT(l, o[1], 1);
        EXPECT_AT(l, o[2], 1);
        EXPECT_AT(l, o[3], 0);
        EXPECT_AT(l, o[4], alike);
        EXPECT_AT(l, o[5], full);
        EXPECT_AT(l, o[6], 1);
        EXPECT_AT(l, o[7], 0);
    }

    divergent<<<1, 64>>>(words);
    auto g = to_host(words, 64);
    for (int t = 0; t < 64; ++t) {
        int l = t % 32;
        unsigned expected = 0;
        if (l < 12)
            expected = 0xAAA + 100000 * 11 + (l % 4 == 0 ? 10000000 * 3 : 0);
        else if (l < 16)
            expected = 12 + 13 + 14 + 15;
        else
            for (int i = 16, end = 16 + (l + 1) % 16; i <= end; ++i) expected += i;
        EXPECT_AT(t, g[t], expected);
    }

    reductions<<<1, 32>>>(words);
    auto r = to_host(words, 192);
    for (int l = 0; l < 32; ++l) {
        const unsigned* o = &r[l * 6];
        EXPECT_AT(l, o[0], 496);
        EXPECT_AT(l, o[1], 69);
        EXPECT_AT(l, o[2], 15);
        EXPECT_AT(l, o[3], 0);
        EXPECT_AT(l, o[4], 0xFFFF);
        EXPECT_AT(l, o[5], full);
    }

    for (int size : {32, 13}) {
        CUDA(cudaMemset(words, 0, 256));
        partial<<<1, size>>>(words);
        auto p = to_host(words, 40);
        unsigned present = size == 32 ? full : (1u << size) - 1;
        for (int t = 0; t < size; t += 2) {
            EXPECT_AT(t, p[t], 0x55555555u & present);
            EXPECT_AT(t, p[t + 1], 0x55555555u & present);
        }
    }
    return finish("warp-functions");
}
