// warpSize is read from the machine, as with nvcc: no constant that a division by it is folded with.
//
// RUN: lockstep run %s
// OUT: ^9 39 64$
// RUN: lockstep run -G %s
// OUT: ^9 39 64$
// RUN: lockstep nvcc -arch=sm_90 -ptx -o %t/a.ptx %s && grep -A2 WARP_SZ %t/a.ptx
// OUT: div\.u32
#include <cstdio>

__device__ __noinline__ int half_of(const int& size) { return size / 2; }

__global__ void sizes(int* out) {
    int i = threadIdx.x;
    out[i] = threadIdx.x / warpSize + threadIdx.x % warpSize;
    if (i == 33) out[i] = half_of(warpSize) + min(warpSize, 23);
    if (i == 34) {
        int sum = 0;
        for (int s = warpSize; s > 0; s >>= 1) sum += s;
        out[i] = sum + 1;
    }
}

int main() {
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    sizes<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\n", out[40], out[33], out[34]);
}
