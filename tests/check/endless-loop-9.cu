// bug: endless-loop
// line: 19
// kernel: ticket
// note: a ticket lock is left without serving the next number when there is nothing to do
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct TicketLock {
    unsigned next, serving;
};

__global__ void ticket(TicketLock* l, const int* work, int* sum) {
    if (threadIdx.x) return;
    unsigned mine = atomicAdd(&l->next, 1u);
    while (atomicAdd(&l->serving, 0u) != mine) {
    }
    __threadfence();
    if (work[blockIdx.x] == 0) return;
    *sum += work[blockIdx.x];
    __threadfence();
    atomicAdd(&l->serving, 1u);
}

int main() {
    int h[8] = {1, 2, 3, 0, 5, 6, 7, 8}, *w, *sum, r = 0;
    TicketLock* l;
    CHECK(cudaMalloc(&w, sizeof(h)));
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMalloc(&l, sizeof(TicketLock)));
    CHECK(cudaMemset(l, 0, sizeof(TicketLock)));
    CHECK(cudaMemset(sum, 0, 4));
    CHECK(cudaMemcpy(w, h, sizeof(h), cudaMemcpyHostToDevice));
    ticket<<<8, 32>>>(l, w, sum);
    cudaError_t e = cudaMemcpy(&r, sum, 4, cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", cudaGetErrorString(e), r);
    return 0;
}
