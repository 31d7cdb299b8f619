// bug: none
// line: 0
// kernel: -
// note: device-heap lists built in one launch, walked in a second and freed in a third; new and delete with a constructor
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Node { int v; Node* next; __device__ Node(int x, Node* n) : v(x), next(n) {} };

__global__ void build(Node** heads) {
    Node* h = nullptr;
    for (int k = 0; k <= int(threadIdx.x); ++k) h = new Node(k, h);
    heads[threadIdx.x] = h;
}

__global__ void walk(Node* const* heads, int* out) {
    int s = 0;
    for (const Node* n = heads[threadIdx.x]; n; n = n->next) s += n->v;
    out[threadIdx.x] = s;
}

__global__ void drop(Node** heads) {
    for (Node* n = heads[threadIdx.x]; n;) {
        Node* next = n->next;
        delete n;
        n = next;
    }
}

int main() {
    const int n = 16;
    std::vector<int> r(n);
    Node** heads;
    int* out;
    CHECK(cudaMalloc(&heads, n * sizeof(Node*)));
    CHECK(cudaMalloc(&out, n * 4));
    build<<<1, n>>>(heads);
    walk<<<1, n>>>(heads, out);
    drop<<<1, n>>>(heads);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != i * (i + 1) / 2;
    CHECK(cudaFree(heads));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
