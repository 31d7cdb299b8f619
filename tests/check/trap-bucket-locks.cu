// bug: none
// line: 0
// kernel: insert
// note: a spin lock a bucket, taken by lanes of one warp in turns with the done-flag loop, guards a plain list
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Bucket {
    int lock, count, item[30];
};

__global__ void insert(Bucket* b, const int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n;
    while (!done) {
        Bucket& mine = b[v[i] % 8];
        if (atomicCAS(&mine.lock, 0, 1) == 0) {
            __threadfence();
            if (mine.count < 30) mine.item[mine.count] = v[i];
            mine.count = mine.count + 1;
            __threadfence();
            atomicExch(&mine.lock, 0);
            done = true;
        }
    }
}

int main() {
    const int n = 128;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = i * 7;
    std::vector<Bucket> r(8);
    Bucket* b;
    int* v;
    CHECK(cudaMalloc(&b, sizeof(Bucket) * 8));
    CHECK(cudaMalloc(&v, n * 4));
    CHECK(cudaMemset(b, 0, sizeof(Bucket) * 8));
    CHECK(cudaMemcpy(v, h.data(), n * 4, cudaMemcpyHostToDevice));
    insert<<<2, 64>>>(b, v, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), b, sizeof(Bucket) * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(b));
    CHECK(cudaFree(v));
    int sum = 0;
    for (auto& x : r) sum += x.count;
    std::printf("%d\n", sum);
    return sum != n;
}
