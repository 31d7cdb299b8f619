// A sum over a block's threads whose loop never ends: an unsigned number is never less than 0.
//     lockstep check --timeout 2 examples/mistakes/endless-loop.cu
#include <cstdio>

__global__ void sum(const int* in, int* out) {
    __shared__ int part[256];
    part[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half >= 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

int main() {
    int numbers[256], *in, *out, total = 0;
    for (int i = 0; i < 256; ++i) numbers[i] = i;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof total);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<1, 256>>>(in, out);
    const cudaError_t error = cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    std::printf("%s: %d, should be 32640\n", cudaGetErrorString(error), total);
    cudaFree(in);
    cudaFree(out);
    return error != cudaSuccess;
}
