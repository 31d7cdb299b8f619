// bug: oob-shared
// line: 25
// kernel: compact
// note: a shared struct of dynamic size: the launch counts the elements and forgets the header before them
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Bag {
    int count;
    int pad[3];
    double item[1];
};

__global__ void compact(const double* x, double* out, int* count) {
    extern __shared__ __align__(16) unsigned char raw[];
    Bag* bag = reinterpret_cast<Bag*>(raw);
    if (threadIdx.x == 0) bag->count = 0;
    __syncthreads();
    double v = x[threadIdx.x];
    int at = atomicAdd(&bag->count, 1);
    bag->item[at] = v;
    __syncthreads();
    out[threadIdx.x] = bag->item[threadIdx.x];
    if (threadIdx.x == 0) *count = bag->count;
}

int main() {
    const int n = 64;
    std::vector<double> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i + 0.25;
    double *x, *out;
    int *count, got = 0;
    CHECK(cudaMalloc(&x, n * sizeof(double)));
    CHECK(cudaMalloc(&out, n * sizeof(double)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemcpy(x, h.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    compact<<<1, n, n * sizeof(double)>>>(x, out, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    CHECK(cudaFree(count));
    std::printf("count %d\n", got);
    return got != n;
}
