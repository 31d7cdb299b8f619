// bug: uninit-shared-read
// line: 21
// kernel: select
// note: only even threads store their flag; the branch of the others depends on whatever stood there
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Entry { char kind; double w; };

__global__ void select(const double* x, double* out) {
    __shared__ Entry e[64];
    int t = threadIdx.x;
    if (t % 2 == 0) e[t].kind = 'a';
    e[t].w = x[t];
    __syncthreads();
    double r = 0.0;
    if (e[t ^ 3].kind == 'a')
        r = e[t ^ 3].w;
    out[t] = r;
}

int main() {
    std::vector<double> h(64, 4.0), r(64);
    double *x, *out;
    CHECK(cudaMalloc(&x, 512));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(x, h.data(), 512, cudaMemcpyHostToDevice));
    select<<<1, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[1]);
    return r[1] != 4.0;
}
