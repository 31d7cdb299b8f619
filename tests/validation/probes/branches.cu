// if, if/else and switch: which becomes a branch, which is predicated?
#include "chain.h"
#include "probe.h"

// if without else, of several lengths.
#define IF_LENGTH(K)           \
    KERNEL(float, if_##K) {    \
        LOAD_XYZ;              \
        if (threadIdx.x & 1) { \
            F##K               \
        }                      \
        out[GID] = x;          \
    }
IF_LENGTH(1)
IF_LENGTH(2)
IF_LENGTH(3) IF_LENGTH(4) IF_LENGTH(5) IF_LENGTH(6) IF_LENGTH(7) IF_LENGTH(8) IF_LENGTH(9) IF_LENGTH(10)
    IF_LENGTH(12) IF_LENGTH(14) IF_LENGTH(16) IF_LENGTH(20) IF_LENGTH(24) IF_LENGTH(32)
// The same where the condition comes from memory.
#define IF_DATA(K)               \
    KERNEL(float, if_data_##K) { \
        LOAD_XYZ;                \
        if (x > 0.5f) {          \
            F##K                 \
        }                        \
        out[GID] = x;            \
    }
        IF_DATA(1) IF_DATA(2) IF_DATA(4) IF_DATA(6) IF_DATA(8) IF_DATA(10) IF_DATA(16)
// Integer bodies.
#define I1 x = x * y + z;
#define I2 I1 I1
#define I4 I2 I2
#define I6 I4 I2
#define I8 I4 I4
#define I10 I8 I2
#define I16 I8 I8
#define IF_INT(K)                                                \
    KERNEL(int, if_int_##K) {                                    \
        int x = in[GID], y = in[GID + 1024], z = in[GID + 2048]; \
        if (threadIdx.x & 1) {                                   \
            I##K                                                 \
        }                                                        \
        out[GID] = x;                                            \
    }
            IF_INT(1) IF_INT(2) IF_INT(4) IF_INT(6) IF_INT(8) IF_INT(10) IF_INT(16)
// Two values live out of the body; special functions in the body.
#define G1             \
    x = fmaf(x, z, y); \
    y = fmaf(y, z, x);
#define IF_TWO(K, BODY)         \
    KERNEL(float, if_two_##K) { \
        LOAD_XYZ;               \
        if (threadIdx.x & 1) {  \
            BODY                \
        }                       \
        out[GID] = x;           \
        out[GID + 1024] = y;    \
    }
                IF_TWO(1, G1) IF_TWO(2, G1 G1) IF_TWO(3, G1 G1 G1) IF_TWO(4, G1 G1 G1 G1)
                    IF_TWO(6, G1 G1 G1 G1 G1 G1) KERNEL(float, if_rsqrt) {
    LOAD_XYZ;
    if (threadIdx.x & 1) x = rsqrtf(x) + y * z;
    out[GID] = x;
}
KERNEL(float, if_two_rsqrt) {
    LOAD_XYZ;
    if (threadIdx.x & 1) x = rsqrtf(rsqrtf(x) + y) * z;
    out[GID] = x;
}
KERNEL(float, if_divide) {
    LOAD_XYZ;
    if (threadIdx.x & 1) x = y / z;
    out[GID] = x;
}

// if / else.
#define IF_ELSE(K)               \
    KERNEL(float, if_else_##K) { \
        LOAD_XYZ;                \
        if (threadIdx.x & 1) {   \
            F##K                 \
        } else {                 \
            x = x + z;           \
            F##K                 \
        }                        \
        out[GID] = x;            \
    }
IF_ELSE(1)
IF_ELSE(2) IF_ELSE(3) IF_ELSE(4) IF_ELSE(6) IF_ELSE(8) IF_ELSE(10) IF_ELSE(16) KERNEL(float, else_if) {
    LOAD_XYZ;
    const int k = threadIdx.x & 3;
    if (k == 0) {
        F2
    } else if (k == 1) {
        x += z;
        F2
    } else if (k == 2) {
        x -= z;
        F2
    }
    out[GID] = x;
}
KERNEL(float, ternary) {
    LOAD_XYZ;
    out[GID] = threadIdx.x & 1 ? x + y : x - z;
}
KERNEL(float, ternary_loads) { out[GID] = threadIdx.x & 1 ? in[GID] : in[GID + 1024]; }

