// A sum of products by one block, which is as fast on a large GPU as on a small one.
#include <cstdio>
#include <vector>

constexpr int block = 256, count = (1 << 18) + 100;

// Your task: let the work spread over as many SMs as there are. The count is no multiple of the block.
__global__ void dot(const int* a, const int* b, unsigned long long* sum) {
    unsigned long long mine = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) mine += a[i] * b[i];
    for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

int main() {
    std::vector<int> left(count), right(count);
    unsigned long long expected = 0, found = 0, *sum;
    for (int i = 0; i < count; ++i) {
        left[i] = i % 100;
        right[i] = i % 77;
        expected += left[i] * right[i];
    }
    int *a, *b;
    cudaMalloc(&a, count * sizeof(int));
    cudaMalloc(&b, count * sizeof(int));
    cudaMalloc(&sum, sizeof found);
    cudaMemcpy(a, left.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(b, right.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(sum, 0, sizeof found);
    dot<<<1, block>>>(a, b, sum);
    cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
    std::printf("%llu, should be %llu: %s\n", found, expected, found == expected ? "right" : "WRONG");
    return found != expected;
}
