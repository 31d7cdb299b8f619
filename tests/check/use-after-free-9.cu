// bug: use-after-free
// line: 13
// kernel: scale
// note: freed in one stream, used in another that does not wait
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scale(int* data, int by) {
    data[threadIdx.x] *= by;
}

int main() {
    int* data;
    cudaStream_t one, two;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaMallocAsync(&data, 1024, one));
    CHECK(cudaMemsetAsync(data, 0, 1024, one));
    scale<<<1, 256, 0, one>>>(data, 3);
    int first = 0;
    CHECK(cudaMemcpyAsync(&first, data, 4, cudaMemcpyDeviceToHost, one));
    CHECK(cudaFreeAsync(data, one)); 
    CHECK(cudaStreamSynchronize(one));
    scale<<<1, 256, 0, two>>>(data, 2);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(two));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    std::printf("%d\n", first);
    return 0;
}
