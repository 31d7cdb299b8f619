// Kernels for the tests of the report page: a reduction whose tree is seen, accesses of all kinds, and names that would
// break out of a page that let them: </script><script>window.broken = 1</script> <img src=x onerror="window.broken = 1"> & ' "
#include <cstdio>

// Every second thread, then every fourth: divergence in every warp.
__global__ void reduce(int* data, int* sums) {
    int* own = data + blockIdx.x * blockDim.x;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0) own[threadIdx.x] += own[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = own[0];
}

// Columns of a tile: every lane of a warp in the same bank.
__global__ void transpose(const float* from, float* to, int width) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * width + threadIdx.x];
    __syncthreads();
    to[threadIdx.y * width + threadIdx.x] = tile[threadIdx.x][threadIdx.y] * 2.0f;
}

// A name full of <, > and &.
template <class T>
__global__ void strided(int* data, int stride) {
    data[(blockIdx.x * blockDim.x + threadIdx.x) * stride] = sizeof(T);
}

int main(int argc, char** argv) {
    constexpr int blocks = 64, threads = 128;
    const int width = argc > 1 ? 64 : 32;
    int *data, *sums;
    float *from, *to;
    cudaMalloc(&data, blocks * threads * 32 * sizeof(int));
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&from, 64 * 64 * sizeof(float));
    cudaMalloc(&to, 64 * 64 * sizeof(float));
    cudaMemset(data, 1, blocks * threads * 32 * sizeof(int));
    reduce<<<blocks, threads>>>(data, sums);
    transpose<<<1, dim3(32, 32)>>>(from, to, width);
    strided<const int&><<<blocks, threads>>>(data, 32);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < 3; ++i) strided<char*&><<<blocks, threads, 0, stream>>>(data, 1);
    return cudaDeviceSynchronize() != cudaSuccess;
}
