// bug: uninit-global-read
// line: 14
// kernel: select
// note: undefined bytes are copied twice on the device, by a kernel and by cudaMemcpy, and then decide a branch
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void move(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}

__global__ void select(const int* c, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && c[i] > 0) out[i] = 1;
}

int main() {
    const int n = 100;
    std::vector<int> h(n, 2);
    int *a, *b, *c, *out;
    for (int** p : {&a, &b, &c, &out}) CHECK(cudaMalloc(p, n * 4));
    CHECK(cudaMemcpy(a, h.data(), (n - 10) * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * 4));
    move<<<4, 32>>>(a, b, n);
    CHECK(cudaMemcpy(c, b, n * 4, cudaMemcpyDeviceToDevice));
    select<<<4, 32>>>(c, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    for (int* p : {a, b, c, out}) CHECK(cudaFree(p));
    std::printf("%d\n", h[0]);
    return 0;
}
