// bug: uninit-global-read
// line: 25
// kernel: grow
// note: the heap record of each thread has a counter that nobody set before it is increased
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Rec { double sum; int count; };

__device__ Rec* make() {
    Rec* r = static_cast<Rec*>(malloc(sizeof(Rec)));
    if (r) r->sum = 0.0;
    return r;
}

__global__ void grow(const double* x, int n, int* out) {
    Rec* r = make();
    if (!r) return;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        r->sum += x[i];
        r->count += 1;
    }
    out[threadIdx.x] = r->count + int(r->sum);
    free(r);
}

int main() {
    const int n = 96, t = 16;
    std::vector<double> h(n, 0.5);
    std::vector<int> r(t);
    double* x;
    int* out;
    CHECK(cudaMalloc(&x, n * 8));
    CHECK(cudaMalloc(&out, t * 4));
    CHECK(cudaMemcpy(x, h.data(), n * 8, cudaMemcpyHostToDevice));
    grow<<<1, t>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, t * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