// Memory in the body. Shared memory:
#define TILE                    \
    __shared__ float s[256];    \
    const int t = threadIdx.x;  \
    s[t] = in[GID];             \
    s[t + 128] = in[GID + 128]; \
    __syncthreads();
#define TILE_OUT     \
    __syncthreads(); \
    out[GID] = s[t] + s[t + 128];
KERNEL(float, if_shared_load) {
    TILE float x = 0;
    if (t & 1) x = s[t + 7];
    out[GID] = x;
}
KERNEL(float, if_shared_store) {
    TILE if (t & 1) s[t] = 2;
    TILE_OUT
}
KERNEL(float, if_shared_add) {
    TILE if (t < 64) s[t] += s[t + 64];
    TILE_OUT
}
KERNEL(float, if_shared_add_odd) {
    TILE if (t & 1) s[t] += s[t + 128];
    TILE_OUT
}
KERNEL(float, if_shared_two) {
    TILE if (t & 1) {
        s[t] += s[t + 128];
        s[t + 128] = 1;
    }
    TILE_OUT
}
KERNEL(float, if_shared_three) {
    TILE if (t & 1) {
        float a = s[t + 1], b = s[t + 3], c = s[t + 5];
        s[t] = a + b * c;
    }
    TILE_OUT
}
KERNEL(float, if_shared_four) {
    TILE if (t & 1) {
        float a = s[t + 1], b = s[t + 3], c = s[t + 5], d = s[t + 7];
        s[t] = a + b * c * d;
        s[t + 128] = a;
    }
    TILE_OUT
}
KERNEL_ODD(float, loop_shared_add) {
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = in[GID];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0 && t + k < blockDim.x) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
KERNEL(float, loop_shared_less) {
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = in[GID];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
// Global memory:
KERNEL(float, if_global_load) {
    float x = 0;
    if (threadIdx.x & 1) x = in[GID];
    out[GID] = x;
}
KERNEL(float, if_global_load_2) {
    float x = 0;
    if (threadIdx.x & 1) x = in[GID] + in[GID + 1024];
    out[GID] = x;
}
KERNEL(float, if_global_load_4) {
    float x = 0;
    if (threadIdx.x & 1) x = in[GID] + in[GID + 1024] + in[GID + 2048] * in[GID + 4096];
    out[GID] = x;
}
KERNEL(float, if_global_load_8) {
    float x = 0;
    if (threadIdx.x & 1)
        for (int i = 0; i < 8; ++i) x += in[GID + i * 1024];
    out[GID] = x;
}
KERNEL(float, if_global_store) {
    if (threadIdx.x & 1) out[GID] = 3;
}
KERNEL(float, if_global_store_then) {
    const float x = in[GID];
    if (threadIdx.x & 1) out[GID] = x;
    out[GID + 1024] = x;
}
KERNEL(float, if_global_store_2) {
    const float x = in[GID];
    if (threadIdx.x & 1) {
        out[GID] = x;
        out[GID + 512] = x;
    }
    out[GID + 1024] = x;
}
// Its stores overlap, so the result depends on timing; the counts do not.
KERNEL(float, if_global_store_4) {
    const float x = in[GID];
    if (threadIdx.x & 1) {
        out[GID] = x;
        out[GID + 512] = x;
        out[GID + 600] = x + 1;
        out[GID + 2000] = x;
    }
    out[GID + 1024] = x;
}
KERNEL(float, if_global_copy) {
    if (threadIdx.x & 1) out[GID] = in[GID];
}
KERNEL(float, if_global_add) {
    if (threadIdx.x & 1) out[GID] += in[GID];
    out[GID + 1024] = 1;
}
KERNEL(float, if_global_add_after_barrier) {
    out[GID + 1024] = 1;
    __syncthreads();
    if (threadIdx.x & 1) out[GID] += in[GID];
    __syncthreads();
    out[GID + 2048] = out[GID];
}
KERNEL(float, if_global_add_before_barrier) {
    if (threadIdx.x & 1) out[GID] += in[GID];
    __syncthreads();
    out[GID + 1024] = out[GID ^ 1];
}
KERNEL_ODD(float, loop_global_add) {
    float* d = out + blockIdx.x * 128;
    for (int k = 1; k < blockDim.x; k *= 2) {
        if (threadIdx.x % (2 * k) == 0) d[threadIdx.x] += in[GID + k];
        __syncthreads();
    }
}
KERNEL(int, if_atomic) {
    if (threadIdx.x & 1) atomicAdd(out + GID, 1);
}
KERNEL(int, if_local) {
    int a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[GID + i];
    int x = 0;
    if (threadIdx.x & 1) x = a[in[GID] % 8];
    out[GID] = x;
}

// One after another, nested, in loops.
KERNEL(float, two_ifs) {
    LOAD_XYZ;
    if (threadIdx.x & 1) {
        F4
    }
    if (threadIdx.x & 2) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, two_ifs_same) {
    LOAD_XYZ;
    if (threadIdx.x & 1) {
        F4
    }
    out[GID + 512] = x;
    if (threadIdx.x & 1) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, nested_2) {
    LOAD_XYZ;
    if (threadIdx.x & 1) {
        F2 if (threadIdx.x & 2) { F2 }
    }
    out[GID] = x;
}
KERNEL(float, nested_8) {
    LOAD_XYZ;
    if (threadIdx.x & 1) {
        F8 if (threadIdx.x & 2){F8} F8
    }
    out[GID] = x;
}
KERNEL(float, nested_12) {
    LOAD_XYZ;
    if (threadIdx.x & 1) {
        F12 if (threadIdx.x & 2) { F12 }
        else {
            x += z;
            F12
        }
        F12
    } else {
        x -= z;
        F12
    }
    out[GID] = x;
}
KERNEL(float, nested_three) {
    LOAD_XYZ;
    if (threadIdx.x & 1) {
        F12 if (threadIdx.x & 2) {
            F12 if (threadIdx.x & 4) { F12 }
        }
    }
    out[GID] = x;
}
KERNEL_ODD(float, if_in_loop) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i)
        if (threadIdx.x >> i & 1) {
            F4
        }
    out[GID] = x;
}
KERNEL_ODD(float, long_if_in_loop) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i)
        if (threadIdx.x >> i & 1) {
            F16
        }
    out[GID] = x;
}
KERNEL(float, if_else_in_loop) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i)
        if (threadIdx.x >> i & 1) {
            F12
        } else {
            x += z;
            F12
        }
    out[GID] = x;
}

