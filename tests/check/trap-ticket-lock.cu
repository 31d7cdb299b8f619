// bug: none
// line: 0
// kernel: deposit
// note: a ticket lock with fences guards plain accesses of every thread of several blocks, one lane at a time
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Ticket {
    unsigned next, serving;
};
struct Account {
    long long sum;
    int count;
};

__device__ void deposit_one(Ticket* t, Account* a, int v) {
    unsigned mine = atomicAdd(&t->next, 1u);
    while (*(volatile unsigned*)&t->serving != mine) __nanosleep(20);
    __threadfence();
    a->sum += v;
    a->count += 1;
    __threadfence();
    atomicExch(&t->serving, mine + 1);
}

__global__ void deposit(Ticket* t, Account* a, const int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) deposit_one(t, a, v[i]);
}

int main() {
    const int n = 70;
    std::vector<int> h(n, 2);
    int* v;
    Ticket* t;
    Account *a, r;
    CHECK(cudaMalloc(&v, n * 4));
    CHECK(cudaMalloc(&t, sizeof(Ticket)));
    CHECK(cudaMalloc(&a, sizeof(Account)));
    CHECK(cudaMemset(t, 0, sizeof(Ticket)));
    CHECK(cudaMemset(a, 0, sizeof(Account)));
    CHECK(cudaMemcpy(v, h.data(), n * 4, cudaMemcpyHostToDevice));
    deposit<<<3, 32>>>(t, a, v, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, a, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    CHECK(cudaFree(t));
    CHECK(cudaFree(a));
    std::printf("%lld %d\n", r.sum, r.count);
    return r.sum != 2 * n;
}
