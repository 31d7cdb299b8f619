// lockstep check --schedules: kernels whose results depend on the order of blocks and warps, and others.
// RUN: lockstep check --schedules 4 %s -- winner
// EXIT: 1
// OUT: ^winner 63$
// OUT: ^error: race: 
// OUT: ^error: undefined: what the kernel leaves depends on the order of its blocks
// OUT: ^ +warps: 1 value differs in order 1 of seed 1, the first at index 3 of 16$
// OUT: ^ +bytes of device memory \(63 and 0\)$
// OUT: ^  in kernel winner$
// OUT: ^  last written at .*schedules\.cu:%l in winner$
// OUT: ^ +by block \(63,0,0\), thread \(0,0,0\)$
// OUT: ^  last written in the other order at .*schedules\.cu:%l in winner$
// OUT: ^ +by block \(0,0,0\), thread \(0,0,0\)$
// OUT: ^  allocated at .* in main$
// OUT: ^  fix: mend the race
// Sums and places by atomics are notes, with how far they are apart.
// RUN: lockstep check --schedules 4 --seed 7 --json - %s -- atomics | sed -n '/"findings"/,/"run"/p'
// OUT: "rank": "note"
// OUT: "kernel": "float_sum
// OUT: "message": ".*1 value differs in order 1 of seed 7, .*; by [0-9.e-]+ at most, or [0-9.e-]+ of the value"
// OUT: "advice": "sums of floats depend on the order
// OUT: "rank": "note"
// OUT: "kernel": "append
// OUT: "advice": "who comes first to an atomic
// NOT: "kernel": "(counts|tree|chain)
// What waits for others gets on in every order, and output comes once.
// RUN: lockstep check --schedules 8 %s -- fine
// OUT: ^counted$
// OUT: ^tree 49\.737103, chain 496$
// OUT: ^== lockstep == nothing found
// NOT: counted.*counted
// A race that only some orders show, between warps of a block: warps are left between accesses.
// RUN: lockstep check --schedules 8 %s -- lost; lockstep check --schedules 8 --seed 1 --log /dev/null %s -- lost
// EXIT: 1
// OUT: ^error: undefined: .*
// OUT: in kernel lost$
// Nothing is said of what cannot be compared, but that.
// RUN: lockstep check --schedules 2 %s -- clock
// ERR: --schedules: kernel clocks\(.*\) cannot be compared: it gives other results in the same order, too
// OUT: nothing found
#include <cstdio>
#include <cstring>

__global__ void winner(int* last) {
    if (threadIdx.x == 0) last[3] = blockIdx.x;  // HERE
}

__global__ void float_sum(float* sum) { atomicAdd(sum, 1.0f / (1 + blockIdx.x * blockDim.x + threadIdx.x)); }

__global__ void append(int* list, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3 == 0) list[atomicAdd(count, 1)] = i;
}

__global__ void counts(int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[i % 7], i);
    atomicMax(&bins[7], i);
    if (i == 0) printf("counted\n");
}

// The last block adds what all have left, whichever it is.
__global__ void tree(float* parts, float* sum, unsigned* done) {
    __shared__ float part[128];
    __shared__ bool last;
    part[threadIdx.x] = 1.0f / (1 + blockIdx.x + threadIdx.x);
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part[0];
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    float total = 0;
    for (int i = 0; i < gridDim.x; ++i) total += ((volatile float*)parts)[i];
    *sum = total;
    *done = 0;
}

// Each waits for the one before it, in the order in which they begin.
__global__ void chain(int* ticket, volatile int* sums) {
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = atomicAdd(ticket, 1);
        int before = 0;
        if (mine > 0)
            while ((before = sums[mine - 1]) < 0) {
            }
        __threadfence();
        sums[mine] = before + mine;
    }
}

__global__ void lost(int* count) {
    if (threadIdx.x % 32 == 0) *count = *count + 1;
}

__global__ void clocks(long long* out) { out[threadIdx.x] = clock64(); }

int main(int argc, char** argv) {
    char* memory;
    cudaMalloc(&memory, 1 << 16);
    cudaMemset(memory, 0, 1 << 16);
    int *numbers = (int*)memory, *one;
    cudaMalloc(&one, 16);
    cudaMemset(one, 0, 16);
    float* floats = (float*)memory;
    const char* what = argv[1];
    int result = 0;
    if (!strcmp(what, "winner")) {
        winner<<<64, 64>>>(one);
        cudaMemcpy(&result, one + 3, 4, cudaMemcpyDeviceToHost);
        printf("winner %d\n", result);
    } else if (!strcmp(what, "atomics")) {
        float_sum<<<16, 256>>>((float*)one);
        append<<<16, 256>>>(numbers, one + 1);
    } else if (!strcmp(what, "fine")) {
        counts<<<16, 256>>>(numbers);
        tree<<<16, 128>>>(floats + 100, floats + 200, (unsigned*)one + 2);
        cudaMemset(numbers + 1000, 0xff, 32 * 4);
        chain<<<32, 32>>>(one + 3, numbers + 1000);
        float sum = 0;
        cudaMemcpy(&sum, floats + 200, 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(&result, numbers + 1031, 4, cudaMemcpyDeviceToHost);
        printf("tree %f, chain %d\n", sum, result);
    } else if (!strcmp(what, "lost")) {
        lost<<<1, 256>>>(one);
    } else {
        clocks<<<1, 64>>>((long long*)memory);
    }
    cudaMemcpy(&result, one, 4, cudaMemcpyDeviceToHost);
    cudaFree(one);
    cudaFree(memory);
}
