// Four small kernels, each with one of the mistakes of the page. The program says which results are wrong;
// not every mistake shows there.
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int block = 128, count = 1000, blocks = (count + block - 1) / block;

// Even warps write 100, odd ones 200.
__global__ void choose(int* out) {
    int warp = threadIdx.x >> 5;
    if (warp & 0x01 == 0)
        out[threadIdx.x] = 100;
    else
        out[threadIdx.x] = 200;
}

// Every thread of a block of 4 x 4 x 4 writes its own number.
__global__ void number(int* out) {
    int i = threadIdx.z * blockIdx.y * blockIdx.x + threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = i;
}

// All numbers are doubled.
__global__ void twice(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}

// Each block's part is added up.
__global__ void sum(const int* in, int* sums) {
    __shared__ int part[block];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    part[threadIdx.x] = in[i];
    __syncthreads();
    for (unsigned half = block / 2; half >= 0; half /= 2) {
        if (threadIdx.x < half && i + half < count) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

static std::vector<int> fetch(const int* device, int n) {
    std::vector<int> host(n);
    if (cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
        host.assign(n, -1);
    return host;
}

static void tell(const char* what, bool right) { std::printf("%s: %s\n", what, right ? "right" : "WRONG"); }

int main() {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    int *in, *out;
    cudaMalloc(&in, count * sizeof(int));
    cudaMalloc(&out, count * sizeof(int));
    cudaMemcpy(in, numbers.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, count * sizeof(int));
    bool right = true;

    choose<<<1, block>>>(out);
    std::vector<int> result = fetch(out, block);
    for (int t = 0; t < block; ++t) right = right && result[t] == (t / 32 % 2 == 0 ? 100 : 200);
    tell("choose", right);

    number<<<1, dim3(4, 4, 4)>>>(out);
    result = fetch(out, 64);
    right = true;
    for (int t = 0; t < 64; ++t) right = right && result[t] == t;
    tell("number", right);

    twice<<<blocks, block>>>(in, out);
    result = fetch(out, count);
    right = true;
    for (int i = 0; i < count; ++i) right = right && result[i] == 2 * numbers[i];
    tell("twice", right);

    sum<<<blocks, block>>>(in, out);
    result = fetch(out, blocks);
    tell("sum", std::accumulate(result.begin(), result.end(), 0) == count * (count + 1) / 2);
    cudaFree(in);
    cudaFree(out);
}
