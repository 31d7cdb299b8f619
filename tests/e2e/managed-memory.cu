// Managed memory: one pointer for host and device; managed variables; memory that is attached and prefetched.
// RUN: lockstep run %s
// OUT: ^managed-memory ok$
#include "support/check.h"

struct Node {
    int value;
    Node* next;
};

__managed__ int total = 5;
__managed__ float grid[4][8];

__global__ void add_list(const Node* head) {
    for (const Node* node = head; node; node = node->next) total += node->value;
}

__global__ void fill(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 2 + 1;
    if (i < 32) grid[i / 8][i % 8] += i;
}

int main() {
    int* data = nullptr;
    const int n = 1000;
    CUDA(cudaMallocManaged(&data, n * sizeof(int)));
    for (int i = 0; i < n; ++i) data[i] = i;
    for (int i = 0; i < 32; ++i) grid[i / 8][i % 8] = 0.5f;
    fill<<<4, 256>>>(data, n);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) EXPECT_AT(i, data[i], 2 * i + 1);
    for (int i = 0; i < 32; ++i) EXPECT_AT(i, grid[i / 8][i % 8], i + 0.5f);

    Node* head = nullptr;
    for (int i = 1; i <= 10; ++i) {
        Node* node = nullptr;
        CUDA(cudaMallocManaged(&node, sizeof(Node)));
        node->value = i;
        node->next = head;
        head = node;
    }
    add_list<<<1, 1>>>(head);
    CUDA(cudaDeviceSynchronize());
    EXPECT(total == 60);
    total = 7;
    add_list<<<1, 1>>>(head->next);
    CUDA(cudaDeviceSynchronize());
    EXPECT(total == 7 + 45);

    cudaPointerAttributes attributes{};
    CUDA(cudaPointerGetAttributes(&attributes, data));
    EXPECT(attributes.type == cudaMemoryTypeManaged);
    while (head) {
        Node* next = head->next;
        CUDA(cudaFree(head));
        head = next;
    }
    CUDA(cudaFree(data));
    return finish("managed-memory");
}
