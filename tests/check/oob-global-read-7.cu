// bug: oob-global-read
// line: 18
// kernel: gather
// note: a template over the index type: the last warp reads four past-the-end indices because the tail guard counts groups of four and not elements
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <class Index, class Value>
__global__ void gather(const Index* index, const Value* table, Value* out, int groups) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        Index at = index[4 * g + k];
        out[g] += at >= 0 ? table[at] : Value(0);
    }
}

int main() {
    const int n = 1022, groups = (n + 3) / 4;
    std::vector<short> index(n);
    for (int i = 0; i < n; ++i) index[i] = short(i * 7 % 100);
    std::vector<double> table(100, 1.5), r(groups);
    short* di;
    double *dt, *dout;
    CHECK(cudaMalloc(&di, n * sizeof(short)));
    CHECK(cudaMalloc(&dt, 100 * sizeof(double)));
    CHECK(cudaMalloc(&dout, groups * sizeof(double)));
    CHECK(cudaMemcpy(di, index.data(), n * sizeof(short), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dt, table.data(), 100 * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dout, 0, groups * sizeof(double)));
    gather<short, double><<<4, 64>>>(di, dt, dout, groups);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), dout, groups * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(di));
    CHECK(cudaFree(dt));
    CHECK(cudaFree(dout));
    std::printf("%g\n", r[0]);
    return 0;
}
