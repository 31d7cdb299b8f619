// A sum in shared memory that does without barriers where they seem not to be needed: between reading the data and the
// first step, and among the lanes of the last warp.
//     lockstep check examples/mistakes/last-warp.cu
#include <cstdio>

__global__ void sum(const int* in, int* out) {
    __shared__ int part[256];
    const int t = threadIdx.x;
    part[t] = in[t];
    for (int half = 128; half > 32; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {
        part[t] += part[t + 32];
        part[t] += part[t + 16];
        part[t] += part[t + 8];
        part[t] += part[t + 4];
        part[t] += part[t + 2];
        part[t] += part[t + 1];
    }
    if (t == 0) *out = part[0];
}

int main() {
    int numbers[256], *in, *out, total = 0;
    for (int i = 0; i < 256; ++i) numbers[i] = i;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof total);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<1, 256>>>(in, out);
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    std::printf("%d, should be 32640\n", total);
    cudaFree(in);
    cudaFree(out);
}
