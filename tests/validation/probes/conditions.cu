// Conditions: short-circuit ones, and those that are the same for a whole warp, block or grid.
#include "chain.h"
#include "probe.h"

// Short-circuit conditions.
KERNEL(float, and_2) {
    LOAD_XYZ;
    if (x > 0.25f && y > 0.25f) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, and_2_long) {
    LOAD_XYZ;
    if (x > 0.25f && y > 0.25f) {
        F16
    }
    out[GID] = x;
}
KERNEL(float, or_2) {
    LOAD_XYZ;
    if (x > 0.75f || y > 0.75f) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, or_2_long) {
    LOAD_XYZ;
    if (x > 0.75f || y > 0.75f) {
        F16
    }
    out[GID] = x;
}
KERNEL(float, and_load) {
    const float x = in[GID];
    float r = 0;
    if (x > 0.5f && in[GID + 1024] > 0.5f) r = 1;
    out[GID] = r;
}
KERNEL(float, or_load) {
    const float x = in[GID];
    float r = 0;
    if (x > 0.5f || in[GID + 1024] > 0.5f) r = 1;
    out[GID] = r;
}
KERNEL(float, and_3_bounds) {
    const int i = threadIdx.x;
    float r = 0;
    if (i > 0 && i < 127 && in[GID] > 0.5f) r = in[GID - 1] + in[GID + 1];
    out[GID] = r;
}

// Conditions that are the same for the whole warp, block or grid.
KERNEL(float, uniform_parameter) {
    LOAD_XYZ;
    if (n > 5) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, uniform_parameter_long) {
    LOAD_XYZ;
    if (n > 5) {
        F24
    }
    out[GID] = x;
}
KERNEL(float, uniform_block) {
    LOAD_XYZ;
    if (blockIdx.x & 1) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, uniform_block_long) {
    LOAD_XYZ;
    if (blockIdx.x & 1) {
        F24
    }
    out[GID] = x;
}
KERNEL(float, uniform_warp) {
    LOAD_XYZ;
    if (threadIdx.x / 32 & 1) {
        F4
    }
    out[GID] = x;
}
KERNEL(float, uniform_warp_long) {
    LOAD_XYZ;
    if (threadIdx.x / 32 & 1) {
        F24
    }
    out[GID] = x;
}
KERNEL(float, uniform_warp_else) {
    LOAD_XYZ;
    if (threadIdx.x / 32 & 1) {
        F16
    } else {
        x += z;
        F16
    }
    out[GID] = x;
}
KERNEL(float, uniform_any) {
    LOAD_XYZ;
    if (__any_sync(~0u, x > 0.9f)) {
        F16
    }
    out[GID] = x;
}
KERNEL(float, uniform_in_loop) {
    LOAD_XYZ;
    for (int i = 0; i < n; ++i)
        if (i & blockIdx.x) {
            F12
        }
    out[GID] = x;
}
KERNEL(float, first_block_only) {
    if (blockIdx.x == 0) {
        LOAD_XYZ;
        F4 out[GID] = x;
    }
}
KERNEL(float, store_in_block_zero) {
    LOAD_XYZ;
    F2 if (blockIdx.x == 0) out[1024 + threadIdx.x] = y;
    out[GID] = x;
}
KERNEL(float, barrier_in_uniform_if) {
    __shared__ float s[128];
    s[threadIdx.x] = in[GID];
    if (blockIdx.x & 1) {
        __syncthreads();
        out[GID] = s[127 - threadIdx.x];
    } else {
        out[GID] = s[threadIdx.x];
    }
}
KERNEL(float, sync_warp_in_if) {
    __shared__ float s[128];
    s[threadIdx.x] = in[GID];
    __syncthreads();
    if (threadIdx.x < 32) {
        float x = s[threadIdx.x + 64];
        __syncwarp();
        s[threadIdx.x] += x;
        __syncwarp();
        x = s[threadIdx.x ^ 16];
        __syncwarp();
        s[threadIdx.x] += x;
    }
    out[GID] = s[threadIdx.x];
}
KERNEL(float, shuffle_in_if) {
    float x = in[GID];
    if (threadIdx.x < 32)
        for (int k = 16; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k);
    out[GID] = x;
}

int main() {
    for (auto& probe : probes()) probe();
}
