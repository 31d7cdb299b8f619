// bug: leak
// line: 23
// kernel: -
// note: a shrinking std::vector of handles loses the ones it drops, which are never freed
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <memory>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Slab {
    void* p;
};

__global__ void touch(char* p, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = 1;
}

static Slab take(size_t bytes) {
    Slab s{};
    cudaMalloc(&s.p, bytes);
    return s;
}

int main() {
    std::vector<Slab> slabs;
    for (int i = 0; i < 6; ++i) slabs.push_back(take(1024 << i));
    for (auto& s : slabs) touch<<<1, 64>>>((char*)s.p, 1024);
    CHECK(cudaGetLastError());
    char c;
    CHECK(cudaMemcpy(&c, slabs[0].p, 1, cudaMemcpyDeviceToHost));
    slabs.resize(3);
    for (auto& s : slabs) CHECK(cudaFree(s.p));
    std::printf("%d\n", c);
    return 0;
}
