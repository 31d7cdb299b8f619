// bug: race-global-blocks
// line: 24,24
// kernel: add
// note: the last store of the critical section stands behind the release of the lock
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Stat {
    int lock, sum, last;
};

__global__ void add(Stat* s, const int* v) {
    if (threadIdx.x) return;
    while (atomicCAS(&s->lock, 0, 1) != 0) {
    }
    __threadfence();
    s->sum += v[blockIdx.x];
    __threadfence();
    atomicExch(&s->lock, 0);
    s->last = v[blockIdx.x];
}

int main() {
    int h[6] = {1, 2, 3, 4, 5, 6}, *v;
    Stat *s, r;
    CHECK(cudaMalloc(&v, sizeof(h)));
    CHECK(cudaMalloc(&s, sizeof(Stat)));
    CHECK(cudaMemset(s, 0, sizeof(Stat)));
    CHECK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    add<<<6, 32>>>(s, v);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, s, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    CHECK(cudaFree(s));
    std::printf("%d\n", r.sum);
    return 0;
}
