// Global, local and constant memory: requests and sectors of each way to touch it.
#include "probe.h"

#define LOAD_STRIDE(S) \
    KERNEL_ODD(int, load_stride_##S) { out[GID] = in[GID * S]; }
LOAD_STRIDE(1)
LOAD_STRIDE(2)
LOAD_STRIDE(3) LOAD_STRIDE(4) LOAD_STRIDE(8) LOAD_STRIDE(16) LOAD_STRIDE(32)
#define STORE_STRIDE(S) \
    KERNEL_ODD(int, store_stride_##S) { out[GID * S] = in[GID]; }
    STORE_STRIDE(2) STORE_STRIDE(3) STORE_STRIDE(4) STORE_STRIDE(8) STORE_STRIDE(16) STORE_STRIDE(32)
#define OFFSET(K) \
    KERNEL(int, offset_##K) { out[GID + K] = in[GID + K]; }
        OFFSET(1) OFFSET(2) OFFSET(3) OFFSET(4) OFFSET(5) OFFSET(6) OFFSET(7) OFFSET(8)
#define COPY(V) \
    KERNEL_ODD(V, copy_##V) { out[GID] = in[GID]; }
            COPY(char) COPY(short) COPY(int2) COPY(int4) COPY(double)
#define COPY_STRIDE_2(V) \
    KERNEL(V, copy_stride_2_##V) { out[GID * 2] = in[GID * 2]; }
                COPY_STRIDE_2(char) COPY_STRIDE_2(short) COPY_STRIDE_2(int2) COPY_STRIDE_2(int4)
#define SCATTER(V)                     \
    KERNEL(V, permuted_##V) {          \
        const int i = GID * 167 % 512; \
        out[i] = in[i];                \
    }
                    SCATTER(char) SCATTER(int) SCATTER(int2) SCATTER(int4)

                        KERNEL(int, reversed) {
    out[511 - GID] = in[511 - GID];
}
KERNEL(int, random_gather) { out[GID] = in[in[GID] * 61 % elements]; }
KERNEL(int, one_address) { out[GID] = in[17]; }
KERNEL(int, address_of_block) { out[GID] = in[blockIdx.x * 9]; }
KERNEL(int, address_of_parameter) { out[GID] = in[n]; }
KERNEL(int, pairs) { out[GID / 2] = in[GID / 2]; }
KERNEL(int, xor_lane) { out[GID ^ 1] = in[GID ^ 5]; }
KERNEL(int, even_lanes) {
    if (GID % 2 == 0) out[GID] = in[GID];
}
KERNEL(int, low_lanes) {
    if (threadIdx.x % 32 < 16) out[GID] = in[GID];
}
KERNEL(int, first_lane) {
    if (threadIdx.x % 32 == 0) out[GID] = in[GID];
}
KERNEL(int, every_other_warp) {
    if (threadIdx.x / 32 % 2 == 0) out[GID] = in[GID];
}
KERNEL(int4, even_lanes_int4) {
    if (GID % 2 == 0) out[GID] = in[GID];
}
KERNEL(float, struct_of_three) { out[GID] = in[3 * GID] + in[3 * GID + 1] + in[3 * GID + 2]; }
KERNEL(float4, one_field_of_four) { out[GID].x = in[GID].x; }
KERNEL(float4, two_fields_of_four) { out[GID].x = in[GID].y + in[GID].z; }
KERNEL_ODD(int, in_place) { out[GID] += in[GID]; }
KERNEL(int, add_twice) {
    out[GID] += 1;
    out[GID] += in[GID];
}
KERNEL_AT(float, grid_stride_loop, 2, 64, 1000) {
    for (int i = GID; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2;
}
KERNEL_AT(float, rows_16_wide, 2, dim3(16, 8), 0) {
    const int i = (blockIdx.x * 8 + threadIdx.y) * 1024 + threadIdx.x;
    out[i] = in[i];
}
KERNEL_AT(float, rows_5_wide, dim3(2, 2), dim3(5, 7), 0) {
    const int i = (blockIdx.y * 7 + threadIdx.y) * 100 + blockIdx.x * 5 + threadIdx.x;
    out[i] = in[i];
}
KERNEL_AT(float, columns, 4, 128, 64) {
    out[threadIdx.x * n + blockIdx.x] = in[threadIdx.x * n + blockIdx.x];
}

// Qualifiers and cache operators.
KERNEL(int, volatile_load) { out[GID] = static_cast<const volatile int*>(in)[GID]; }
KERNEL(int, volatile_store) { static_cast<volatile int*>(out)[GID] = in[GID]; }
KERNEL(int, volatile_twice) {
    const volatile int* v = in;
    out[GID] = v[GID] + v[GID];
}
KERNEL(int, read_only) { out[GID] = __ldg(in + GID); }
KERNEL(int, streaming) { __stcs(out + GID, __ldcs(in + GID)); }
KERNEL(int, cached_globally) { __stcg(out + GID, __ldcg(in + GID)); }
__global__ void restricted(int* __restrict__ out, const int* __restrict__ in, int n) {
    out[GID] = in[GID] + in[GID + n];
}
static const Probe probe_of_restricted("restricted", restricted, 4, 128, 7);
KERNEL(int, fenced) {
    out[GID] = in[GID];
    __threadfence();
    out[GID + 512] = in[GID] + 1;
}

// Atomics. A result that is not used makes a reduction (red), a used one an atomic (atom).
KERNEL(int, red_one_address) { atomicAdd(out, in[GID]); }
KERNEL(int, red_constant) { atomicAdd(out, 1); }
KERNEL(int, red_lanes) { atomicAdd(out + GID, in[GID]); }
KERNEL(int, red_stride_8) { atomicAdd(out + GID * 8, in[GID]); }
KERNEL(int, red_pairs) { atomicAdd(out + GID / 2, in[GID]); }
KERNEL(int, red_four) { atomicAdd(out + GID % 4, in[GID]); }
KERNEL(int, red_same_for_block) { atomicAdd(out + blockIdx.x, in[GID]); }
KERNEL(int, red_first_lane) {
    if (threadIdx.x % 32 == 0) atomicAdd(out, in[GID]);
}
KERNEL(int, red_max_one_address) { atomicMax(out, in[GID]); }
KERNEL(int, red_or_lanes) { atomicOr(out + GID, in[GID]); }
KERNEL(float, red_float_lanes) { atomicAdd(out + GID, in[GID]); }
KERNEL(float, red_float_one_address) { atomicAdd(out, 1.0f); }
KERNEL(double, red_double_lanes) { atomicAdd(out + GID, in[GID]); }
KERNEL(unsigned long long, red_64_lanes) { atomicAdd(out + GID, in[GID]); }
KERNEL(int, atom_one_address) { out[1024 + GID] = atomicAdd(out, in[GID]) >= 0; }
KERNEL(int, atom_constant) { out[1024 + GID] = atomicAdd(out, 1) >= 0; }
KERNEL(int, atom_lanes) { out[1024 + GID] = atomicAdd(out + GID, in[GID]); }
KERNEL(int, atom_stride_8) { out[8192 + GID] = atomicAdd(out + GID * 8, in[GID]); }
KERNEL(int, atom_max_lanes) { out[1024 + GID] = atomicMax(out + GID, in[GID]); }
KERNEL(int, atom_exchange) { out[1024 + GID] = atomicExch(out + GID, in[GID]); }
KERNEL(int, atom_compare_swap) { out[1024 + GID] = atomicCAS(out + GID, 0, in[GID]); }
KERNEL(float, atom_float_lanes) { out[1024 + GID] = atomicAdd(out + GID, in[GID]); }
KERNEL(unsigned long long, atom_64_lanes) { out[1024 + GID] = atomicAdd(out + GID, in[GID]); }

// Local memory: arrays whose index is not known at compile time.
KERNEL(int, local_16) {
    int values[16];
    for (int i = 0; i < 16; ++i) values[i] = in[GID + i];
    out[GID] = values[in[GID] % 16];
}
KERNEL(int, local_uniform_index) {
    int values[16];
    for (int i = 0; i < 16; ++i) values[i] = in[GID + i];
    out[GID] = values[n % 16];
}
KERNEL(int, local_loop) {
    int values[64];
    for (int i = 0; i < n * 4; ++i) values[i] = in[GID + i] * i;
    int sum = 0;
    for (int i = n; i < n * 4; i += 3) sum += values[i];
    out[GID] = sum;
}
KERNEL(int, local_scatter) {
    int values[8] = {};
    for (int i = 0; i < 8; ++i) values[in[GID + i] % 8] += i;
    out[GID] = values[0] + values[3] + values[7];
}
KERNEL(double, local_double) {
    double values[8];
    for (int i = 0; i < 8; ++i) values[i] = in[GID + i];
    out[GID] = values[static_cast<int>(in[GID] * 7)];
}
KERNEL(char, local_bytes) {
    char values[32];
    for (int i = 0; i < 32; ++i) values[i] = in[GID + i];
    out[GID] = values[in[GID] & 31];
}
KERNEL(int, local_static_index) {
    int values[8];
    for (int i = 0; i < 8; ++i) values[i] = in[GID + i];
    out[GID] = values[2] * values[5];
}

// Constant memory.
__constant__ int table[256] = {3, 1, 4, 1, 5, 9, 2, 6};
KERNEL(int, constant_known_index) { out[GID] = in[GID] + table[4]; }
KERNEL(int, constant_uniform_index) { out[GID] = in[GID] + table[n]; }
KERNEL(int, constant_block_index) { out[GID] = in[GID] + table[blockIdx.x]; }
KERNEL(int, constant_lane_index) { out[GID] = in[GID] + table[threadIdx.x]; }
KERNEL(int, constant_pairs) { out[GID] = in[GID] + table[threadIdx.x / 2]; }
KERNEL(int, constant_loop) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += table[i] * in[GID + i];
    out[GID] = sum;
}
__device__ int counters[64];
KERNEL(int, device_variable) { out[GID] = in[GID] + counters[GID % 64]; }

int main() {
    for (auto& probe : probes()) probe();
}
