// Early returns, loops and calls.
#include "chain.h"
#include "probe.h"

// Early returns.
KERNEL_ODD(float, bounds_check) {
    const int i = GID;
    if (i >= n * 40) return;
    out[i] = in[i] * 2;
}
KERNEL_ODD(float, bounds_if) {
    const int i = GID;
    if (i < n * 40) out[i] = in[i] * 2;
}
KERNEL_ODD(float, bounds_2d) {
    const int i = GID, j = blockIdx.y;
    if (i < n * 40 && j < n) out[i] = in[i] * 2;
}
KERNEL(float, bounds_check_long) {
    const int i = GID;
    if (i >= n * 40) return;
    LOAD_XYZ;
    F32 out[i] = x;
}
KERNEL(float, return_odd) {
    LOAD_XYZ;
    if (threadIdx.x & 1) return;
    F16 out[GID] = x;
}
KERNEL(float, return_data) {
    LOAD_XYZ;
    if (x > 0.5f) {
        out[GID] = y;
        return;
    }
    F16 out[GID] = x;
}
KERNEL(float, return_before_barrier) {
    if (blockIdx.x == 2) return;
    __shared__ float s[128];
    s[threadIdx.x] = in[GID];
    __syncthreads();
    out[GID] = s[127 - threadIdx.x];
}
KERNEL(float, return_in_loop) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i) {
        F4 if (x > i + 1.0f) {
            out[GID] = i;
            return;
        }
    }
    out[GID] = x;
}
KERNEL(float, last_thread) {
    out[GID] = in[GID];
    if (threadIdx.x == 0) out[1024 + blockIdx.x] = in[blockIdx.x];
}

// Loops.
KERNEL(float, loop_constant_4) {
    LOAD_XYZ;
    for (int i = 0; i < 4; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL(float, loop_constant_100) {
    LOAD_XYZ;
    for (int i = 0; i < 100; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL(float, loop_constant_1000) {
    LOAD_XYZ;
    for (int i = 0; i < 1000; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL(float, loop_not_unrolled) {
    LOAD_XYZ;
#pragma unroll 1
    for (int i = 0; i < 10; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL(float, loop_unrolled_by_2) {
    LOAD_XYZ;
#pragma unroll 2
    for (int i = 0; i < n; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL_ODD(float, loop_uniform) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL_AT(float, loop_uniform_50, 4, 128, 50) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL_ODD(float, loop_uniform_long) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i) {
        F12
    }
    out[GID] = x;
}
KERNEL_ODD(float, loop_uniform_loads) {
    float x = 0;
    for (int i = 0; i < n; ++i) x += in[GID + i * 512];
    out[GID] = x;
}
KERNEL_AT(float, loop_uniform_loads_50, 4, 128, 50) {
    float x = 0;
    for (int i = 0; i < n; ++i) x += in[GID + i * 512];
    out[GID] = x;
}
KERNEL_AT(float, loop_product, 4, 128, 50) {
    float x = 0;
    for (int i = 0; i < n; ++i) x += in[GID + i] * in[i];
    out[GID] = x;
}
KERNEL_ODD(float, loop_thread) {
    LOAD_XYZ;
    for (int i = 0; i < (GID & 31); ++i) {
        F1
    }
    out[GID] = x;
}
KERNEL_ODD(float, loop_thread_long) {
    LOAD_XYZ;
    for (int i = 0; i < (GID & 7); ++i) {
        F12
    }
    out[GID] = x;
}
KERNEL(float, loop_thread_loads) {
    float x = 0;
    for (int i = 0; i < (GID & 15); ++i) x += in[GID + i];
    out[GID] = x;
}
KERNEL(float, loop_while_data) {
    LOAD_XYZ;
    int i = 0;
    while (x < 10 && i < 100) {
        x = x * 1.5f + y;
        ++i;
    }
    out[GID] = x + i;
}
KERNEL(float, loop_do_while) {
    LOAD_XYZ;
    do {
        x = x * 1.5f + y;
    } while (x < 10);
    out[GID] = x + z;
}
KERNEL(float, loop_break) {
    LOAD_XYZ;
    for (int i = 0; i < n * 10; ++i) {
        F1 if (x > 2) break;
        x += y;
    }
    out[GID] = x;
}
KERNEL(float, loop_break_index) {
    LOAD_XYZ;
    for (int i = 0; i < n * 10; ++i) {
        if (i == (threadIdx.x & 15)) break;
        F4
    }
    out[GID] = x;
}
KERNEL(float, loop_continue) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i) {
        if ((i ^ threadIdx.x) & 1) continue;
        F12
    }
    out[GID] = x;
}
KERNEL(float, loop_nested) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) {
            F2
        }
    out[GID] = x;
}
KERNEL(float, loop_nested_thread) {
    LOAD_XYZ;
    for (int i = 0; i < (threadIdx.x & 7); ++i)
        for (int j = 0; j < i; ++j) {
            F2
        }
    out[GID] = x;
}
KERNEL_ODD(float, loop_barrier) {
    __shared__ float s[128];
    float x = in[GID];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = x;
        __syncthreads();
        x += s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    }
    out[GID] = x;
}
KERNEL(unsigned, loop_halving) {
    unsigned x = in[GID], k = 0;
    for (; x > 1; x /= 2) ++k;
    out[GID] = k;
}
KERNEL(unsigned, loop_collatz) {
    unsigned x = in[GID], k = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        ++k;
    }
    out[GID] = k;
}
KERNEL(unsigned, loop_euclid) {
    unsigned a = in[GID], b = in[GID + 1024];
    while (b != 0) {
        const unsigned r = a % b;
        a = b;
        b = r;
    }
    out[GID] = a;
}

// Calls.
__device__ __noinline__ float called(float x, float y) { return x * y + 1.5f; }
__device__ __noinline__ float called_long(float x, float y, float z) { F16 return x; }
KERNEL(float, call) { out[GID] = called(in[GID], in[GID + 1]); }
KERNEL(float, call_twice) { out[GID] = called(called(in[GID], in[GID + 1]), in[GID + 2]); }
KERNEL(float, call_in_if) {
    LOAD_XYZ;
    if (threadIdx.x & 1) x = called_long(x, y, z);
    out[GID] = x;
}
KERNEL(float, call_in_if_else) {
    LOAD_XYZ;
    if (threadIdx.x & 1)
        x = called_long(x, y, z);
    else
        x = called(x, y);
    out[GID] = x;
}
KERNEL(float, call_in_loop) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i) x = called(x, y) + z;
    out[GID] = x;
}
__device__ __noinline__ int fibonacci(int k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }
KERNEL(int, recursion) { out[GID] = fibonacci(in[GID] % 5); }
__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ float square(float x) { return x * x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {twice, square};
KERNEL(float, function_pointer_uniform) { out[GID] = functions[n & 1](in[GID]); }
KERNEL(float, function_pointer_thread) { out[GID] = functions[threadIdx.x & 1](in[GID]); }
KERNEL(float, trap_never) {
    const float x = in[GID];
    if (x < 0) __trap();
    out[GID] = x;
}

int main() {
    for (auto& probe : probes()) probe();
}
