// bug: race-shared-ww
// line: 20,20
// kernel: best_of
// note: every thread that ties for the maximum stores its own index
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void best_of(const int* score, int* who) {
    __shared__ int top, at;
    if (threadIdx.x == 0) { top = -1; at = -1; }
    __syncthreads();
    int s = score[blockIdx.x * blockDim.x + threadIdx.x];
    atomicMax(&top, s);
    __syncthreads();
    if (s == top)
        at = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) who[blockIdx.x] = at;
}

int main() {
    const int nb = 3, bs = 128;
    std::vector<int> h(nb * bs), r(nb);
    for (int i = 0; i < nb * bs; ++i) h[i] = i % 50;
    int *s, *w;
    CHECK(cudaMalloc(&s, h.size() * 4));
    CHECK(cudaMalloc(&w, nb * 4));
    CHECK(cudaMemcpy(s, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    best_of<<<nb, bs>>>(s, w);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), w, nb * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int b = 0; b < nb; ++b) bad += r[b] < 0 || h[b * bs + r[b]] != 49;
    CHECK(cudaFree(s));
    CHECK(cudaFree(w));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
