// Which block shape suits a matrix sum? One kernel, many launch configurations.
//
//     sum-matrix                        a sweep over block shapes
//     sum-matrix BX BY [NX] [NY]        one shape, and the matrix's size
#include <vector>

#include "lab.h"

__global__ void sum_matrix(const float* a, const float* b, float* c, unsigned nx, unsigned ny) {
    unsigned ix = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        size_t i = ix + static_cast<size_t>(iy) * nx;
        c[i] = a[i] + b[i];
    }
}

int main(int argc, char** argv) {
    struct Shape {
        unsigned x, y;
    };
    std::vector<Shape> shapes;
    if (argc == 2) {
        std::fprintf(stderr, "usage: %s [BX BY [NX] [NY]]\n", argv[0]);
        return 2;
    }
    if (argc > 2)
        shapes = {{static_cast<unsigned>(lab::argument(argc, argv, 1, 32, 1, 1024, "BX")),
                   static_cast<unsigned>(lab::argument(argc, argv, 2, 16, 1, 1024, "BY"))}};
    else
        shapes = {{32, 32}, {32, 16}, {16, 32}, {16, 16}, {64, 1},  {64, 2},  {64, 4}, {64, 8}, {128, 1},
                  {128, 2}, {128, 4}, {128, 8}, {256, 1}, {256, 2}, {256, 4}, {8, 8},  {4, 64}, {1, 256}};
    unsigned nx = static_cast<unsigned>(lab::argument(argc, argv, 3, 1024, 1, 1 << 15, "NX"));
    unsigned ny = static_cast<unsigned>(lab::argument(argc, argv, 4, 1024, 1, 1 << 15, "NY"));

    size_t count = static_cast<size_t>(nx) * ny, bytes = count * sizeof(float);
    std::vector<float> left(count), right(count), host(count);
    for (size_t i = 0; i < count; ++i) {
        left[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 0xFF) / 10.0f;
        right[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i) ^ 0x55555555u) & 0xFF) / 10.0f;
    }
    float *a = nullptr, *b = nullptr, *c = nullptr;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemcpy(a, left.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, right.data(), bytes, cudaMemcpyHostToDevice));

    std::printf("%s: %u x %u floats\n\n", lab::device_name().c_str(), nx, ny);
    std::printf("%-12s %-14s %10s %9s  %s\n", "block", "grid", "ms", "GB/s", "values");
    bool all_right = true;
    sum_matrix<<<1, 1>>>(a, b, c, nx, ny);  // so that no row of the table holds the kernel's translation
    CHECK(cudaDeviceSynchronize());
    for (Shape shape : shapes) {
        dim3 block(shape.x, shape.y), grid((nx + shape.x - 1) / shape.x, (ny + shape.y - 1) / shape.y);
        CHECK(cudaMemset(c, 0xFF, bytes));
        double ms = lab::time_ms([&] { sum_matrix<<<grid, block>>>(a, b, c, nx, ny); });
        CHECK(cudaMemcpy(host.data(), c, bytes, cudaMemcpyDeviceToHost));
        bool values_right = true;
        for (size_t i = 0; i < count; ++i) values_right = values_right && host[i] == left[i] + right[i];
        all_right = all_right && values_right;
        std::string block_text = "(" + std::to_string(block.x) + "," + std::to_string(block.y) + ")";
        std::string grid_text = "(" + std::to_string(grid.x) + "," + std::to_string(grid.y) + ")";
        std::printf("%-12s %-14s %10.3f %9.2f  %s\n", block_text.c_str(), grid_text.c_str(), ms,
                    3 * bytes / ms * 1e-6, values_right ? "right" : "WRONG");
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return lab::verdict("sum-matrix", all_right);
}
