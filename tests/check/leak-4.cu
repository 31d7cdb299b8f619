// bug: leak
// line: 15
// kernel: -
// note: an exception leaves the function between the allocation and the free
#include <cstdio>
#include <stdexcept>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

static float mean(int n) {
    float* tmp;
    if (cudaMalloc(&tmp, n * sizeof(float)) != cudaSuccess) throw std::runtime_error("malloc");
    if (n > 100) throw std::runtime_error("too many");
    std::vector<float> h(n, 2.0f);
    cudaMemcpy(tmp, h.data(), n * 4, cudaMemcpyHostToDevice);
    float first = 0;
    cudaMemcpy(&first, tmp, 4, cudaMemcpyDeviceToHost);
    cudaFree(tmp);
    return first;
}

int main() {
    float s = 0;
    for (int n : {10, 50, 200}) {
        try { s += mean(n); } catch (const std::exception& e) { std::printf("%s\n", e.what()); }
    }
    CHECK(cudaGetLastError());
    std::printf("%g\n", s);
    return s != 4.0f;
}
