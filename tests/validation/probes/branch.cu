// Control flow: which `if`, loop or call becomes a branch, which is predicated, and what is counted for it.
#include "probe.h"

// Chains that the compiler can not shorten: k fused multiply-adds (or integer ones) on x.
#define F1 x = fmaf(x, y, z);
#define F2 F1 F1
#define F3 F2 F1
#define F4 F2 F2
#define F5 F4 F1
#define F6 F4 F2
#define F7 F4 F3
#define F8 F4 F4
#define F9 F8 F1
#define F10 F8 F2
#define F12 F8 F4
#define F14 F8 F6
#define F16 F8 F8
#define F20 F16 F4
#define F24 F16 F8
#define F32 F16 F16
#define LOAD_XYZ float x = in[GID], y = in[GID + 1024], z = in[GID + 2048]

// if without else, of several lengths.
#define IF_LENGTH(K) \
    KERNEL(float, if_##K) { LOAD_XYZ; if (threadIdx.x & 1) { F##K } out[GID] = x; }
IF_LENGTH(1) IF_LENGTH(2) IF_LENGTH(3) IF_LENGTH(4) IF_LENGTH(5) IF_LENGTH(6) IF_LENGTH(7) IF_LENGTH(8) IF_LENGTH(9)
IF_LENGTH(10) IF_LENGTH(12) IF_LENGTH(14) IF_LENGTH(16) IF_LENGTH(20) IF_LENGTH(24) IF_LENGTH(32)
// The same where the condition comes from memory.
#define IF_DATA(K) \
    KERNEL(float, if_data_##K) { LOAD_XYZ; if (x > 0.5f) { F##K } out[GID] = x; }
IF_DATA(1) IF_DATA(2) IF_DATA(4) IF_DATA(6) IF_DATA(8) IF_DATA(10) IF_DATA(16)
// Integer bodies.
#define I1 x = x * y + z;
#define I2 I1 I1
#define I4 I2 I2
#define I6 I4 I2
#define I8 I4 I4
#define I10 I8 I2
#define I16 I8 I8
#define IF_INT(K)                                                             \
    KERNEL(int, if_int_##K) {                                                 \
        int x = in[GID], y = in[GID + 1024], z = in[GID + 2048];              \
        if (threadIdx.x & 1) { I##K }                                         \
        out[GID] = x;                                                         \
    }
IF_INT(1) IF_INT(2) IF_INT(4) IF_INT(6) IF_INT(8) IF_INT(10) IF_INT(16)
// Two values live out of the body; special functions in the body.
#define G1 x = fmaf(x, z, y); y = fmaf(y, z, x);
#define IF_TWO(K, BODY) \
    KERNEL(float, if_two_##K) { LOAD_XYZ; if (threadIdx.x & 1) { BODY } out[GID] = x; out[GID + 1024] = y; }
IF_TWO(1, G1) IF_TWO(2, G1 G1) IF_TWO(3, G1 G1 G1) IF_TWO(4, G1 G1 G1 G1) IF_TWO(6, G1 G1 G1 G1 G1 G1)
KERNEL(float, if_rsqrt) { LOAD_XYZ; if (threadIdx.x & 1) x = rsqrtf(x) + y * z; out[GID] = x; }
KERNEL(float, if_two_rsqrt) { LOAD_XYZ; if (threadIdx.x & 1) x = rsqrtf(rsqrtf(x) + y) * z; out[GID] = x; }
KERNEL(float, if_divide) { LOAD_XYZ; if (threadIdx.x & 1) x = y / z; out[GID] = x; }

// if / else.
#define IF_ELSE(K)                                                                    \
    KERNEL(float, if_else_##K) {                                                      \
        LOAD_XYZ;                                                                     \
        if (threadIdx.x & 1) { F##K } else { x = x + z; F##K }                        \
        out[GID] = x;                                                                 \
    }
IF_ELSE(1) IF_ELSE(2) IF_ELSE(3) IF_ELSE(4) IF_ELSE(6) IF_ELSE(8) IF_ELSE(10) IF_ELSE(16)
KERNEL(float, else_if) { LOAD_XYZ; const int k = threadIdx.x & 3; if (k == 0) { F2 } else if (k == 1) { x += z; F2 } else if (k == 2) { x -= z; F2 } out[GID] = x; }
KERNEL(float, ternary) { LOAD_XYZ; out[GID] = threadIdx.x & 1 ? x + y : x - z; }
KERNEL(float, ternary_loads) { out[GID] = threadIdx.x & 1 ? in[GID] : in[GID + 1024]; }

// Memory in the body. Shared memory:
#define TILE                               \
    __shared__ float s[256];               \
    const int t = threadIdx.x;             \
    s[t] = in[GID];                        \
    s[t + 128] = in[GID + 128];            \
    __syncthreads();
#define TILE_OUT __syncthreads(); out[GID] = s[t] + s[t + 128];
KERNEL(float, if_shared_load) { TILE float x = 0; if (t & 1) x = s[t + 7]; out[GID] = x; }
KERNEL(float, if_shared_store) { TILE if (t & 1) s[t] = 2; TILE_OUT }
KERNEL(float, if_shared_add) { TILE if (t < 64) s[t] += s[t + 64]; TILE_OUT }
KERNEL(float, if_shared_add_odd) { TILE if (t & 1) s[t] += s[t + 128]; TILE_OUT }
KERNEL(float, if_shared_two) { TILE if (t & 1) { s[t] += s[t + 128]; s[t + 128] = 1; } TILE_OUT }
KERNEL(float, if_shared_three) { TILE if (t & 1) { float a = s[t + 1], b = s[t + 3], c = s[t + 5]; s[t] = a + b * c; } TILE_OUT }
KERNEL(float, if_shared_four) { TILE if (t & 1) { float a = s[t + 1], b = s[t + 3], c = s[t + 5], d = s[t + 7]; s[t] = a + b * c * d; s[t + 128] = a; } TILE_OUT }
KERNEL_ODD(float, loop_shared_add) {
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = in[GID];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) { if (t % (2 * k) == 0 && t + k < blockDim.x) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) out[blockIdx.x] = s[0];
}
KERNEL(float, loop_shared_less) {
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = in[GID];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) out[blockIdx.x] = s[0];
}
// Global memory:
KERNEL(float, if_global_load) { float x = 0; if (threadIdx.x & 1) x = in[GID]; out[GID] = x; }
KERNEL(float, if_global_load_2) { float x = 0; if (threadIdx.x & 1) x = in[GID] + in[GID + 1024]; out[GID] = x; }
KERNEL(float, if_global_load_4) { float x = 0; if (threadIdx.x & 1) x = in[GID] + in[GID + 1024] + in[GID + 2048] * in[GID + 4096]; out[GID] = x; }
KERNEL(float, if_global_load_8) { float x = 0; if (threadIdx.x & 1) for (int i = 0; i < 8; ++i) x += in[GID + i * 1024]; out[GID] = x; }
KERNEL(float, if_global_store) { if (threadIdx.x & 1) out[GID] = 3; }
KERNEL(float, if_global_store_then) { const float x = in[GID]; if (threadIdx.x & 1) out[GID] = x; out[GID + 1024] = x; }
KERNEL(float, if_global_store_2) { const float x = in[GID]; if (threadIdx.x & 1) { out[GID] = x; out[GID + 512] = x; } out[GID + 1024] = x; }
// Its stores overlap, so the result depends on timing; the counts do not.
KERNEL(float, if_global_store_4) { const float x = in[GID]; if (threadIdx.x & 1) { out[GID] = x; out[GID + 512] = x; out[GID + 600] = x + 1; out[GID + 2000] = x; } out[GID + 1024] = x; }
KERNEL(float, if_global_copy) { if (threadIdx.x & 1) out[GID] = in[GID]; }
KERNEL(float, if_global_add) { if (threadIdx.x & 1) out[GID] += in[GID]; out[GID + 1024] = 1; }
KERNEL(float, if_global_add_after_barrier) { out[GID + 1024] = 1; __syncthreads(); if (threadIdx.x & 1) out[GID] += in[GID]; __syncthreads(); out[GID + 2048] = out[GID]; }
KERNEL(float, if_global_add_before_barrier) { if (threadIdx.x & 1) out[GID] += in[GID]; __syncthreads(); out[GID + 1024] = out[GID ^ 1]; }
KERNEL_ODD(float, loop_global_add) {
    float* d = out + blockIdx.x * 128;
    for (int k = 1; k < blockDim.x; k *= 2) { if (threadIdx.x % (2 * k) == 0) d[threadIdx.x] += in[GID + k]; __syncthreads(); }
}
KERNEL(int, if_atomic) { if (threadIdx.x & 1) atomicAdd(out + GID, 1); }
KERNEL(int, if_local) { int a[8]; for (int i = 0; i < 8; ++i) a[i] = in[GID + i]; int x = 0; if (threadIdx.x & 1) x = a[in[GID] % 8]; out[GID] = x; }

// One after another, nested, in loops.
KERNEL(float, two_ifs) { LOAD_XYZ; if (threadIdx.x & 1) { F4 } if (threadIdx.x & 2) { F4 } out[GID] = x; }
KERNEL(float, two_ifs_same) { LOAD_XYZ; if (threadIdx.x & 1) { F4 } out[GID + 512] = x; if (threadIdx.x & 1) { F4 } out[GID] = x; }
KERNEL(float, nested_2) { LOAD_XYZ; if (threadIdx.x & 1) { F2 if (threadIdx.x & 2) { F2 } } out[GID] = x; }
KERNEL(float, nested_8) { LOAD_XYZ; if (threadIdx.x & 1) { F8 if (threadIdx.x & 2) { F8 } F8 } out[GID] = x; }
KERNEL(float, nested_12) { LOAD_XYZ; if (threadIdx.x & 1) { F12 if (threadIdx.x & 2) { F12 } else { x += z; F12 } F12 } else { x -= z; F12 } out[GID] = x; }
KERNEL(float, nested_three) { LOAD_XYZ; if (threadIdx.x & 1) { F12 if (threadIdx.x & 2) { F12 if (threadIdx.x & 4) { F12 } } } out[GID] = x; }
KERNEL_ODD(float, if_in_loop) { LOAD_XYZ; for (int i = 0; i < n; ++i) if (threadIdx.x >> i & 1) { F4 } out[GID] = x; }
KERNEL_ODD(float, long_if_in_loop) { LOAD_XYZ; for (int i = 0; i < n; ++i) if (threadIdx.x >> i & 1) { F16 } out[GID] = x; }
KERNEL(float, if_else_in_loop) { LOAD_XYZ; for (int i = 0; i < n; ++i) if (threadIdx.x >> i & 1) { F12 } else { x += z; F12 } out[GID] = x; }

// switch.
KERNEL(int, switch_constants_4) { int x; switch (in[GID] % 4) { case 0: x = 5; break; case 1: x = 9; break; case 2: x = 2; break; default: x = 77; } out[GID] = x; }
KERNEL(float, switch_4) { LOAD_XYZ; switch (threadIdx.x & 3) { case 0: F4 break; case 1: x += z; F4 break; case 2: x -= z; F4 break; default: x *= z; F4 } out[GID] = x; }
KERNEL(float, switch_4_long) { LOAD_XYZ; switch (threadIdx.x & 3) { case 0: F16 break; case 1: x += z; F16 break; case 2: x -= z; F16 break; default: x *= z; F16 } out[GID] = x; }
#define CASE(i) case i: x = fmaf(x, i + 1.5f, z); F6 break;
KERNEL(float, switch_12) { LOAD_XYZ; switch (threadIdx.x % 12) { CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) } out[GID] = x; }
KERNEL(float, switch_12_uniform) { LOAD_XYZ; switch (n) { CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) } out[GID] = x; }
KERNEL(float, switch_sparse) { LOAD_XYZ; switch (threadIdx.x % 32 * 37) { CASE(0) CASE(37) CASE(74) CASE(370) CASE(740) } out[GID] = x; }

// Early returns.
KERNEL_ODD(float, bounds_check) { const int i = GID; if (i >= n * 40) return; out[i] = in[i] * 2; }
KERNEL_ODD(float, bounds_if) { const int i = GID; if (i < n * 40) out[i] = in[i] * 2; }
KERNEL_ODD(float, bounds_2d) { const int i = GID, j = blockIdx.y; if (i < n * 40 && j < n) out[i] = in[i] * 2; }
KERNEL(float, bounds_check_long) { const int i = GID; if (i >= n * 40) return; LOAD_XYZ; F32 out[i] = x; }
KERNEL(float, return_odd) { LOAD_XYZ; if (threadIdx.x & 1) return; F16 out[GID] = x; }
KERNEL(float, return_data) { LOAD_XYZ; if (x > 0.5f) { out[GID] = y; return; } F16 out[GID] = x; }
KERNEL(float, return_before_barrier) { if (blockIdx.x == 2) return; __shared__ float s[128]; s[threadIdx.x] = in[GID]; __syncthreads(); out[GID] = s[127 - threadIdx.x]; }
KERNEL(float, return_in_loop) { LOAD_XYZ; for (int i = 0; i < n; ++i) { F4 if (x > i + 1.0f) { out[GID] = i; return; } } out[GID] = x; }
KERNEL(float, last_thread) { out[GID] = in[GID]; if (threadIdx.x == 0) out[1024 + blockIdx.x] = in[blockIdx.x]; }

// Loops.
KERNEL(float, loop_constant_4) { LOAD_XYZ; for (int i = 0; i < 4; ++i) { F1 } out[GID] = x; }
KERNEL(float, loop_constant_100) { LOAD_XYZ; for (int i = 0; i < 100; ++i) { F1 } out[GID] = x; }
KERNEL(float, loop_constant_1000) { LOAD_XYZ; for (int i = 0; i < 1000; ++i) { F1 } out[GID] = x; }
KERNEL(float, loop_not_unrolled) { LOAD_XYZ;
#pragma unroll 1
    for (int i = 0; i < 10; ++i) { F1 } out[GID] = x; }
KERNEL(float, loop_unrolled_by_2) { LOAD_XYZ;
#pragma unroll 2
    for (int i = 0; i < n; ++i) { F1 } out[GID] = x; }
KERNEL_ODD(float, loop_uniform) { LOAD_XYZ; for (int i = 0; i < n; ++i) { F1 } out[GID] = x; }
KERNEL_AT(float, loop_uniform_50, 4, 128, 50) { LOAD_XYZ; for (int i = 0; i < n; ++i) { F1 } out[GID] = x; }
KERNEL_ODD(float, loop_uniform_long) { LOAD_XYZ; for (int i = 0; i < n; ++i) { F12 } out[GID] = x; }
KERNEL_ODD(float, loop_uniform_loads) { float x = 0; for (int i = 0; i < n; ++i) x += in[GID + i * 512]; out[GID] = x; }
KERNEL_AT(float, loop_uniform_loads_50, 4, 128, 50) { float x = 0; for (int i = 0; i < n; ++i) x += in[GID + i * 512]; out[GID] = x; }
KERNEL_AT(float, loop_product, 4, 128, 50) { float x = 0; for (int i = 0; i < n; ++i) x += in[GID + i] * in[i]; out[GID] = x; }
KERNEL_ODD(float, loop_thread) { LOAD_XYZ; for (int i = 0; i < (GID & 31); ++i) { F1 } out[GID] = x; }
KERNEL_ODD(float, loop_thread_long) { LOAD_XYZ; for (int i = 0; i < (GID & 7); ++i) { F12 } out[GID] = x; }
KERNEL(float, loop_thread_loads) { float x = 0; for (int i = 0; i < (GID & 15); ++i) x += in[GID + i]; out[GID] = x; }
KERNEL(float, loop_while_data) { LOAD_XYZ; int i = 0; while (x < 10 && i < 100) { x = x * 1.5f + y; ++i; } out[GID] = x + i; }
KERNEL(float, loop_do_while) { LOAD_XYZ; do { x = x * 1.5f + y; } while (x < 10); out[GID] = x + z; }
KERNEL(float, loop_break) { LOAD_XYZ; for (int i = 0; i < n * 10; ++i) { F1 if (x > 2) break; x += y; } out[GID] = x; }
KERNEL(float, loop_break_index) { LOAD_XYZ; for (int i = 0; i < n * 10; ++i) { if (i == (threadIdx.x & 15)) break; F4 } out[GID] = x; }
KERNEL(float, loop_continue) { LOAD_XYZ; for (int i = 0; i < n; ++i) { if ((i ^ threadIdx.x) & 1) continue; F12 } out[GID] = x; }
KERNEL(float, loop_nested) { LOAD_XYZ; for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) { F2 } out[GID] = x; }
KERNEL(float, loop_nested_thread) { LOAD_XYZ; for (int i = 0; i < (threadIdx.x & 7); ++i) for (int j = 0; j < i; ++j) { F2 } out[GID] = x; }
KERNEL_ODD(float, loop_barrier) { __shared__ float s[128]; float x = in[GID]; for (int i = 0; i < n; ++i) { s[threadIdx.x] = x; __syncthreads(); x += s[(threadIdx.x + 1) % blockDim.x]; __syncthreads(); } out[GID] = x; }
KERNEL(unsigned, loop_halving) { unsigned x = in[GID], k = 0; for (; x > 1; x /= 2) ++k; out[GID] = k; }
KERNEL(unsigned, loop_collatz) { unsigned x = in[GID], k = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; ++k; } out[GID] = k; }
KERNEL(unsigned, loop_euclid) { unsigned a = in[GID], b = in[GID + 1024]; while (b != 0) { const unsigned r = a % b; a = b; b = r; } out[GID] = a; }

