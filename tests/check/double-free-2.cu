// bug: double-free
// line: 25
// kernel: -
// note: both the list of buffers and the single name own the same pinned block
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const int n = 64;
    std::vector<int*> owned;
    int *a, *b;
    CHECK(cudaMallocHost(&a, n * sizeof(int)));
    owned.push_back(a);
    CHECK(cudaMallocHost(&b, n * sizeof(int)));
    owned.push_back(b);
    for (int i = 0; i < n; ++i) a[i] = b[i] = i;
    int s = 0;
    for (int i = 0; i < n; ++i) s += a[i] - b[i];
    cudaFreeHost(a);
    for (int* p : owned)
        cudaFreeHost(p);
    cudaGetLastError();
    std::printf("%d\n", s);
    return s != 0;
}
