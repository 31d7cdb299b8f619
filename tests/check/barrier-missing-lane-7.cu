// bug: barrier-missing-lane
// line: 15
// kernel: count
// note: the loop's trip count differs by lane, so that the ballot of the later trips names lanes that have left
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void count(const int* len, int* out) {
    int t = threadIdx.x, c = 0;
    for (int k = 0; k < len[t]; ++k) {
        unsigned b = __ballot_sync(0xffffffffu, (k ^ t) & 1);
        c += __popc(b);
    }
    out[t] = c;
}

int main() {
    std::vector<int> h(32);
    for (int i = 0; i < 32; ++i) h[i] = 1 + i / 8;
    int *len, *out;
    CHECK(cudaMalloc(&len, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(len, h.data(), 128, cudaMemcpyHostToDevice));
    count<<<1, 32>>>(len, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(len));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
