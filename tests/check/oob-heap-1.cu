// bug: oob-global-write
// line: 24
// kernel: tree
// note: a node from the device heap is written one past its array of children
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Node {
    int key;
    Node* child[4];
};

__global__ void tree(int* out) {
    int t = threadIdx.x;
    char* raw = (char*)malloc(sizeof(Node) - sizeof(Node*));
    if (!raw) return;
    Node* n = (Node*)raw;
    n->key = t;
    n->child[0] = nullptr;
    n->child[3] = n;
    out[t] = n->key;
    free(raw);
}

int main() {
    int *out, r[32];
    CHECK(cudaMalloc(&out, sizeof(r)));
    tree<<<1, 32>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[31]);
    return 0;
}
