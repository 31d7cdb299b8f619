// bug: none
// line: 0
// kernel: phases
// note: cuda::latch and cuda::counting_semaphore in device memory order plain accesses of two blocks
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/latch>
#include <cuda/semaphore>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Sync {
    cuda::latch<cuda::thread_scope_device> ready;
    cuda::binary_semaphore<cuda::thread_scope_device> turn;
};

__global__ void make(Sync* s) {
    new (&s->ready) cuda::latch<cuda::thread_scope_device>(2);
    new (&s->turn) cuda::binary_semaphore<cuda::thread_scope_device>(1);
}

__global__ void phases(Sync* s, int* data, int* sum) {
    if (threadIdx.x) return;
    data[blockIdx.x] = blockIdx.x + 1;
    s->ready.arrive_and_wait();
    s->turn.acquire();
    *sum += data[1 - blockIdx.x];
    s->turn.release();
}

int main() {
    Sync* s;
    int *data, *sum, r;
    CHECK(cudaMalloc(&s, sizeof(Sync)));
    CHECK(cudaMalloc(&data, 8));
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMemset(sum, 0, 4));
    make<<<1, 1>>>(s);
    phases<<<2, 32>>>(s, data, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&r, sum, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(s));
    CHECK(cudaFree(data));
    CHECK(cudaFree(sum));
    std::printf("%d\n", r);
    return r != 3;
}
