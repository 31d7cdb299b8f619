// Lanes of one warp wait for each other: each must make progress by itself.
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL lock_in_warp(unsigned* out, const unsigned* in) {
    __shared__ unsigned lock, counter;
    if (threadIdx.x == 0) lock = 0, counter = 0;
    __syncthreads();
    for (unsigned k = 0; k < 3; ++k) {
        while (atomicCAS(&lock, 0u, 1u) != 0u) {
        }
        __threadfence_block();
        unsigned value = *(volatile unsigned*)&counter;
        *(volatile unsigned*)&counter = value + (in[threadIdx.x] & 0xff);
        __threadfence_block();
        atomicExch(&lock, 0u);
    }
    __syncthreads();
    out[index()] = counter;
}

KERNEL lock_in_grid(unsigned* out, const unsigned* in) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&out[0], 0u, 1u) == 0u) {
            __threadfence();
            volatile unsigned* counter = &out[1];
            *counter = *counter + (in[index()] & 0xf) + 1;
            __threadfence();
            atomicExch(&out[0], 0u);
            done = true;
        }
    }
}

KERNEL neighbour_flag(unsigned* out, const unsigned* in) {
    __shared__ volatile unsigned flag[64], data[64];
    unsigned t = threadIdx.x;
    flag[t] = 0;
    __syncthreads();
    // Even lanes spin until their odd neighbour has written, though they come first in the program.
    if ((t & 1) == 0) {
        while (flag[t + 1] == 0) {
        }
        __threadfence_block();
        out[index()] = data[t + 1];
    } else {
        data[t] = in[index()] + t;
        __threadfence_block();
        flag[t] = 1;
        out[index()] = t;
    }
}

// A chain through all lanes of two warps: each waits for the one before.
KERNEL lane_chain(unsigned* out, const unsigned* in) {
    __shared__ volatile unsigned turn, value;
    unsigned t = threadIdx.x;
    if (t == 0) turn = 0, value = 1;
    __syncthreads();
    while (turn != (t * 37) % 64) {
    }
    __threadfence_block();
    value = value * 5 + (in[t] & 0xff);
    out[index()] = value;
    __threadfence_block();
    turn = turn + 1;
}

KERNEL ticket_lock(unsigned* out, const unsigned* in) {
    __shared__ unsigned next, sum;
    __shared__ volatile unsigned serving;
    if (threadIdx.x == 0) next = 0, serving = 0, sum = 0;
    __syncthreads();
    unsigned mine = atomicAdd(&next, 1u);
    while (serving != mine) {
    }
    __threadfence_block();
    *(volatile unsigned*)&sum = *(volatile unsigned*)&sum + in[threadIdx.x];
    __threadfence_block();
    serving = mine + 1;
    __syncthreads();
    out[index()] = sum;
}
