// bug: use-after-free
// line: 36
// kernel: sweep
// note: a list on the device heap is freed by one thread while the cursor of another still points to its tail, in the next launch
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Link {
    int v;
    Link* next;
};
__device__ Link *head, *tail;

__global__ void build(int n) {
    for (int i = 0; i < n; ++i) {
        Link* l = new Link{i, nullptr};
        if (tail) tail->next = l;
        else head = l;
        tail = l;
    }
}
__global__ void drop() {
    for (Link* l = head; l;) {
        Link* n = l->next;
        delete l;
        l = n;
    }
    head = nullptr;
}
__global__ void sweep(int* out) {
    if (tail)
        *out = tail->v;
}

int main() {
    int *out, r;
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemset(out, 0, 4));
    build<<<1, 1>>>(5);
    drop<<<1, 1>>>();
    sweep<<<1, 1>>>(out);
    cudaError_t e = cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
    std::printf("%s\n", cudaGetErrorString(e));
    cudaFree(out);
    return 0;
}
