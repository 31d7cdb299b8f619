// bug: none
// line: 0
// kernel: bubble
// note: all threads leave the loop together since the condition is the barrier's own vote, and a block that has nothing to do returns as one
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void bubble(int* v, const int* size) {
    __shared__ int s[64];
    int n = size[blockIdx.x], t = threadIdx.x;
    if (n == 0) return;
    if (t < n) s[t] = v[blockIdx.x * 64 + t];
    __syncthreads();
    int phase = 0, quiet = 0;
    while (quiet < 2) {
        int at = 2 * t + phase, swapped = 0;
        if (at + 1 < n && s[at] > s[at + 1]) {
            int x = s[at];
            s[at] = s[at + 1];
            s[at + 1] = x;
            swapped = 1;
        }
        quiet = __syncthreads_or(swapped) ? 0 : quiet + 1;
        phase ^= 1;
    }
    if (t < n) v[blockIdx.x * 64 + t] = s[t];
}

int main() {
    std::vector<int> h(192);
    for (int i = 0; i < 192; ++i) h[i] = i * 29 % 64;
    int sizes[3] = {64, 0, 33}, *v, *size;
    CHECK(cudaMalloc(&v, 192 * 4));
    CHECK(cudaMalloc(&size, 12));
    CHECK(cudaMemcpy(v, h.data(), 192 * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(size, sizes, 12, cudaMemcpyHostToDevice));
    bubble<<<3, 64>>>(v, size);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), v, 192 * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    CHECK(cudaFree(size));
    for (int i = 1; i < 64; ++i)
        if (h[i - 1] > h[i]) return 1;
    std::printf("%d\n", h[0]);
    return 0;
}
