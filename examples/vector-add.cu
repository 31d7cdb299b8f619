// What do the numbers in <<<grid, block>>> buy? The same addition by one thread, by one block, and by as many
// blocks as it takes.
//
//     vector-add [N]
#include <vector>

#include "lab.h"

// Right for every launch shape: a thread takes every gridDim·blockDim-th element.
__global__ void add(const float* a, const float* b, float* out, long n) {
    long stride = static_cast<long>(gridDim.x) * blockDim.x;
    for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    long n = lab::argument(argc, argv, 1, 1L << 20, 1, 1L << 28, "N");
    size_t bytes = static_cast<size_t>(n) * sizeof(float);
    std::vector<float> left(n), right(n), host(n);
    for (long i = 0; i < n; ++i) {
        left[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xFFFF);
        right[i] = 0.5f * static_cast<float>(i % 1000);
    }
    float *a = nullptr, *b = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(a, left.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, right.data(), bytes, cudaMemcpyHostToDevice));

    const unsigned block = 256, enough = static_cast<unsigned>((n + block - 1) / block);
    struct Shape {
        unsigned grid, block;
    };
    const Shape shapes[] = {{1, 1}, {1, block}, {enough, block}};
    std::printf("%s: %ld floats\n\n", lab::device_name().c_str(), n);
    std::printf("%-20s %10s %10s  %s\n", "launch", "threads", "ms", "values");
    add<<<1, 1>>>(a, b, out, 1);  // so that no row of the table holds the kernel's translation
    CHECK(cudaDeviceSynchronize());
    bool all_right = true;
    for (Shape shape : shapes) {
        CHECK(cudaMemset(out, 0xFF, bytes));
        double ms = lab::time_ms([&] { add<<<shape.grid, shape.block>>>(a, b, out, n); });
        CHECK(cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost));
        bool values_right = true;
        for (long i = 0; i < n; ++i) values_right = values_right && host[i] == left[i] + right[i];
        all_right = all_right && values_right;
        std::string launch = "<<<" + std::to_string(shape.grid) + ", " + std::to_string(shape.block) + ">>>";
        std::printf("%-20s %10lu %10.3f  %s\n", launch.c_str(),
                    static_cast<unsigned long>(shape.grid) * shape.block, ms,
                    values_right ? "right" : "WRONG");
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(out));
    return lab::verdict("vector-add", all_right);
}
