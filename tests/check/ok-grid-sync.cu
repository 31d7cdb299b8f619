// bug: none
// line: 0
// kernel: -
// note: ping-pong Jacobi sweeps with grid.sync() between them in a cooperative launch
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

namespace cg = cooperative_groups;

__global__ void jacobi(double* a, double* b, int n, int sweeps) {
    cg::grid_group grid = cg::this_grid();
    int i = int(grid.thread_rank());
    for (int k = 0; k < sweeps; ++k) {
        if (i < n) {
            double l = i > 0 ? a[i - 1] : 0, r = i + 1 < n ? a[i + 1] : 0;
            b[i] = 0.5 * (l + r);
        }
        grid.sync();
        double* t = a;
        a = b;
        b = t;
    }
}

int main() {
    int n = 300, sweeps = 6;
    std::vector<double> h(n, 8.0), g;
    double *a, *b;
    CHECK(cudaMalloc(&a, n * 8));
    CHECK(cudaMalloc(&b, n * 8));
    CHECK(cudaMemcpy(a, h.data(), n * 8, cudaMemcpyHostToDevice));
    void* args[] = {&a, &b, &n, &sweeps};
    CHECK(cudaLaunchCooperativeKernel((void*)jacobi, dim3(5), dim3(64), args));
    std::vector<double> r(n);
    CHECK(cudaMemcpy(r.data(), a, n * 8, cudaMemcpyDeviceToHost));
    for (int k = 0; k < sweeps; ++k) {
        g = h;
        for (int i = 0; i < n; ++i) h[i] = 0.5 * ((i ? g[i - 1] : 0) + (i + 1 < n ? g[i + 1] : 0));
    }
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != h[i];
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
