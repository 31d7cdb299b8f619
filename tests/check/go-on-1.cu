// bug: several
// lines of all: 19; 21; 24; 25; 26; 28; 34
// kernel: faults
// note: a kernel goes on behind accesses that fault, and what follows from them is not told again: lines 20, 22 and 23
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void faults(int* a, int* b, int** table, int far, int* out) {
    __shared__ int s[32];
    __shared__ int t[32];
    int i = threadIdx.x;
    s[i] = i;
    t[i] = 2 * i;
    __syncthreads();
    if (far) {
        int x = a[far + i];
        int y = b[x - 1];
        int* p = table[far + i];
        int z = *p;
        out[x] = y + z;
        s[i + (i == 31)] = 3;
        b[i ? i * 4096 : 0] = t[i] + s[i];
        int2 v = *reinterpret_cast<int2*>(a + i);
        if (v.x > 1) out[i] = v.y;
        atomicAdd(&out[far + i], 1);
    }
}

__global__ void flood(int* b, int far) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[far + i] = i;
}

int main() {
    int *a, *b, *out, **table;
    CHECK(cudaMalloc(&a, 256));
    CHECK(cudaMalloc(&b, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&table, 256));
    for (void* p : {(void*)a, (void*)b, (void*)out, (void*)table}) CHECK(cudaMemset(p, 0, 256));
    faults<<<1, 32>>>(a, b, table, 1 << 20, out);
    CHECK(cudaDeviceSynchronize());
    flood<<<1024, 256>>>(b, 1 << 20);
    CHECK(cudaDeviceSynchronize());
    int h[64];
    CHECK(cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost));
    for (void* p : {(void*)a, (void*)b, (void*)out, (void*)table}) CHECK(cudaFree(p));
    return 0;
}
