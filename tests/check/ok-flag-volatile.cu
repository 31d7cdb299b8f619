// bug: none
// line: 0
// kernel: -
// note: producer and consumer blocks: data, __threadfence, volatile flag; the consumer spins on the flag, fences and reads
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void pass_on(volatile int* flag, int* data, int* out) {
    int b = blockIdx.x, t = threadIdx.x;
    if (b > 0) {
        if (t == 0) {
            while (flag[b - 1] == 0) {}
            __threadfence();
        }
        __syncthreads();
    }
    int left = b > 0 ? ((volatile int*)data)[(b - 1) * 64 + (63 - t)] : 0;
    data[b * 64 + t] = left + 1;
    out[b * 64 + t] = left;
    __threadfence();
    __syncthreads();
    if (t == 0) flag[b] = 1;
}

int main() {
    const int nb = 5;
    std::vector<int> r(nb * 64);
    int *flag, *data, *out;
    CHECK(cudaMalloc(&flag, nb * 4));
    CHECK(cudaMalloc(&data, nb * 256));
    CHECK(cudaMalloc(&out, nb * 256));
    CHECK(cudaMemset(flag, 0, nb * 4));
    pass_on<<<nb, 64>>>(flag, data, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, nb * 256, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < nb * 64; ++i) bad += r[i] != i / 64;
    CHECK(cudaFree(flag));
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
