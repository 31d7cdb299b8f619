// bug: host-pointer-in-kernel
// line: 19
// kernel: mark
// note: the result word is a host object reached through a struct in constant memory
#include <cstdio>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Params { int n; int* hits; };
__constant__ Params params;

__global__ void mark(const int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < params.n && x[i] == 5)
        atomicAdd(params.hits, 1);
}

int main() {
    const int n = 100;
    std::vector<int> h(n, 1);
    h[60] = 5;
    auto hits = std::make_unique<int>(0);
    int* x;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    Params p{n, hits.get()};
    CHECK(cudaMemcpyToSymbol(params, &p, sizeof(p)));
    mark<<<2, 64>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    std::printf("%d\n", *hits);
    return *hits != 1;
}
