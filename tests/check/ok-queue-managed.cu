// bug: none
// line: 0
// kernel: -
// note: work queue: head taken by atomicAdd of one lane and broadcast by shuffle; results go to managed memory that the host reads after an event
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void workers(int* head, const int* job, int jobs, int* done) {
    int lane = threadIdx.x & 31;
    for (;;) {
        int k = 0;
        if (lane == 0) k = atomicAdd(head, 1);
        k = __shfl_sync(~0u, k, 0);
        if (k >= jobs) return;
        int s = 0;
        for (int i = lane; i < job[k]; i += 32) s += i;
        s = __reduce_add_sync(~0u, s);
        if (lane == 0) done[k] = s;
    }
}

int main() {
    const int jobs = 40;
    int *head, *job, *done;
    CHECK(cudaMallocManaged(&head, 4));
    CHECK(cudaMallocManaged(&job, jobs * 4));
    CHECK(cudaMallocManaged(&done, jobs * 4));
    *head = 0;
    for (int i = 0; i < jobs; ++i) job[i] = 3 * i;
    cudaEvent_t e;
    CHECK(cudaEventCreate(&e));
    workers<<<3, 96>>>(head, job, jobs, done);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(e));
    CHECK(cudaEventSynchronize(e));
    int bad = 0;
    for (int i = 0; i < jobs; ++i) bad += done[i] != 3 * i * (3 * i - 1) / 2;
    CHECK(cudaEventDestroy(e));
    CHECK(cudaFree(head));
    CHECK(cudaFree(job));
    CHECK(cudaFree(done));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
