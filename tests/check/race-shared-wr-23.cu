// bug: race-shared-wr
// line: 17,21
// kernel: stages
// note: the consumers wait at barrier 2, the producers arrive at barrier 1 and later at 2
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void stages(const int* in, int* out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    if (t < 64) {
        asm volatile("bar.arrive 2, 128;" ::: "memory");
        box[t] = in[t] * 3;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        out[t] = box[127 - t];
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    stages<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