// Short-circuit conditions.
KERNEL(float, and_2) { LOAD_XYZ; if (x > 0.25f && y > 0.25f) { F4 } out[GID] = x; }
KERNEL(float, and_2_long) { LOAD_XYZ; if (x > 0.25f && y > 0.25f) { F16 } out[GID] = x; }
KERNEL(float, or_2) { LOAD_XYZ; if (x > 0.75f || y > 0.75f) { F4 } out[GID] = x; }
KERNEL(float, or_2_long) { LOAD_XYZ; if (x > 0.75f || y > 0.75f) { F16 } out[GID] = x; }
KERNEL(float, and_load) { const float x = in[GID]; float r = 0; if (x > 0.5f && in[GID + 1024] > 0.5f) r = 1; out[GID] = r; }
KERNEL(float, or_load) { const float x = in[GID]; float r = 0; if (x > 0.5f || in[GID + 1024] > 0.5f) r = 1; out[GID] = r; }
KERNEL(float, and_3_bounds) { const int i = threadIdx.x; float r = 0; if (i > 0 && i < 127 && in[GID] > 0.5f) r = in[GID - 1] + in[GID + 1]; out[GID] = r; }

// Conditions that are the same for the whole warp, block or grid.
KERNEL(float, uniform_parameter) { LOAD_XYZ; if (n > 5) { F4 } out[GID] = x; }
KERNEL(float, uniform_parameter_long) { LOAD_XYZ; if (n > 5) { F24 } out[GID] = x; }
KERNEL(float, uniform_block) { LOAD_XYZ; if (blockIdx.x & 1) { F4 } out[GID] = x; }
KERNEL(float, uniform_block_long) { LOAD_XYZ; if (blockIdx.x & 1) { F24 } out[GID] = x; }
KERNEL(float, uniform_warp) { LOAD_XYZ; if (threadIdx.x / 32 & 1) { F4 } out[GID] = x; }
KERNEL(float, uniform_warp_long) { LOAD_XYZ; if (threadIdx.x / 32 & 1) { F24 } out[GID] = x; }
KERNEL(float, uniform_warp_else) { LOAD_XYZ; if (threadIdx.x / 32 & 1) { F16 } else { x += z; F16 } out[GID] = x; }
KERNEL(float, uniform_any) { LOAD_XYZ; if (__any_sync(~0u, x > 0.9f)) { F16 } out[GID] = x; }
KERNEL(float, uniform_in_loop) { LOAD_XYZ; for (int i = 0; i < n; ++i) if (i & blockIdx.x) { F12 } out[GID] = x; }
KERNEL(float, first_block_only) { if (blockIdx.x == 0) { LOAD_XYZ; F4 out[GID] = x; } }
KERNEL(float, store_in_block_zero) { LOAD_XYZ; F2 if (blockIdx.x == 0) out[1024 + threadIdx.x] = y; out[GID] = x; }
KERNEL(float, barrier_in_uniform_if) { __shared__ float s[128]; s[threadIdx.x] = in[GID]; if (blockIdx.x & 1) { __syncthreads(); out[GID] = s[127 - threadIdx.x]; } else { out[GID] = s[threadIdx.x]; } }
KERNEL(float, sync_warp_in_if) { __shared__ float s[128]; s[threadIdx.x] = in[GID]; __syncthreads(); if (threadIdx.x < 32) { float x = s[threadIdx.x + 64]; __syncwarp(); s[threadIdx.x] += x; __syncwarp(); x = s[threadIdx.x ^ 16]; __syncwarp(); s[threadIdx.x] += x; } out[GID] = s[threadIdx.x]; }
KERNEL(float, shuffle_in_if) { float x = in[GID]; if (threadIdx.x < 32) for (int k = 16; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k); out[GID] = x; }

