// bug: device-pointer-on-host
// line: 32
// kernel: -
// note: the host dereferences a pointer that it read from a device struct it had downloaded
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Table {
    int* data;
    int n;
};

__global__ void fill(Table t) {
    int i = threadIdx.x;
    if (i < t.n) t.data[i] = i;
}

int main() {
    Table t{nullptr, 32}, *d, back;
    CHECK(cudaMalloc(&t.data, 32 * 4));
    CHECK(cudaMalloc(&d, sizeof(Table)));
    fill<<<1, 32>>>(t);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(d, &t, sizeof(t), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(&back, d, sizeof(t), cudaMemcpyDeviceToHost));
    int sum = 0;
    for (int i = 0; i < back.n; ++i)
        sum += back.data[i];
    std::printf("%d\n", sum);
    CHECK(cudaFree(t.data));
    CHECK(cudaFree(d));
    return 0;
}
