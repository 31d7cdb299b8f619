// Memory from inside a kernel: malloc and free, new and delete, lists that outlive their kernel, exhaustion
// as a null pointer.
// RUN: lockstep run %s
// OUT: ^device-malloc ok$
#include "support/check.h"

struct Node {
    int value;
    Node* next;
    __device__ Node(int v, Node* n) : value(v), next(n) {}
};

__global__ void build(Node** heads, int length) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Node* head = nullptr;
    for (int i = 0; i < length; ++i) head = new Node(t * 100 + i, head);
    heads[t] = head;
}

__global__ void consume(Node** heads, int* sums) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    Node* node = heads[t];
    while (node) {
        Node* next = node->next;
        sum += node->value;
        delete node;
        node = next;
    }
    sums[t] = sum;
}

__global__ void scratch(int* out) {
    int t = threadIdx.x, size = t % 7 + 1;
    int* memory = static_cast<int*>(malloc(size * sizeof(int)));
    if (!memory) {
        out[t] = -1;
        return;
    }
    for (int i = 0; i < size; ++i) memory[i] = i * t;
    int sum = 0;
    for (int i = 0; i < size; ++i) sum += memory[i];
    out[t] = sum;
    free(memory);
}

__global__ void shared_by_block(int* out) {
    __shared__ int* memory;
    if (threadIdx.x == 0) memory = new int[blockDim.x];
    __syncthreads();
    memory[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) delete[] memory;
}

__global__ void too_much(int* out) {
    // Through a volatile, or the compiler would know that nobody needs this memory and assume that there is
    // enough.
    void* volatile memory = malloc(size_t{1} << 40);
    out[0] = memory == nullptr;
    free(memory);  // freeing null does nothing
}

int main() {
    CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    size_t heap = 0;
    CUDA(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    EXPECT(heap >= 16u << 20);

    const int n = 128, length = 20;
    Node** heads = device_zeros<Node*>(n);
    int* out = device_zeros<int>(n);
    for (int round = 0; round < 3; ++round) {  // what one round frees the next can have
        build<<<2, n / 2>>>(heads, length);
        consume<<<2, n / 2>>>(heads, out);
        auto s = to_host(out, n);
        for (int t = 0; t < n; ++t) EXPECT_AT(t, s[t], t * 100 * length + length * (length - 1) / 2);
    }
    scratch<<<1, n>>>(out);
    auto s = to_host(out, n);
    for (int t = 0; t < n; ++t) EXPECT_AT(t, s[t], t * (t % 7) * (t % 7 + 1) / 2);
    shared_by_block<<<2, 64>>>(out);
    s = to_host(out, n);
    for (int t = 0; t < n; ++t) EXPECT_AT(t, s[t], 63 - t % 64);
    too_much<<<1, 1>>>(out);
    EXPECT_AT(0, to_host(out, 1)[0], 1);
    return finish("device-malloc");
}
