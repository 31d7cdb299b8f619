// bug: none
// line: 0
// kernel: -
// note: a float maximum by a CAS loop whose first guess is an atomic load, and a double addition by CAS on its bits
#include <cstdio>
#include <cuda/atomic>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ void add_bits(double* p, double v) {
    auto* w = reinterpret_cast<unsigned long long*>(p);
    unsigned long long old = atomicAdd(w, 0ull), seen;
    do {
        seen = old;
        old = atomicCAS(w, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (old != seen);
}

__device__ void max_f(float* p, float v) {
    cuda::atomic_ref<float, cuda::thread_scope_device> r(*p);
    float have = r.load(cuda::memory_order_relaxed);
    while (have < v && !r.compare_exchange_weak(have, v, cuda::memory_order_relaxed)) {}
}

__global__ void stats(const float* x, int n, double* sum, float* top) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        add_bits(sum, x[i]);
        max_f(top, x[i]);
    }
}

int main() {
    const int n = 300;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = float(i % 100);
    float *x, *top, t = 0;
    double *sum, s = 0;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&top, 4));
    CHECK(cudaMalloc(&sum, 8));
    CHECK(cudaMemset(top, 0, 4));
    CHECK(cudaMemset(sum, 0, 8));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    stats<<<3, 128>>>(x, n, sum, top);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&t, top, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&s, sum, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(top));
    CHECK(cudaFree(sum));
    std::printf("%g %g\n", t, s);
    return t != 99 || s != 3 * 4950;
}
