// Blocks that wait for each other end, whatever they wait with, as they do on a GPU that holds them all: each waits
// for the one behind it, which runs later.
// RUN: lockstep run --timeout 60 %s
// ENV: LOCKSTEP_THREADS=1
// LIMIT: 100
// OUT: ^blocks-wait ok$
// RUN: lockstep run --timeout 60 %s
// ENV: LOCKSTEP_THREADS=2
// LIMIT: 100
// OUT: ^blocks-wait ok$
#include <cuda_runtime.h>

#include <cstdio>

// Thread 0 polls one flag.
__global__ void flag(volatile int* done) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (!done[blockIdx.x + 1]);
        done[blockIdx.x] = 1;
    }
}

// Every round one block adds 1; all threads of a block look, with barriers between the looks.
__global__ void rounds(volatile int* turn, int n) {
    int seen;
    do {
        seen = *turn;
        __syncthreads();
        if (seen < n && seen % gridDim.x == gridDim.x - 1 - blockIdx.x && threadIdx.x == 0) {
            *turn = seen + 1;
            __threadfence();
        }
        __syncthreads();
    } while (seen < n);
}

// Each thread has several values, and looks at all of them until none is missing.
__global__ void several(int n, volatile int* done) {
    int missing;
    do {
        missing = 0;
        for (int v = threadIdx.x + blockIdx.x * blockDim.x; v < n; v += gridDim.x * blockDim.x) {
            if (!done[v]) {
                int next = v + blockDim.x;
                if (next >= n || done[next])
                    done[v] = 1;
                else
                    missing = 1;
            }
        }
    } while (missing);
}

// One thread asks with an atomic, and tells the others through shared memory.
__global__ void broadcast(int* done) {
    __shared__ int ready;
    do {
        if (threadIdx.x == 0) ready = blockIdx.x + 1 == gridDim.x || atomicAdd(&done[blockIdx.x + 1], 0);
        __syncthreads();
        bool go = ready;
        __syncthreads();
        if (go) break;
    } while (true);
    if (threadIdx.x == 0) atomicExch(&done[blockIdx.x], 1);
}

// Sleeps between looks.
__global__ void sleeping(volatile int* done) {
    if (threadIdx.x == 0) {
        while (blockIdx.x + 1 < gridDim.x && !done[blockIdx.x + 1]) __nanosleep(100);
        done[blockIdx.x] = 1;
    }
}

// Plain loads, kept apart by fences.
__global__ void fenced(int* done) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (done[blockIdx.x + 1] == 0) __threadfence();
        done[blockIdx.x] = 1;
        __threadfence();
    }
}

// Plain loads, kept apart by barriers; all threads look.
__global__ void synchronised(int* done) {
    if (blockIdx.x + 1 < gridDim.x)
        while (__syncthreads_or(done[blockIdx.x + 1] == 0));
    if (threadIdx.x == 0) done[blockIdx.x] = 1;
}

// An acquiring load in a function of its own.
__device__ __noinline__ int look(int* flag) {
    int value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}
__global__ void acquiring(int* done) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (!look(&done[blockIdx.x + 1]));
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(&done[blockIdx.x]) : "memory");
    }
}

// A barrier of the whole grid, many times.
__global__ void grid_barrier(int* count, int times) {
    for (int i = 1; i <= times; ++i) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (atomicAdd(count, 0) < i * static_cast<int>(gridDim.x));
        }
        __syncthreads();
    }
}

int* cells;
constexpr int cell_count = 1 << 14;

bool check(const char* name, int first, int last, int value) {
    cudaError_t error = cudaDeviceSynchronize();
    static int host[cell_count];
    cudaMemcpy(host, cells, sizeof host, cudaMemcpyDeviceToHost);
    bool good = error == cudaSuccess;
    for (int i = first; i <= last; ++i) good &= host[i] == value;
    if (!good) std::printf("%s: %s, %d instead of %d\n", name, cudaGetErrorString(error), host[first], value);
    cudaMemset(cells, 0, sizeof host);
    return good;
}

int main() {
    cudaMalloc(&cells, cell_count * sizeof(int));
    cudaMemset(cells, 0, cell_count * sizeof(int));
    bool good = true;
    for (int blocks = 8; blocks <= 24; blocks += 16) {
        flag<<<blocks, 64>>>(cells);
        good &= check("flag", 0, blocks - 1, 1);
        rounds<<<blocks, 128>>>(cells, 60);
        good &= check("rounds", 0, 0, 60);
        several<<<blocks, 128>>>(8 * 256, cells);
        good &= check("several", 0, 8 * 256 - 1, 1);
        broadcast<<<blocks, 128>>>(cells);
        good &= check("broadcast", 0, blocks - 1, 1);
        sleeping<<<blocks, 64>>>(cells);
        good &= check("sleeping", 0, blocks - 1, 1);
        fenced<<<blocks, 64>>>(cells);
        good &= check("fenced", 0, blocks - 1, 1);
        synchronised<<<blocks, 128>>>(cells);
        good &= check("synchronised", 0, blocks - 1, 1);
        acquiring<<<blocks, 64>>>(cells);
        good &= check("acquiring", 0, blocks - 1, 1);
        grid_barrier<<<blocks, 128>>>(cells, 20);
        good &= check("grid_barrier", 0, 0, 20 * blocks);
    }
    std::printf(good ? "blocks-wait ok\n" : "blocks-wait failed\n");
    return !good;
}
