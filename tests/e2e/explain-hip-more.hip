// Divisions and repeated loads of a HIP program, near misses, and what `volatile` does to the last steps of a tree.
// RUN: lockstep explain -o %t/run.lockstep %s
// OUT: ^   plain_tail to volatile_tail: 
// OUT: - of a wavefront on average: .*accesses of the LDS [0-9.]+ to
// OUT: waits for memory or the LDS 1\.0 to 25\.0$
// RUN: lockstep explain --from %t/run.lockstep --kernels '^divided'
// OUT: ^ +[5-8][0-9] %%  Integer division or remainder, for which the GPU has no instruction \[division\]$
// OUT: ^ +explain-hip-more\.hip:[0-9]+: sum \+= \(i \+ t\) / by;$
// RUN: lockstep explain --from %t/run.lockstep --kernels '^neighbours'
// OUT: Blocks load the same data from global memory again and again \[repeated-loads\]$
// OUT: ^ +explain-hip-more\.hip:[0-9]+: for \(int k = 0; k < 64; \+\+k\) sum \+= in\[i \+ k\];$
// RUN: lockstep explain --from %t/run.lockstep --expect 'by_seven: no division' --expect 'tiled: no repeated-loads' --expect 'copied: no repeated-loads'
#include <hip/hip_runtime.h>

__global__ void divided(unsigned* out, unsigned by) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    unsigned sum = 0;
    for (unsigned t = 0; t < 20; ++t)
        sum += (i + t) / by;
    out[i] = sum;
}
__global__ void by_seven(unsigned* out) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    unsigned sum = 0;
    for (unsigned t = 0; t < 20; ++t) sum += (i + t) / 7;
    out[i] = sum;
}

__global__ void neighbours(const int* in, int* out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += in[i + k];
    out[i] = sum;
}
__global__ void tiled(const int* in, int* out) {
    __shared__ int tile[320];
    const int first = blockIdx.x * 256;
    for (int k = threadIdx.x; k < 320; k += 256) tile[k] = in[first + k];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += tile[threadIdx.x + k];
    out[first + threadIdx.x] = sum;
}
__global__ void copied(const int* in, int* out) {
    out[blockIdx.x * 256 + threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
}

// The sum of a wavefront, in the LDS. Without volatile the compiler keeps words in registers, and the sum is wrong.
template <class Words>
__device__ void tail(Words sums, float* out) {
    const int t = threadIdx.x;
    for (int s = 32; s > 0; s >>= 1) sums[t] += sums[t + s];
    out[blockIdx.x * 64 + t] = sums[t];
}
__global__ void plain_tail(float* out) {
    __shared__ float sums[128];
    sums[threadIdx.x] = threadIdx.x, sums[threadIdx.x + 64] = 0;
    tail<float*>(sums, out);
}
__global__ void volatile_tail(float* out) {
    __shared__ float sums[128];
    sums[threadIdx.x] = threadIdx.x, sums[threadIdx.x + 64] = 0;
    tail<volatile float*>(sums, out);
}

int main() {
    int *in, *out;
    if (hipMalloc(&in, 1 << 23) || hipMalloc(&out, 1 << 23) || hipMemset(in, 0, 1 << 23)) return 2;
    divided<<<1024, 256>>>(reinterpret_cast<unsigned*>(out), 7);
    by_seven<<<1024, 256>>>(reinterpret_cast<unsigned*>(out));
    neighbours<<<1024, 256>>>(in, out);
    tiled<<<1024, 256>>>(in, out);
    copied<<<1024, 256>>>(in, out);
    plain_tail<<<4096, 64>>>(reinterpret_cast<float*>(out));
    volatile_tail<<<4096, 64>>>(reinterpret_cast<float*>(out));
    return hipDeviceSynchronize() != hipSuccess;
}
