// bug: race-shared-wr
// line: 17,24
// kernel: pump
// note: the box is filled again before the consumers said that they have emptied it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void pump(const int* in, int* out) {
    __shared__ int box[32];
    int t = threadIdx.x;
    if (t < 32) {
        for (int round = 0; round < 4; ++round) {
            box[t] = in[t] + round;
            asm volatile("bar.sync 3, 64;" ::: "memory");
        }
    } else {
        int sum = 0;
        for (int round = 0; round < 4; ++round) {
            asm volatile("bar.sync 3, 64;" ::: "memory");
            sum += box[63 - t];
        }
        out[t] = sum;
    }
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    pump<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
