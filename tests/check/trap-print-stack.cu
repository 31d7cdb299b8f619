// bug: none
// line: 0
// kernel: order
// note: an array on the stack is filled, sorted and printed from, in a kernel with calls of the math library
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void order(const int* in, int* out) {
    int a[8];
    for (int i = 0; i < 8; ++i) a[i] = (in[threadIdx.x] * 7 + i * 5) % 11;
    for (int i = 1; i < 8; ++i)
        for (int k = i; k > 0 && a[k - 1] > a[k]; --k) {
            int keep = a[k];
            a[k] = a[k - 1];
            a[k - 1] = keep;
        }
    if (threadIdx.x == 0) printf("%d %d\n", a[0], a[7]);
    out[threadIdx.x] = a[threadIdx.x & 7] + static_cast<int>(powf(2.f, static_cast<float>(a[1])));
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    order<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
