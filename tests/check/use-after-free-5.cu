// bug: use-after-free
// line: 14
// kernel: k
// note: the next node is read from the one that was deleted
#include <cstdio>
#include <cuda_runtime.h>
struct Node { int value; Node* next; };
__global__ void k(int* out) {
    Node* head = nullptr;
    for (int i = 0; i < 4; ++i) { Node* n = new Node; n->value = i; n->next = head; head = n; }
    int sum = 0;
    for (Node* n = head; n;) { sum += n->value;
        delete n;
        n = n->next;
    }
    out[0] = sum;
}
int main() {
    int* d; cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    int h; cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
    cudaFree(d);
}
