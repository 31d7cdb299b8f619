// bug: index-overflow
// line: 14
// kernel: gather
// note: an offset from a table and one from the thread are added in an int
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void gather(const int* offset, const short* data, int* out) {
    int i = threadIdx.x;
    int first = offset[i];
    int at = first + 1000 * i;
    out[i] = data[at];
}

int main() {
    int o[32], r[32];
    for (int i = 0; i < 32; ++i) o[i] = i < 31 ? i : 2147483000;
    int *offset, *out;
    short* data;
    CHECK(cudaMalloc(&offset, sizeof o));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMalloc(&data, 40000 * 2));
    CHECK(cudaMemset(data, 0, 40000 * 2));
    CHECK(cudaMemcpy(offset, o, sizeof o, cudaMemcpyHostToDevice));
    gather<<<1, 32>>>(offset, data, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaFree(offset);
    cudaFree(out);
    cudaFree(data);
    std::printf("%d\n", r[0]);
    return 0;
}
