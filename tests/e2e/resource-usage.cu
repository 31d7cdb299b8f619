// What ptxas -v tells, in its words, as lockstep's estimate; -maxrregcount goes with the program that is built.
// RUN: lockstep nvcc -arch=sm_80 -Xptxas -v -o %t/plain %s
// ERR: ^lockstep: no ptxas was run; registers, stack and spills are lockstep's own estimate$
// ERR: ^ptxas info    : 100 bytes gmem, 400 bytes cmem\[3\], 8 bytes cmem\[4\]$
// ERR: ^ptxas info    : Compiling entry function '_Z7indexedPii' for 'sm_80'$
// ERR: ^ptxas info    : Function properties for _Z7indexedPii$
// ERR: ^    80 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads$
// ERR: ^ptxas info    : Used [0-9]+ registers, used 0 barriers, 80 bytes cumulative stack size, 364 bytes cmem\[0\]$
// ERR: ^ptxas info    : Compiling entry function '_Z5boundPdi' for 'sm_80'$
// ERR: ^    [1-9][0-9]* bytes stack frame, [1-9][0-9]* bytes spill stores, [1-9][0-9]* bytes spill loads$
// ERR: ^ptxas info    : Used 32 registers, used 0 barriers, [1-9][0-9]* bytes cumulative stack size, 364 bytes cmem\[0\]$
// ERR: ^ptxas info    : Compiling entry function '_Z3addPKfS0_Pfi' for 'sm_80'$
// ERR: ^    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads$
// ERR: ^ptxas info    : Used 1[0-9] registers, used 1 barriers, 256 bytes smem, 380 bytes cmem\[0\]$
// RUN: lockstep nvcc -c -arch=sm_90 --resource-usage -maxrregcount=40 -o %t/a.o %s
// ERR: ^ptxas info    : 100 bytes gmem$
// ERR: ^ptxas info    : Used 1[0-9] registers, used 1 barriers, 256 bytes smem$
// RUN: lockstep nvcc -arch=sm_90 -maxrregcount=24 -o %t/few %s
// NOT: ptxas
// RUN: lockstep profile --metrics launch__registers_per_thread --expect 'indexed: launch__registers_per_thread == 24' %t/few
// OUT: registers 24
// RUN: lockstep occupancy --estimate %t/few --kernel indexed
// OUT: registers a thread +24
// RUN: lockstep nvcc -maxrregcount=many -c -o %t/a.o %s
// EXIT: 1
// ERR: -maxrregcount: 'many' is no number of registers
#include <cstdio>

__constant__ float scale[100];
__device__ float shift[25];

__global__ void add(const float* a, const float* b, float* out, int n) {
    __shared__ float kept[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x & 63] = a[i];
    __syncthreads();
    if (i < n) out[i] = kept[63 - (threadIdx.x & 63)] + b[i] + scale[i % 100] + shift[i % 25];
}

__global__ void __launch_bounds__(1024, 2) bound(double* out, int turns) {
    double v[40], sum = 0;
    for (int i = 0; i < 40; i++) v[i] = out[i] * 1.25;
    for (int j = 0; j < turns; j++)
        for (int i = 0; i < 40; i++) v[i] = v[i] * v[(i + 7) % 40] + out[j];
    for (int i = 0; i < 40; i++) sum += v[i];
    out[threadIdx.x] = sum;
}

__global__ void indexed(int* out, int k) {
    int a[20], sum = 0;
    for (int i = 0; i < 20; i++) a[i] = out[i];
    a[k] = 3;
    for (int i = 0; i < 20; i++) sum += a[(i * k) % 20];
    out[threadIdx.x] = sum;
}

int main() {
    int* out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    indexed<<<1, 32>>>(out, 3);
    cudaFuncAttributes found;
    cudaFuncGetAttributes(&found, indexed);
    std::printf("registers %d\n", found.numRegs);
    return cudaDeviceSynchronize();
}
