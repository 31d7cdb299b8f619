// bug: none
// line: 0
// kernel: -
// note: buffers are filled in part only: the rest is copied about on the device and to the host, but nothing depends on it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
}

__global__ void move4(const int4* a, int4* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}

__global__ void pick(const int* p, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = p[i];
    int w = i < n ? v : 0;
    out[i] = w;
}

int main() {
    const int room = 256, n = 150;
    std::vector<int> r(room);
    int *a, *b, *c;
    CHECK(cudaMalloc(&a, room * 4));
    CHECK(cudaMalloc(&b, room * 4));
    CHECK(cudaMalloc(&c, room * 4));
    fill<<<2, 128>>>(a, n);
    move4<<<1, 64>>>((const int4*)a, (int4*)b, room / 4);
    CHECK(cudaMemcpy(c, b, room * 4, cudaMemcpyDeviceToDevice));
    pick<<<2, 128>>>(c, a, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), a, room * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < room; ++i) bad += r[i] != (i < n ? i : 0);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
