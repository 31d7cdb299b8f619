// bug: race-atomic-mixed
// line: 15,16
// kernel: relax
// note: distances are lowered with atomicMin while another thread reads them with a plain load
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void relax(const int* from, const int* to, const int* w, int edges, int* dist) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int d = dist[from[e]] + w[e];
    atomicMin(&dist[to[e]], d);
}

int main() {
    const int n = 200;
    std::vector<int> f(n), t(n), w(n, 1), d(n + 1, 1 << 20);
    for (int i = 0; i < n; ++i) { f[i] = i; t[i] = i + 1; }
    d[0] = 0;
    int *df, *dt, *dw, *dd;
    CHECK(cudaMalloc(&df, n * 4));
    CHECK(cudaMalloc(&dt, n * 4));
    CHECK(cudaMalloc(&dw, n * 4));
    CHECK(cudaMalloc(&dd, (n + 1) * 4));
    CHECK(cudaMemcpy(df, f.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dt, t.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dw, w.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dd, d.data(), (n + 1) * 4, cudaMemcpyHostToDevice));
    relax<<<2, 128>>>(df, dt, dw, n, dd);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(d.data(), dd, (n + 1) * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(df));
    CHECK(cudaFree(dt));
    CHECK(cudaFree(dw));
    CHECK(cudaFree(dd));
    std::printf("%d\n", d[1]);
    return d[1] != 1;
}
