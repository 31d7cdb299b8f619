// bug: double-free
// line: 15
// kernel: -
// note: a pool allocation is freed in stream order and then once more by the owner's destructor with cudaFree
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Owner {
    float* p = nullptr;
    ~Owner() {
        if (p) cudaFree(p);
    }
};

__global__ void fill(float* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = 1.0f;
}

int main() {
    Owner o;
    float one = 0.0f;
    CHECK(cudaMallocAsync(&o.p, 100 * sizeof(float), 0));
    fill<<<1, 128>>>(o.p, 100);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&one, o.p + 99, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFreeAsync(o.p, 0));
    CHECK(cudaStreamSynchronize(0));
    std::printf("%g\n", one);
    return one != 1.0f;
}
