// bug: race-global-blocks
// line: 18,20
// kernel: chain
// note: the value is stored plainly and the flag behind it without a fence
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void chain(const int* in, int* out, int* value, volatile int* flag) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        int before = 0;
        if (b > 0) {
            while (flag[b - 1] == 0) {}
            before = value[b - 1];
        }
        value[b] = before + in[b];
        flag[b] = 1;
        out[b] = before;
    }
}

int main() {
    const int n = 16;
    std::vector<int> h(n, 1);
    int *in, *out, *value, *flag;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMalloc(&value, n * sizeof(int)));
    CHECK(cudaMalloc(&flag, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(flag, 0, n * sizeof(int)));
    chain<<<n, 32>>>(in, out, value, flag);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(value));
    CHECK(cudaFree(flag));
    std::printf("%d\n", h[n - 1]);
    return 0;
}
