// bug: use-after-free
// line: 16
// kernel: norm
// note: the pointer table on the device still holds the address of a row that was freed and replaced
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void norm(double* const* rows, int cols, double* out) {
    const double* row = rows[blockIdx.x];
    double s = 0;
    for (int k = threadIdx.x; k < cols; k += 32)
        s += row[k];
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}

int main() {
    const int rows = 3, cols = 100;
    std::vector<double> ones(cols, 1.0), r(rows);
    std::vector<double*> p(rows);
    for (auto& q : p) {
        CHECK(cudaMalloc(&q, cols * sizeof(double)));
        CHECK(cudaMemcpy(q, ones.data(), cols * sizeof(double), cudaMemcpyHostToDevice));
    }
    double **table, *out;
    CHECK(cudaMalloc(&table, rows * sizeof(double*)));
    CHECK(cudaMalloc(&out, rows * sizeof(double)));
    CHECK(cudaMemcpy(table, p.data(), rows * sizeof(double*), cudaMemcpyHostToDevice));
    CHECK(cudaFree(p[1]));
    CHECK(cudaMalloc(&p[1], 4 * cols * sizeof(double)));
    norm<<<rows, 32>>>(table, cols, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, rows * sizeof(double), cudaMemcpyDeviceToHost));
    for (auto q : p) CHECK(cudaFree(q));
    CHECK(cudaFree(table));
    CHECK(cudaFree(out));
    std::printf("%g %g\n", r[0], r[2]);
    return r[0] != cols || r[2] != cols;
}
