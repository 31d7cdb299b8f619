// Independent thread scheduling: a lane spins on a lock that another lane of its own warp holds, and both
// make progress.
// RUN: lockstep run %s
// OUT: ^warp-lock ok$
// LIMIT: 60
#include "support/check.h"

// Every thread takes the lock; the plain increment inside would lose updates if two were in at once.
__global__ void locked_increment(int* lock, volatile int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *counter = *counter + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// A chain through the lanes of one warp: lane k waits for lane k - 1, the last lane begins with nothing to
// wait for.
__global__ void chain(volatile int* flags, int* order) {
    int lane = threadIdx.x, before = lane + 1;
    if (lane < static_cast<int>(blockDim.x) - 1)
        while (flags[before] == 0) {
        }
    __threadfence();
    order[lane] = lane == static_cast<int>(blockDim.x) - 1 ? 1 : order[before] + 1;
    __threadfence();
    flags[lane] = 1;
}

// A lane in one branch waits for a lane in the other.
__global__ void across_branches(volatile int* flag, int* out) {
    if (threadIdx.x % 2 == 0) {
        while (*flag < 16) {
        }
        out[threadIdx.x] = *flag;
    } else {
        atomicAdd(const_cast<int*>(flag), 1);
        out[threadIdx.x] = -1;
    }
}

// A barrier of the program's own: lanes are set aside where they swap, and others where they wait for those.
__global__ void meet(int* out, int rounds) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (int i = 1; i <= rounds; ++i) {
        unsigned old = *static_cast<volatile unsigned*>(&count);
        for (unsigned seen; (seen = atomicCAS(&count, old, old + 1)) != old; old = seen) {
        }
        while (*static_cast<volatile unsigned*>(&count) < i * blockDim.x) {
        }
    }
    out[threadIdx.x] = count;
}

int main() {
    int *lock = device_zeros<int>(1), *counter = device_zeros<int>(1);
    locked_increment<<<1, 32>>>(lock, counter);
    EXPECT_AT(0, to_host(counter, 1)[0], 32);
    locked_increment<<<4, 96>>>(lock, counter);
    EXPECT_AT(0, to_host(counter, 1)[0], 32 + 4 * 96);

    int *flags = device_zeros<int>(128), *order = device_zeros<int>(128);
    for (int size : {32, 128}) {
        CUDA(cudaMemset(flags, 0, 128 * sizeof(int)));
        chain<<<1, size>>>(flags, order);
        auto o = to_host(order, size);
        for (int lane = 0; lane < size; ++lane) EXPECT_AT(lane, o[lane], size - lane);
    }

    int *flag = device_zeros<int>(1), *out = device_zeros<int>(32);
    across_branches<<<1, 32>>>(flag, out);
    auto o = to_host(out, 32);
    for (int lane = 0; lane < 32; ++lane) EXPECT_AT(lane, o[lane], lane % 2 ? -1 : 16);

    meet<<<1, 128>>>(order, 5);
    o = to_host(order, 128);
    for (int thread = 0; thread < 128; ++thread) EXPECT_AT(thread, o[thread], 5 * 128);
    return finish("warp-lock");
}
