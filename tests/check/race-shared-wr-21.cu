// bug: race-shared-wr
// line: 18,22
// kernel: march
// note: two buffers and one barrier a step, but the first is written again in the same step
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void march(const int* in, int* out) {
    __shared__ int buffer[2][128];
    int t = threadIdx.x, now = 0;
    buffer[0][t] = in[t];
    __syncthreads();
    for (int step = 0; step < 6; ++step) {
        int left = buffer[now][(t + 127) % 128];
        buffer[now ^ 1][t] = left + 1;
        __syncthreads();
        if (step % 3 == 2)
            buffer[now ^ 1][t] += 5;
        now ^= 1;
    }
    out[t] = buffer[now][t];
}

int main() {
    const int n = 128;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    march<<<1, 128>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