// switch.
KERNEL(int, switch_constants_4) {
    int x;
    switch (in[GID] % 4) {
        case 0: x = 5; break;
        case 1: x = 9; break;
        case 2: x = 2; break;
        default: x = 77;
    }
    out[GID] = x;
}
KERNEL(float, switch_4) {
    LOAD_XYZ;
    switch (threadIdx.x & 3) {
        case 0: F4 break;
        case 1: x += z; F4 break;
        case 2: x -= z; F4 break;
        default: x *= z; F4
    }
    out[GID] = x;
}
KERNEL(float, switch_4_long) {
    LOAD_XYZ;
    switch (threadIdx.x & 3) {
        case 0: F16 break;
        case 1: x += z; F16 break;
        case 2: x -= z; F16 break;
        default: x *= z; F16
    }
    out[GID] = x;
}
#define CASE(i) \
    case i: x = fmaf(x, i + 1.5f, z); F6 break;
KERNEL(float, switch_12) {
    LOAD_XYZ;
    switch (threadIdx.x % 12) {
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11)
    }
    out[GID] = x;
}
KERNEL(float, switch_12_uniform) {
    LOAD_XYZ;
    switch (n) {
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11)
    }
    out[GID] = x;
}
KERNEL(float, switch_sparse) {
    LOAD_XYZ;
    switch (threadIdx.x % 32 * 37) { CASE(0) CASE(37) CASE(74) CASE(370) CASE(740) }
    out[GID] = x;
}

int main() {
    for (auto& probe : probes()) probe();
}
