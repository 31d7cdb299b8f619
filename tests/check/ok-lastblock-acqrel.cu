// bug: none
// line: 0
// kernel: -
// note: last block with cuda::atomic_ref and acquire-release order instead of fences
#include <cstdio>
#include <cuda/atomic>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ unsigned ticket;

__global__ void dot(const double* a, const double* b, double* part, double* out, int n) {
    __shared__ double s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    double v = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) v += a[i] * b[i];
    s[t] = v;
    __syncthreads();
    for (int k = 64; k; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> c(ticket);
        last = c.fetch_add(1u, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        if (t == 0) {
            double sum = 0;
            for (int k = 0; k < gridDim.x; ++k) sum += part[k];
            *out = sum;
        }
    }
}

int main() {
    const int n = 3000;
    std::vector<double> h(n, 2.0);
    double *a, *part, *out, got = 0;
    CHECK(cudaMalloc(&a, n * 8));
    CHECK(cudaMalloc(&part, 80));
    CHECK(cudaMalloc(&out, 8));
    CHECK(cudaMemcpy(a, h.data(), n * 8, cudaMemcpyHostToDevice));
    dot<<<10, 128>>>(a, a, part, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, out, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(part));
    CHECK(cudaFree(out));
    std::printf("%g\n", got);
    return got != 4.0 * n;
}
