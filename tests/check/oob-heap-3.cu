// bug: oob-heap
// line: 22
// kernel: lists
// note: a node of the device heap holds seven numbers; eight are written
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Node {
    int size;
    int item[1];
};

__global__ void lists(int* out) {
    Node* node = static_cast<Node*>(malloc(sizeof(int) * 8));
    if (!node) return;
    node->size = 8;
    for (int i = 0; i < node->size; ++i)
        node->item[i] = i;
    out[threadIdx.x] = node->item[3];
    free(node);
}

int main() {
    const int n = 32;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    lists<<<1, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
