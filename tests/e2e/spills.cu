// Fewer registers than values: they go to local memory and back, which is counted, and takes time. (ptxas 13.0
// spills 6968 bytes of stores and 7332 of loads with 32 registers, none with 64; an H200 takes 7.5 times as
// long with 32.)
// RUN: lockstep profile --gpu h200 -maxrregcount 32 %s --metrics launch__registers_per_thread,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum --expect 'big: smsp__inst_executed_op_local_ld.sum > 1500000' --expect 'big: launch__registers_per_thread == 32' --expect 'big: gpu__time_duration.sum > 50000'
// RUN: lockstep profile --gpu h200 -maxrregcount 128 %s --metrics launch__registers_per_thread,smsp__inst_executed_op_local_ld.sum --expect 'big: smsp__inst_executed_op_local_ld.sum == 0' --expect 'big: gpu__time_duration.sum < 20000'
// RUN: lockstep run --gpu h200 -maxrregcount 32 %s
// OUT: ^local bytes: some, of an array of 16 ints: 64$
// RUN: lockstep run --gpu h200 -maxrregcount 128 %s
// OUT: ^local bytes: none, of an array of 16 ints: 64$
#include <cstdio>

constexpr int values = 48;

__global__ void big(float* out) {
    float a[values];
#pragma unroll
    for (int i = 0; i < values; ++i) a[i] = out[i * 1024 + threadIdx.x];
#pragma unroll
    for (int k = 0; k < values; ++k)
#pragma unroll
        for (int i = 0; i < values; ++i) a[i] = a[i] * a[(i + k) % values] + k;
#pragma unroll
    for (int i = 0; i < values; ++i) out[i * 1024 + threadIdx.x] = a[i];
}

__global__ void indexed(int* out, int n) {
    int a[16];
    for (int i = 0; i < 16; ++i) a[i * n % 16] = i;
    out[0] = a[n];
}

int main() {
    cudaFuncAttributes spills, array;
    cudaFuncGetAttributes(&spills, big), cudaFuncGetAttributes(&array, indexed);
    std::printf("local bytes: %s, of an array of 16 ints: %zu\n", spills.localSizeBytes ? "some" : "none", array.localSizeBytes);
    float* out;
    cudaMalloc(&out, 1 << 20);
    big<<<160, 256>>>(out);
    return cudaDeviceSynchronize();
}
