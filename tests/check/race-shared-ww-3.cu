// bug: race-shared-ww
// line: 18,18
// kernel: mark
// note: bits of neighbouring threads share a byte: the read-modify-write of one loses that of another
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void mark(const int* x, unsigned char* out) {
    __shared__ unsigned char bits[32];
    int t = threadIdx.x;
    if (t < 32) bits[t] = 0;
    __syncthreads();
    if (x[t] & 1)
        bits[t % 32] |= (unsigned char)(1u << (t / 32));
    __syncthreads();
    if (t < 32) out[t] = bits[t];
}

int main() {
    std::vector<int> h(256, 1);
    std::vector<unsigned char> r(32);
    int* x;
    unsigned char* out;
    CHECK(cudaMalloc(&x, 1024));
    CHECK(cudaMalloc(&out, 32));
    CHECK(cudaMemcpy(x, h.data(), 1024, cudaMemcpyHostToDevice));
    mark<<<1, 256>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 32, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%d\n", int(r[0]));
    return 0;
}