// Calls.
__device__ __noinline__ float called(float x, float y) { return x * y + 1.5f; }
__device__ __noinline__ float called_long(float x, float y, float z) { F16 return x; }
KERNEL(float, call) { out[GID] = called(in[GID], in[GID + 1]); }
KERNEL(float, call_twice) { out[GID] = called(called(in[GID], in[GID + 1]), in[GID + 2]); }
KERNEL(float, call_in_if) { LOAD_XYZ; if (threadIdx.x & 1) x = called_long(x, y, z); out[GID] = x; }
KERNEL(float, call_in_if_else) { LOAD_XYZ; if (threadIdx.x & 1) x = called_long(x, y, z); else x = called(x, y); out[GID] = x; }
KERNEL(float, call_in_loop) { LOAD_XYZ; for (int i = 0; i < n; ++i) x = called(x, y) + z; out[GID] = x; }
__device__ __noinline__ int fibonacci(int k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }
KERNEL(int, recursion) { out[GID] = fibonacci(in[GID] % 5); }
__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ float square(float x) { return x * x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {twice, square};
KERNEL(float, function_pointer_uniform) { out[GID] = functions[n & 1](in[GID]); }
KERNEL(float, function_pointer_thread) { out[GID] = functions[threadIdx.x & 1](in[GID]); }
KERNEL(float, trap_never) { const float x = in[GID]; if (x < 0) __trap(); out[GID] = x; }

int main() {
    for (auto& probe : probes()) probe();
}
