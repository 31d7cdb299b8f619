// Quicksort by kernels that launch kernels: each half in a stream that the thread made and destroyed at once,
// and at the end, in the tail stream, a kernel that looks whether all is in order; sums over a tree by
// kernels that are fired and forgotten; a scan whose steps launch each other in the tail.
// RUN: lockstep run --gpu h200 %s
// OUT: ^sorted: 0 out of order, 561 launches, 12 deep, no errors$
// OUT: ^tree 2016$
// OUT: ^scan 1.5 150$
// ALSO: nvcc
#include <cstdio>

constexpr int deepest = 12, small = 16;
__device__ int launches, errors, depth_reached;

__device__ void selection_sort(int* data, int left, int right) {
    for (int i = left; i <= right; ++i) {
        int least = i;
        for (int j = i + 1; j <= right; ++j)
            if (data[j] < data[least]) least = j;
        const int moved = data[i];
        data[i] = data[least];
        data[least] = moved;
    }
}

__global__ void quicksort(int* data, int left, int right, int depth);

__device__ void sort_part(int* data, int left, int right, int depth) {
    if (left >= right) return;
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) atomicAdd(&errors, 1);
    atomicAdd(&launches, 1);
    quicksort<<<1, 1, 0, stream>>>(data, left, right, depth);
    if (cudaStreamDestroy(stream) != cudaSuccess) atomicAdd(&errors, 1);
}

__global__ void quicksort(int* data, int left, int right, int depth) {
    atomicMax(&depth_reached, depth);
    if (depth >= deepest || right - left <= small) return selection_sort(data, left, right);
    int *low = data + left, *high = data + right;
    const int pivot = data[(left + right) / 2];
    while (low <= high) {
        while (*low < pivot) ++low;
        while (*high > pivot) --high;
        if (low > high) break;
        const int moved = *low;
        *low++ = *high;
        *high-- = moved;
    }
    sort_part(data, left, static_cast<int>(high - data), depth + 1);
    sort_part(data, static_cast<int>(low - data), right, depth + 1);
    if (cudaGetLastError() != cudaSuccess) atomicAdd(&errors, 1);
}

__global__ void count_disorder(const int* data, int n, int* bad) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n && data[i] > data[i + 1]) atomicAdd(bad, 1);
}

__global__ void sort_and_verify(int* data, int n, int* bad) {
    quicksort<<<1, 1>>>(data, 0, n - 1, 0);
    count_disorder<<<(n + 127) / 128, 128, 0, cudaStreamTailLaunch>>>(data, n, bad);
}

struct Node {
    int value;
    const Node *left, *right;
};
__global__ void sum_tree(const Node* node, int* sum) {
    atomicAdd(sum, node->value);
    if (node->left) sum_tree<<<1, 1, 0, cudaStreamFireAndForget>>>(node->left, sum);
    if (node->right) sum_tree<<<1, 1, 0, cudaStreamFireAndForget>>>(node->right, sum);
}

template <class T>
__global__ void scan(T* data, int n, int step) {
    for (int i = n - 1; i >= step; --i) data[i] += data[i - step];
    if (step * 2 < n) scan<T><<<1, 1, 0, cudaStreamTailLaunch>>>(data, n, step * 2);
}

int main() {
    constexpr int n = 3000, nodes = 63, length = 100;
    int *data, *result;
    cudaMallocManaged(&data, n * sizeof(int));
    cudaMallocManaged(&result, 2 * sizeof(int));
    result[0] = result[1] = 0;
    unsigned seed = 12345;
    for (int i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = static_cast<int>((seed >> 8) % 100000);
    }
    sort_and_verify<<<1, 1>>>(data, n, result);
    cudaDeviceSynchronize();
    int made, failed, depth;
    cudaMemcpyFromSymbol(&made, launches, sizeof made);
    cudaMemcpyFromSymbol(&failed, errors, sizeof failed);
    cudaMemcpyFromSymbol(&depth, depth_reached, sizeof depth);
    std::printf("sorted: %d out of order, %d launches, %d deep, %s\n", result[0], made, depth,
                failed ? "errors" : "no errors");

    Node* tree;
    cudaMallocManaged(&tree, nodes * sizeof(Node));
    for (int i = 0; i < nodes; ++i)
        tree[i] = {i + 1, 2 * i + 1 < nodes ? &tree[2 * i + 1] : nullptr,
                   2 * i + 2 < nodes ? &tree[2 * i + 2] : nullptr};
    sum_tree<<<1, 1>>>(tree, result + 1);
    cudaDeviceSynchronize();
    std::printf("tree %d\n", result[1]);

    double* values;
    cudaMallocManaged(&values, length * sizeof(double));
    for (int i = 0; i < length; ++i) values[i] = 1.5;
    scan<double><<<1, 1>>>(values, length, 1);
    cudaDeviceSynchronize();
    std::printf("scan %g %g\n", values[0], values[length - 1]);
}
