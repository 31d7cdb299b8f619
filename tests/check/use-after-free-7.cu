// bug: use-after-free
// line: 33
// kernel: -
// note: the download goes on from a buffer that the owner of the batch has released
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Batch {
    int* d = nullptr;
    explicit Batch(int n) { cudaMalloc(&d, n * sizeof(int)); }
    ~Batch() { cudaFree(d); }
};

__global__ void iota(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
}

static int* make(int n) {
    Batch b(n);
    iota<<<(n + 63) / 64, 64>>>(b.d, n);
    return b.d;
}

int main() {
    const int n = 200;
    std::vector<int> h(n);
    int* p = make(n);
    cudaError_t e = cudaMemcpy(h.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", cudaGetErrorString(e), h[1]);
    return 0;
}
