// bug: barrier-divergent
// line: 14
// kernel: dispatch
// note: two cases of a switch each end in a barrier, one falls through without it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ void flush(int* s, int t) {
    s[t] += 1;
    __syncthreads();
}

__global__ void dispatch(const int* kind, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = 0;
    switch (kind[t / 32]) {
        case 0: flush(s, t); break;
        case 1: s[t] += 2;
        default: s[t] += 3;
    }
    out[t] = s[t];
}

int main() {
    int kinds[4] = {0, 1, 0, 2}, *k, *out, r[128];
    CHECK(cudaMalloc(&k, sizeof(kinds)));
    CHECK(cudaMalloc(&out, sizeof(r)));
    CHECK(cudaMemcpy(k, kinds, sizeof(kinds), cudaMemcpyHostToDevice));
    dispatch<<<1, 128>>>(k, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(k));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
