// What it costs to come to code and to constants: straight code and jumps in loops, by how much code there is
// and how many warps run it, and parameters of a kernel, by how many lines they fill. For ncu, which says
// what warps waited for.
#include <cuda_runtime.h>

#include <cstdio>
#include <initializer_list>

template <int length>
__device__ __forceinline__ void add_some(float (&x)[4], float a) {
#pragma unroll
    for (int i = 0; i < length; ++i) asm volatile("add.f32 %0, %0, %1;" : "+f"(x[i % 4]) : "f"(a));
}

constexpr int rounds = 64;

// A loop of so many additions, of four chains.
template <int length>
__global__ void straight(float a, float* sink) {
    float x[4] = {a, a, a, a};
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) add_some<length>(x, a);
    if (x[0] + x[1] + x[2] + x[3] == 12345.f) *sink = x[0];
}

// A loop of so many pieces: eight additions, and a branch that leads past `skipped` more where a bit of the
// mask is off.
template <int pieces, int skipped>
__global__ void jumps(unsigned long long mask, float a, float* sink) {
    float x[4] = {a, a, a, a};
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int piece = 0; piece < pieces; ++piece) {
            add_some<8>(x, a);
            if (mask >> piece & 1) add_some<skipped>(x, a);
        }
    }
    if (x[0] + x[1] + x[2] + x[3] == 12345.f) *sink = x[0];
}

template <int lines>
struct Parameters {
    int words[16 * lines];
};

// Reads a word of each line of its parameters.
template <int lines>
__global__ void parameters(int* sink, Parameters<lines> given) {
    int sum = threadIdx.x;
#pragma unroll
    for (int i = 0; i < lines; ++i) sum = sum * 3 + given.words[16 * i];
    if (sum == 12345) *sink = sum;
}

template <int length>
void run_straight(float* sink) {
    for (int warps : {1, 4, 8, 16, 32}) straight<length><<<132, 32 * warps>>>(1.5f, sink);
}

template <int pieces, int skipped>
void run_jumps(float* sink) {
    for (int warps : {1, 4, 16}) {
        jumps<pieces, skipped><<<132, 32 * warps>>>(0, 1.5f, sink);
        jumps<pieces, skipped><<<132, 32 * warps>>>(~0ull, 1.5f, sink);
        jumps<pieces, skipped><<<132, 32 * warps>>>(0x5555555555555555ull, 1.5f, sink);
    }
}

template <int lines>
void run_parameters(int* sink) {
    for (int blocks : {1, 16, 132, 528})
        for (int threads : {32, 256}) parameters<lines><<<blocks, threads>>>(sink, {});
}

int main() {
    float* sink = nullptr;
    if (cudaMalloc(&sink, 4) != cudaSuccess) return 1;
    run_straight<16>(sink);
    run_straight<64>(sink);
    run_straight<96>(sink);
    run_straight<128>(sink);
    run_straight<192>(sink);
    run_straight<256>(sink);
    run_straight<512>(sink);
    run_straight<1024>(sink);
    run_straight<2048>(sink);
    run_straight<4096>(sink);
    run_straight<8192>(sink);
    run_straight<16384>(sink);
    run_jumps<4, 24>(sink);
    run_jumps<4, 56>(sink);
    run_jumps<4, 120>(sink);
    run_jumps<4, 504>(sink);
    run_jumps<8, 24>(sink);
    run_jumps<8, 56>(sink);
    run_jumps<8, 120>(sink);
    run_jumps<8, 248>(sink);
    run_jumps<16, 24>(sink);
    run_jumps<16, 56>(sink);
    run_jumps<16, 248>(sink);
    run_jumps<64, 24>(sink);
    run_jumps<64, 120>(sink);
    run_jumps<64, 248>(sink);
    run_parameters<1>((int*)sink);
    run_parameters<2>((int*)sink);
    run_parameters<4>((int*)sink);
    run_parameters<8>((int*)sink);
    run_parameters<16>((int*)sink);
    run_parameters<32>((int*)sink);
    return cudaDeviceSynchronize() != cudaSuccess;
}
