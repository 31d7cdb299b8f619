// What do tensor cores do? A product of f16 matrices with sums in f32: thread by thread, by nvcuda::wmma, and
// by the instructions below it, ldmatrix and mma.sync.
//
//     tensor-core-gemm [WIDTH]
#include <mma.h>

#include <vector>

#include "lab.h"

constexpr int tile = 64;          // of c, that a block computes; its four warps have 32 by 32 each
constexpr int step = 16;          // along k
constexpr int padded = step + 8;  // halves of a row in shared memory: rows of one matrix meet in no bank

// a has rows, b has columns that stand side by side in memory, as matrix instructions like it.
__global__ void by_threads(const half* a, const half* b, float* c, int width) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k)
        sum += __half2float(a[row * width + k]) * __half2float(b[col * width + k]);
    c[row * width + col] = sum;
}

__device__ void copy_tiles(half (*left)[padded], half (*right)[padded], const half* a, const half* b,
                           int width, int start) {
    const int row = threadIdx.x / 2, part = threadIdx.x % 2 * 8;
    *reinterpret_cast<uint4*>(&left[row][part]) =
        *reinterpret_cast<const uint4*>(&a[(blockIdx.y * tile + row) * width + start + part]);
    *reinterpret_cast<uint4*>(&right[row][part]) =
        *reinterpret_cast<const uint4*>(&b[(blockIdx.x * tile + row) * width + start + part]);
}

__global__ void by_wmma(const half* a, const half* b, float* c, int width) {
    using namespace nvcuda;
    __shared__ __align__(32) half left[tile][padded], right[tile][padded];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, col = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (auto& line : sums)
        for (auto& sum : line) wmma::fill_fragment(sum, 0.0f);
    for (int start = 0; start < width; start += step) {
        copy_tiles(left, right, a, b, width, start);
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y[2];
        for (int i = 0; i < 2; ++i) {
            wmma::load_matrix_sync(x[i], &left[row + i * 16][0], padded);
            wmma::load_matrix_sync(y[i], &right[col + i * 16][0], padded);
        }
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], x[i], y[j], sums[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(
                &c[(blockIdx.y * tile + row + i * 16) * width + blockIdx.x * tile + col + j * 16], sums[i][j],
                width, wmma::mem_row_major);
}

// Four matrices of 8 by 8 halves: lanes 0 to 7 say where the first one's rows are, and so on.
__device__ void load_matrices(unsigned (&x)[4], const half* row) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void by_mma(const half* a, const half* b, float* c, int width) {
    __shared__ __align__(32) half left[tile][padded], right[tile][padded];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 2 * 32, col = warp % 2 * 32;
    float sums[2][4][4] = {};  // 16 by 8 each
    for (int start = 0; start < width; start += step) {
        copy_tiles(left, right, a, b, width, start);
        __syncthreads();
        unsigned x[2][4], y[2][4];
        for (int i = 0; i < 2; ++i) {
            load_matrices(x[i], &left[row + i * 16 + lane % 16][lane / 16 * 8]);
            load_matrices(y[i], &right[col + i * 16 + lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8]);
        }
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 4; ++j)
                multiply(sums[i][j], x[i], y[j / 2][j % 2 * 2], y[j / 2][j % 2 * 2 + 1]);
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int half_of = 0; half_of < 2; ++half_of) {
                const int r = blockIdx.y * tile + row + i * 16 + half_of * 8 + lane / 4;
                const int k = blockIdx.x * tile + col + j * 8 + lane % 4 * 2;
                c[r * width + k] = sums[i][j][half_of * 2];
                c[r * width + k + 1] = sums[i][j][half_of * 2 + 1];
            }
}

int main(int argc, char** argv) {
    int width = static_cast<int>(lab::argument(argc, argv, 1, 256, tile, 8192, "WIDTH"));
    if (width % tile) {
        std::fprintf(stderr, "%s: WIDTH must be a multiple of %d\n", argv[0], tile);
        return 2;
    }
    size_t count = static_cast<size_t>(width) * width;
    // Small whole numbers: every sum is exact in whatever order, so results must be equal, not close.
    std::vector<half> left(count), right(count);
    std::vector<float> x(count), y(count), expected(count, 0.0f), host(count);
    for (size_t i = 0; i < count; ++i) {
        left[i] = __float2half(x[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i)) & 7) - 3);
        right[i] = __float2half(y[i] = static_cast<float>(lab::mixed(static_cast<unsigned>(i) + 77) & 7) - 3);
    }
    for (int row = 0; row < width; ++row)
        for (int col = 0; col < width; ++col) {
            float sum = 0;
            for (int k = 0; k < width; ++k)
                sum += x[static_cast<size_t>(row) * width + k] * y[static_cast<size_t>(col) * width + k];
            expected[static_cast<size_t>(row) * width + col] = sum;
        }

    half *a = nullptr, *b = nullptr;
    float* c = nullptr;
    CHECK(cudaMalloc(&a, count * sizeof(half)));
    CHECK(cudaMalloc(&b, count * sizeof(half)));
    CHECK(cudaMalloc(&c, count * sizeof(float)));
    CHECK(cudaMemcpy(a, left.data(), count * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, right.data(), count * sizeof(half), cudaMemcpyHostToDevice));

    struct Variant {
        const char* name;
        void (*kernel)(const half*, const half*, float*, int);
        dim3 block;
        int tile;
    };
    const Variant variants[] = {{"threads", by_threads, dim3(16, 16), 16},
                                {"nvcuda::wmma", by_wmma, dim3(128), tile},
                                {"ldmatrix, mma", by_mma, dim3(128), tile}};
    std::printf("%s: %d x %d\n\n", lab::device_name().c_str(), width, width);
    std::printf("%-18s %10s %10s  %s\n", "kernel", "ms", "GFLOP/s", "values");
    bool all_right = true;
    for (const Variant& variant : variants) {
        double ms = 0;
        dim3 grid(width / variant.tile, width / variant.tile);
        for (int run = 0; run < 2; ++run) {  // the first launch includes the kernel's translation
            CHECK(cudaMemset(c, 0xFF, count * sizeof(float)));
            ms = lab::time_ms([&] { variant.kernel<<<grid, variant.block>>>(a, b, c, width); });
        }
        CHECK(cudaMemcpy(host.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost));
        bool values_right = host == expected;
        all_right = all_right && values_right;
        std::printf("%-18s %10.3f %10.3f  %s\n", variant.name, ms, 2.0 * count * width / ms * 1e-6,
                    values_right ? "right" : "WRONG");
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return lab::verdict("tensor-core-gemm", all_right);
}
