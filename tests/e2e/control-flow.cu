// Divergence in all its forms: nested branches, loops with different trip counts, break and continue, goto,
// early return, calls from divergent code, threads that leave before a barrier.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^control-flow ok$
// RUN: lockstep run -O0 %s
// OUT: ^control-flow ok$
#include "support/check.h"

__host__ __device__ __noinline__ int collatz(int n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    return steps;
}

__host__ __device__ int nested(int t) {
    int x = t;
    if (t % 2) {
        if (t % 3 == 0)
            x += 100;
        else if (t % 5 == 0)
            x += collatz(t + 1);
        else
            for (int i = 0; i < t % 7; ++i) x += i;
        x *= 2;
    } else {
        for (int i = 0; i < t; ++i) {
            if (i % 4 == 1) continue;
            if (i > 20) break;
            for (int j = i; j < i + t % 3; ++j) {
                if (j == 13) goto out;
                x += j;
            }
        }
        x += 1000;
    }
out:
    return x;
}

__host__ __device__ __noinline__ int many_returns(int t) {
    if (t < 3) return -1;
    for (int i = 2; i * i <= t; ++i)
        if (t % i == 0) return i;
    return t;
}

// Jumps into the middle of what looks like a loop: no structure to lean on.
__host__ __device__ int unstructured(int t) {
    int x = t, budget = 50;
    if (t % 3 == 0) goto middle;
top:
    x = x * 3 + 1;
    if (--budget == 0) goto end;
middle:
    x = x % 1000;
    if (x % 7 == 0) goto end;
    if (x % 2) goto top;
    x = x / 2 + 1;
    if (--budget > 0) goto middle;
end:
    return x * 100 + budget;
}

__host__ __device__ int short_circuit(int t) {
    int calls = 0;
    auto costs = [&calls](bool value) {
        ++calls;
        return value;
    };
    bool result = (costs(t % 2 == 0) && costs(t % 3 == 0)) || (costs(t > 50) && !costs(t % 5 == 0));
    return calls * 10 + result + (t % 4 ? t % 2 ? 1000 : 2000 : 3000);
}

__host__ __device__ int do_loop(int t) {
    int x = 0, i = t % 11;
    do {
        x += i * i;
        if (x > 150) break;
    } while (i-- > 0);
    return x;
}

__global__ void all_forms(int* out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int* o = out + t * 6;
    o[0] = nested(t);
    o[1] = many_returns(t);
    o[2] = unstructured(t);
    o[3] = short_circuit(t);
    o[4] = do_loop(t);
    o[5] = t % 2 ? collatz(t + 1) : many_returns(t * 3);  // a call on each side
}

// Threads that have returned do not hold up a barrier.
__global__ void leave_early(int* out) {
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0) sum = 0;
    __syncthreads();
    if (t % 3 == 1) return;
    atomicAdd(&sum, 1);
    __syncthreads();
    if (t >= 64) {
        out[blockIdx.x * blockDim.x + t] = sum;
        return;
    }
    atomicAdd(&sum, 100);
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = sum;
}

int main() {
    const int n = 1000;
    int* out = device_zeros<int>(n * 6);
    all_forms<<<(n + 95) / 96, 96>>>(out, n);
    auto h = to_host(out, n * 6);
    for (int t = 0; t < n; ++t) {
        EXPECT_AT(t, h[t * 6 + 0], nested(t));
        EXPECT_AT(t, h[t * 6 + 1], many_returns(t));
        EXPECT_AT(t, h[t * 6 + 2], unstructured(t));
        EXPECT_AT(t, h[t * 6 + 3], short_circuit(t));
        EXPECT_AT(t, h[t * 6 + 4], do_loop(t));
        EXPECT_AT(t, h[t * 6 + 5], t % 2 ? collatz(t + 1) : many_returns(t * 3));
    }

    const int size = 110, blocks = 3;
    CUDA(cudaMemset(out, 0, blocks * size * sizeof(int)));
    leave_early<<<blocks, size>>>(out);
    auto e = to_host(out, blocks * size);
    int stayed = 0, low = 0;
    for (int t = 0; t < size; ++t)
        if (t % 3 != 1) {
            ++stayed;
            low += t < 64;
        }
    for (int i = 0; i < blocks * size; ++i) {
        int t = i % size;
        if (t % 3 == 1)
            EXPECT_AT(i, e[i], 0);
        else if (t < 64)
            EXPECT_AT(i, e[i], stayed + low * 100);
        else  // may see the others' second addition or not
            EXPECT(e[i] >= stayed && (e[i] - stayed) % 100 == 0 && e[i] <= stayed + low * 100);
    }
    return finish("control-flow");
}
