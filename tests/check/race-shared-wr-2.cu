// bug: race-shared-wr
// line: 15,21
// kernel: rotate
// note: the block writes its own cell and reads that of a thread 40 places on with no barrier between (RAW), in a 2-D block
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Cell { float v; int age; };

__device__ Cell neighbour(const Cell* s, int t, int n) {
    return s[(t + 40) % n];
}

__global__ void rotate(const float* in, float* out) {
    __shared__ Cell s[16 * 8];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    s[t] = Cell{in[t], t};
    Cell c = neighbour(s, t, 128);
    out[t] = c.v + c.age;
}

int main() {
    std::vector<float> h(128), r(128);
    for (int i = 0; i < 128; ++i) h[i] = float(2 * i);
    float *in, *out;
    CHECK(cudaMalloc(&in, 512));
    CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemcpy(in, h.data(), 512, cudaMemcpyHostToDevice));
    rotate<<<1, dim3(16, 8)>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < 128; ++i) bad += r[i] != 3.0f * ((i + 40) % 128);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return 0;
}
