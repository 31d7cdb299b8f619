// bug: none
// line: 0
// kernel: ring
// note: a bounded queue whose cells have sequence numbers: acquire and release of cuda::atomic_ref order the plain payload
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/atomic>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Cell {
    unsigned seq;
    int value;
};
struct Ring {
    Cell cell[8];
    unsigned head, tail;
};
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ void push(Ring* r, int v) {
    unsigned at = Ref(r->tail).fetch_add(1, cuda::memory_order_relaxed);
    Cell& c = r->cell[at % 8];
    while (Ref(c.seq).load(cuda::memory_order_acquire) != at) {
    }
    c.value = v;
    Ref(c.seq).store(at + 1, cuda::memory_order_release);
}
__device__ int pop(Ring* r) {
    unsigned at = Ref(r->head).fetch_add(1, cuda::memory_order_relaxed);
    Cell& c = r->cell[at % 8];
    while (Ref(c.seq).load(cuda::memory_order_acquire) != at + 1) {
    }
    int v = c.value;
    Ref(c.seq).store(at + 8, cuda::memory_order_release);
    return v;
}

__global__ void ring(Ring* r, int each, int* sum) {
    if (threadIdx.x) return;
    if (blockIdx.x < 2)
        for (int k = 0; k < each; ++k) push(r, k + 1);
    else
        for (int k = 0; k < each; ++k) atomicAdd(sum, pop(r));
}

int main() {
    Ring h{}, *d;
    for (unsigned i = 0; i < 8; ++i) h.cell[i].seq = i;
    int *sum, r;
    CHECK(cudaMalloc(&d, sizeof(h)));
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMemset(sum, 0, 4));
    CHECK(cudaMemcpy(d, &h, sizeof(h), cudaMemcpyHostToDevice));
    ring<<<4, 32>>>(d, 20, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, sum, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(sum));
    std::printf("%d\n", r);
    return r != 2 * 210;
}
