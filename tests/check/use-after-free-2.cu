// bug: use-after-free
// line: 27
// kernel: sum_list
// note: the kernel frees its heap node before it reads the link to the next one
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Node { int value; Node* next; };

__global__ void sum_list(int* out) {
    Node* head = nullptr;
    for (int k = 0; k < 5; ++k) {
        Node* n = static_cast<Node*>(malloc(sizeof(Node)));
        if (!n) return;
        n->value = k + threadIdx.x;
        n->next = head;
        head = n;
    }
    int s = 0;
    while (head) {
        s += head->value;
        free(head);
        head = head->next;
    }
    out[threadIdx.x] = s;
}

int main() {
    const int n = 8;
    std::vector<int> r(n);
    int* out;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    sum_list<<<1, n>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != 10 + 5 * i;
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
