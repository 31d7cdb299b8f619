// Arrays of doubles that are written, read, scaled and combined, with two blocks an SM whose size says how
// many threads are under way: others have published what GPUs reach so. Shared memory that nobody uses keeps
// further blocks away.
#include "program.h"

__global__ void fill(double* out, const double*, const double*, const double*, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5;
}

// What it reads decides whether it writes; it never does.
__global__ void read(double* out, const double* __restrict__ a, const double*, const double*, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] == 3.0) out[i] = 1;
}

__global__ void scale(double* out, const double* __restrict__ a, const double*, const double*, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * 1.25;
}

__global__ void combine(double* out, const double* __restrict__ a, const double* __restrict__ b,
                        const double* __restrict__ c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * b[i] + c[i];
}

// The least shared memory with which an SM has no more than two blocks.
template <class Kernel>
int room_for_two(Kernel kernel, int block) {
    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    for (int bytes = 0;; bytes += 1024) {
        int blocks = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, bytes));
        if (blocks <= 2) return bytes;
    }
}

int main(int argc, char** argv) {
    const int n = (1 << 28) / divisor(argc, argv);
    double* arrays[4];
    for (double*& array : arrays) CHECK(cudaMalloc(&array, n * sizeof(double)));
    const auto kernels = {fill, read, scale, combine};
    for (const int block : {64, 128, 256, 512, 768, 1024})
        for (const auto kernel : kernels)
            kernel<<<n / block + 1, block, room_for_two(kernel, block)>>>(arrays[0], arrays[1], arrays[2],
                                                                          arrays[3], n);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
