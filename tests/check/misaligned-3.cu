// bug: misaligned
// line: 18
// kernel: sum_pairs
// note: the doubles start in shared memory right after 33 ints, at byte 132, which is not a multiple of eight
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void sum_pairs(const double* x, double* out, int keys) {
    extern __shared__ int pool[];
    int* key = pool;
    double* val = reinterpret_cast<double*>(pool + keys);
    int t = threadIdx.x;
    if (t < keys) key[t] = t * t;
    val[t] = x[t];
    __syncthreads();
    out[t] = val[t] + key[t % keys];
}

int main() {
    const int n = 64, keys = 33;
    std::vector<double> h(n), r(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    double *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(double)));
    CHECK(cudaMalloc(&out, n * sizeof(double)));
    CHECK(cudaMemcpy(x, h.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    sum_pairs<<<1, n, keys * sizeof(int) + n * sizeof(double)>>>(x, out, keys);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != i + double(i % keys) * (i % keys);
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
