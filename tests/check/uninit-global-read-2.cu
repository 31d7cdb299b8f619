// bug: uninit-global-read
// line: 19
// kernel: norms
// note: the memset counts elements of float4 as floats: only the first quarter of the vectors was cleared
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Field { const float4* v; int n; };

__device__ float len2(float4 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

__global__ void norms(Field f, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < f.n) {
        float4 a = f.v[i];
        out[i] = len2(a);
    }
}

int main() {
    const int n = 128;
    std::vector<float> r(n);
    float4* v;
    float* out;
    CHECK(cudaMalloc(&v, n * sizeof(float4)));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemset(v, 0, n * sizeof(float)));
    norms<<<1, 128>>>(Field{v, n}, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return r[0] != 0;
}
