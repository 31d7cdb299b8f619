// bug: race-atomic-mixed
// line: 22,23
// kernel: drain
// note: shared queue: the tail is pushed by atomicAdd while a thread of another warp resets the head's word beside it with a plain 64-bit store that covers both
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Queue {
    unsigned head, tail;
};

__global__ void drain(const int* in, int n, int* out) {
    __shared__ alignas(8) Queue q;
    __shared__ int item[256];
    int t = threadIdx.x;
    if (t == 0) q = Queue{0, 0};
    __syncthreads();
    if (t < n && in[t] & 1) item[atomicAdd(&q.tail, 1u)] = in[t];
    if (t == 40) *reinterpret_cast<unsigned long long*>(&q) &= ~0xffffffffull;
    __syncthreads();
    if (t < q.tail) out[t] = item[t];
}

int main() {
    const int n = 128;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    int *in, *out;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, 256 * 4));
    CHECK(cudaMemset(out, 0, 256 * 4));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    drain<<<1, n>>>(in, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
