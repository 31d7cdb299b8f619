// bug: leak
// line: 13
// kernel: keep
// note: a heap string of the device is allocated per thread and the pointer is dropped
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__device__ char* label(int i) {
    char* s = static_cast<char*>(malloc(16));
    if (!s) return nullptr;
    s[0] = char('a' + i % 26);
    s[1] = 0;
    return s;
}

__global__ void keep(char** names, char* first, int n) {
    int i = threadIdx.x;
    if (i < n) {
        names[i] = label(i);
        first[i] = names[i] ? names[i][0] : '?';
    }
}

__global__ void drop(char** names, int n) {
    int i = threadIdx.x;
    if (i < n - 1) free(names[i]);
}

int main() {
    const int n = 20;
    char** names;
    char *first, h[n];
    CHECK(cudaMalloc(&names, n * sizeof(char*)));
    CHECK(cudaMalloc(&first, n));
    keep<<<1, 32>>>(names, first, n);
    drop<<<1, 32>>>(names, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, first, n, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(names));
    CHECK(cudaFree(first));
    std::printf("%c\n", h[3]);
    return h[3] != 'd';
}
