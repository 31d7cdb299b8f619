// bug: barrier-missing-lane
// line: 16
// kernel: prefix
// note: the value is shuffled from lane 31 although only the lanes below n take part and are in the mask
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void prefix(const int* x, int n, int* out) {
    int lane = threadIdx.x;
    unsigned mask = __ballot_sync(~0u, lane < n);
    if (lane < n) {
        int last = __shfl_sync(mask, x[lane], 31);
        out[lane] = last + x[lane];
    }
}

int main() {
    const int n = 20;
    std::vector<int> h(n, 1), r(n);
    int *x, *out;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice));
    prefix<<<1, 32>>>(x, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
