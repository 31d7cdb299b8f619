// How long does a warp wait for shared memory when its lanes read elements that lie apart? Each kernel reads
// 64 times, with a distance of 1 to 33 elements between lanes, or all lanes one element.
#include <cstdio>
#include <vector>

constexpr int elements = 33 * 32, reads = 64, blocks = 264, block = 128;

template <int Stride>
__global__ void apart(unsigned* out) {
    __shared__ volatile unsigned shared[elements];
    for (int i = threadIdx.x; i < elements; i += block) shared[i] = i;
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < reads; ++k) sum += shared[threadIdx.x % 32 * Stride];
    out[blockIdx.x * block + threadIdx.x] = sum;
}

int main() {
    unsigned* out;
    cudaMalloc(&out, blocks * block * sizeof(unsigned));
    struct Row {
        void (*kernel)(unsigned*);
        int stride;
    };
    const Row rows[] = {{apart<0>, 0}, {apart<1>, 1},   {apart<2>, 2},   {apart<3>, 3},  {apart<4>, 4},
                        {apart<8>, 8}, {apart<16>, 16}, {apart<32>, 32}, {apart<33>, 33}};
    bool right = true;
    std::vector<unsigned> result(blocks * block);
    for (const Row& row : rows) {
        row.kernel<<<blocks, block>>>(out);
        cudaMemcpy(result.data(), out, result.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < result.size(); ++i) right = right && result[i] == i % 32 * row.stride * reads;
    }
    std::printf("banks %s\n", right ? "ok" : "WRONG");
    cudaFree(out);
    return !right;
}
