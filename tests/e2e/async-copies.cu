// Copies to shared memory in the background: cuda_pipeline.h's functions and class, and cooperative groups'
// memcpy_async.
// RUN: lockstep run %s
// OUT: ^async copies ok$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^async copies ok$
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "support/check.h"

namespace cg = cooperative_groups;

__global__ void primitives(const int* in, int* out) {
    __shared__ int one[128];
    __shared__ int2 two[128];
    __shared__ int4 four[128];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&one[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&two[t], &in[2 * t], sizeof(int2));
    __pipeline_commit();
    __pipeline_memcpy_async(&four[t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    out[t] = one[127 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[128 + t] = two[127 - t].x + two[127 - t].y * 3;
    out[256 + t] = four[127 - t].x + four[127 - t].y * 3 + four[127 - t].z * 5 + four[127 - t].w * 7;
}

// The last threads have less to copy, or nothing: what is behind the array's end is not read.
__global__ void zeros(const unsigned char* in, int bytes, int4* out) {
    __shared__ int4 part[32];
    const int t = threadIdx.x;
    part[t] = make_int4(-1, -1, -1, -1);
    const int left = bytes - 16 * t;
    const size_t zfill = left >= 16 ? 0 : left <= 0 ? 16 : 16 - left;
    __pipeline_memcpy_async(&part[t], in + 16 * t, 16, zfill);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = part[t];
}

// Larger ones CUDA's header copies in part.
struct alignas(16) Ints {
    int values[4];
};
struct alignas(8) Shorts {
    short values[4];
};
__global__ void batches(const Ints* ints, const Shorts* shorts, const float* floats, int* out) {
    using namespace nvcuda::experimental;
    __shared__ Ints int4s[32];
    __shared__ Shorts shorts4[32];
    __shared__ float padded[32][4];
    const int t = threadIdx.x;
    pipeline pipe;
    memcpy_async(int4s[t], ints[t], pipe);
    const size_t first = pipe.commit();
    memcpy_async(shorts4[t], shorts[t], pipe);
    memcpy_async(segment<4>(padded[t]), segment<2>(const_cast<float*>(floats) + 4 * t), pipe);
    pipe.commit();
    pipe.wait(first);
    pipe.wait_prior<0>();
    __syncwarp();
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += int4s[31 - t].values[i] * (i + 1);
    for (int i = 0; i < 4; ++i) sum += shorts4[31 - t].values[i] * (i + 1);
    for (int i = 0; i < 4; ++i) sum += (int)padded[31 - t][i] * (i + 1);
    out[t] = sum;
    pipe.commit_and_wait();
}

template <class Group>
__device__ void copy_all(const Group& group, const int* in, int* out, int* shared) {
    // Bytes of ints, of nothing in particular, elements of both sides, single bytes from an odd place.
    cg::memcpy_async(group, shared, in, sizeof(int) * 100);
    cg::wait(group);
    for (int i = group.thread_rank(); i < 100; i += group.size()) out[i] = shared[99 - i];
    group.sync();
    cg::memcpy_async(group, (void*)shared, (const void*)(in + 3), sizeof(int) * 70);
    cg::memcpy_async(group, shared + 100, 60, in + 1, 50);
    cg::wait_prior<1>(group);
    for (int i = group.thread_rank(); i < 40; i += group.size()) out[100 + i] = shared[69 - i];
    cg::wait(group);
    for (int i = group.thread_rank(); i < 50; i += group.size()) out[200 + i] = shared[149 - i];
    group.sync();
    cg::memcpy_async(group, (char*)shared + 1, (const char*)in + 1, 77);
    cg::wait(group);
    for (int i = group.thread_rank(); i < 47; i += group.size()) out[300 + i] = ((char*)shared)[1 + i];
    group.sync();
    cg::memcpy_async(group, (int4*)shared, (const int4*)in, sizeof(int4) * 30);
    cg::wait(group);
    for (int i = group.thread_rank(); i < 40; i += group.size()) out[400 + i] = shared[i];
    group.sync();
    // Other ways than from global to shared memory are no different.
    cg::memcpy_async(group, out + 600, shared, sizeof(int) * 120);
    cg::wait(group);
}
__global__ void groups(const int* in, int* out) {
    __shared__ __align__(16) int shared[4][160];
    auto block = cg::this_thread_block();
    copy_all(block, in, out, shared[0]);
    block.sync();
    auto tile = cg::tiled_partition<16>(block);
    const int number = tile.meta_group_rank();
    if (number < 4) copy_all(tile, in + 16 * number, out + 1000 * (1 + number), shared[number]);
}

int main() {
    std::vector<int> in(1024);
    for (size_t i = 0; i < in.size(); ++i) in[i] = (int)(i * 2654435761u >> 12);
    const int* from = to_device(in);
    int* out = device_zeros<int>(5000);

    primitives<<<1, 128>>>(from, out);
    std::vector<int> got = to_host(out, 384);
    for (int t = 0; t < 128; ++t) {
        const int r = 127 - t;
        EXPECT_AT(t, got[t], in[r]);
        EXPECT_AT(t, got[128 + t], in[2 * r] + in[2 * r + 1] * 3);
        EXPECT_AT(t, got[256 + t], in[4 * r] + in[4 * r + 1] * 3 + in[4 * r + 2] * 5 + in[4 * r + 3] * 7);
    }

    std::vector<unsigned char> bytes(203);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = (unsigned char)(i * 7 + 1);
    zeros<<<1, 32>>>(to_device(bytes), (int)bytes.size(), (int4*)out);
    const std::vector<int> words = to_host(out, 128);
    const unsigned char* copied = (const unsigned char*)words.data();
    for (int i = 0; i < 512; ++i) EXPECT_AT(i, (int)copied[i], i < 203 ? (int)bytes[i] : 0);

    std::vector<Ints> ints(32);
    std::vector<Shorts> shorts(32);
    std::vector<float> floats(128);
    for (int t = 0; t < 32; ++t) {
        for (int i = 0; i < 4; ++i) ints[t].values[i] = t * 10 + i;
        for (int i = 0; i < 4; ++i) shorts[t].values[i] = (short)(t * 3 - i);
        for (int i = 0; i < 4; ++i) floats[4 * t + i] = (float)(t + i);
    }
    batches<<<1, 32>>>(to_device(ints), to_device(shorts), to_device(floats), out);
    got = to_host(out, 32);
    for (int t = 0; t < 32; ++t) {
        const int r = 31 - t;
        int sum = 0;
        for (int i = 0; i < 4; ++i) sum += ints[r].values[i] * (i + 1);
        for (int i = 0; i < 4; ++i) sum += shorts[r].values[i] * (i + 1);
        for (int i = 0; i < 2; ++i) sum += (r + i) * (i + 1);
        EXPECT_AT(t, got[t], sum);
    }

    groups<<<1, 96>>>(from, out);
    got = to_host(out, 5000);
    for (int g = 0; g < 5; ++g) {
        const int* source = in.data() + (g == 0 ? 0 : 16 * (g - 1));
        const int* result = got.data() + 1000 * g;
        for (int i = 0; i < 100; ++i) EXPECT_AT(i, result[i], source[99 - i]);
        for (int i = 0; i < 40; ++i) EXPECT_AT(i, result[100 + i], source[3 + 69 - i]);
        for (int i = 0; i < 50; ++i) EXPECT_AT(i, result[200 + i], source[1 + 49 - i]);
        for (int i = 0; i < 47; ++i) EXPECT_AT(i, result[300 + i], (int)((const char*)source)[1 + i]);
        for (int i = 0; i < 40; ++i) EXPECT_AT(i, result[400 + i], source[i]);
        for (int i = 0; i < 40; ++i) EXPECT_AT(i, result[600 + i], source[i]);
    }
    if (failures() == 0) std::printf("async copies ok\n");
}
