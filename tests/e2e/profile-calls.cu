// Counts do not get lost around calls: a function pointer that the whole warp agrees on, one that it does not, and
// recursion.
//
// RUN: lockstep profile --metrics gld_transactions,gst_transactions,gld_transactions_per_request --launches %s
// OUT: ^ +1  together +\(4,1,1\) +\(128,1,1\) +80 +64 +2\.5
// OUT: ^ +2  apart +\(4,1,1\) +\(128,1,1\) +80 +64 +2\.5
// OUT: ^ +3  recursive +\(4,1,1\) +\(128,1,1\) +64 +64 +4
__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ float square(float x) { return x * x; }
using Function = float (*)(float);
__device__ Function functions[2] = {twice, square};

__global__ void together(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = functions[n & 1](in[i]);
}

__global__ void apart(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = functions[threadIdx.x & 1](in[i]);
}

__device__ __noinline__ int sum_to(int k) { return k < 1 ? 0 : k + sum_to(k - 1); }
__global__ void recursive(int* out, const int* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sum_to(in[i] & 3);
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 512 * sizeof(float));
    cudaMalloc(&out, 512 * sizeof(float));
    cudaMemset(in, 0, 512 * sizeof(float));
    together<<<4, 128>>>(out, in, 3);
    apart<<<4, 128>>>(out, in);
    recursive<<<4, 128>>>(reinterpret_cast<int*>(out), reinterpret_cast<const int*>(in));
    return cudaDeviceSynchronize() != cudaSuccess;
}
