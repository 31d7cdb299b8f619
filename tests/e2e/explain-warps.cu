// Code that relies on the lanes of a warp running together is told, at its line; code that is right is not.
// RUN: lockstep explain -o %t/run.lockstep %s
// RUN: lockstep explain --from %t/run.lockstep --kernels '^lockstep_'
// OUT: ^ +! +Lanes of a warp pass values through shared memory, and nothing makes them meet \[warp-synchronous\]$
// OUT: explain-warps\.cu:[0-9]+: values\[lane\] \+= values\[lane \+ (16|8|4|2|1)\];
// RUN: lockstep explain --from %t/run.lockstep --expect 'lockstep_tail: no warp-synchronous'
// EXIT: 1
// ERR: lockstep_tail\(.*\): warp-synchronous
// RUN: lockstep explain --from %t/run.lockstep --expect 'lockstep_broadcast: no warp-synchronous'
// EXIT: 1
// ERR: lockstep_broadcast\(.*\): warp-synchronous
// RUN: lockstep explain --from %t/run.lockstep --expect 'synced: no warp-synchronous' --expect 'volatile_tail: no warp-synchronous' --expect 'shuffled: no warp-synchronous' --expect 'own_slots: no warp-synchronous' --expect 'block_tree: no warp-synchronous' --expect 'rotated: no warp-synchronous' --expect 'same_flag: no warp-synchronous' --expect 'counted: no warp-synchronous' --expect 'tiles: no warp-synchronous' --expect 'no unoptimised'
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void lockstep_tail(const int* in, int* out) {
    __shared__ int values[64];
    const int lane = threadIdx.x;
    values[lane] = in[lane];
    __syncthreads();
    if (lane < 32) {
        values[lane] += values[lane + 32];
        values[lane] += values[lane + 16];
        values[lane] += values[lane + 8];
        values[lane] += values[lane + 4];
        values[lane] += values[lane + 2];
        values[lane] += values[lane + 1];
    }
    if (lane == 0) out[blockIdx.x] = values[0];
}

// One lane writes, all read.
__global__ void lockstep_broadcast(const int* in, int* out) {
    __shared__ int values[2];
    const int which = in[blockIdx.x] & 1;
    if (threadIdx.x % 32 == 0) values[which] = in[blockIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = values[in[threadIdx.x] & 1];
}

__global__ void synced(const int* in, int* out) {
    __shared__ int values[64];
    const int lane = threadIdx.x;
    values[lane] = in[lane];
    __syncthreads();
    if (lane < 32) {
        for (int s = 32; s > 0; s /= 2) {
            const int other = values[lane + s];
            __syncwarp();
            values[lane] += other;
            __syncwarp();
        }
    }
    if (lane == 0) out[blockIdx.x] = values[0];
}

__global__ void volatile_tail(const int* in, int* out) {
    __shared__ int values[64];
    const int lane = threadIdx.x;
    values[lane] = in[lane];
    __syncthreads();
    if (lane < 32) {
        volatile int* v = values;
        v[lane] += v[lane + 32];
        v[lane] += v[lane + 16];
        v[lane] += v[lane + 8];
        v[lane] += v[lane + 4];
        v[lane] += v[lane + 2];
        v[lane] += v[lane + 1];
        if (lane == 0) out[blockIdx.x] = v[0];
    }
}

__global__ void shuffled(const int* in, int* out) {
    int value = in[threadIdx.x];
    for (int s = 16; s > 0; s /= 2) value += __shfl_down_sync(~0u, value, s);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// Shared memory as a thread's own array.
__global__ void own_slots(const int* in, int* out) {
    __shared__ int values[8 * 64];
    for (int k = 0; k < 8; ++k) values[k * 64 + threadIdx.x] = in[k];
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum += values[(k * 3 % 8) * 64 + threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

__global__ void block_tree(const int* in, int* out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    for (int s = 32; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) values[threadIdx.x] += values[threadIdx.x + s];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

// Written in one turn, read by neighbours in the next, with a barrier in a function between.
__device__ __noinline__ void meet() { __syncthreads(); }
__global__ void rotated(const int* in, int* out) {
    __shared__ int values[2][64];
    int value = in[threadIdx.x];
    for (int turn = 0; turn < 8; ++turn) {
        values[turn & 1][threadIdx.x] = value;
        meet();
        value = values[turn & 1][(threadIdx.x + 1) & 63];
    }
    out[threadIdx.x] = value;
}

// All lanes write the same, and each reads what it wrote.
__global__ void same_flag(const int* in, int* out) {
    __shared__ int flag;
    flag = in[0];
    out[blockIdx.x * 64 + threadIdx.x] = flag;
}

__global__ void counted(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const int mine = atomicAdd(&count, 1);
    __syncthreads();
    out[threadIdx.x] = mine + count;
}

__global__ void tiles(const int* in, int* out) {
    __shared__ int values[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    values[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = values[threadIdx.x ^ 1];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 4096 * sizeof *in);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMemset(in, 1, 4096 * sizeof *in);
    lockstep_tail<<<2, 64>>>(in, out);
    lockstep_broadcast<<<2, 64>>>(in, out);
    synced<<<2, 64>>>(in, out);
    volatile_tail<<<2, 64>>>(in, out);
    shuffled<<<2, 32>>>(in, out);
    own_slots<<<2, 64>>>(in, out);
    block_tree<<<2, 64>>>(in, out);
    rotated<<<2, 64>>>(in, out);
    same_flag<<<2, 64>>>(in, out);
    counted<<<2, 64>>>(out);
    tiles<<<2, 64>>>(in, out);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
