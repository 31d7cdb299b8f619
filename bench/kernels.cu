// The benchmark kernels in CUDA, one for one with kernels.cl. Inputs are made on the device, so that the
// process holds no copy of them and its peak memory is lockstep's own.
#include <cuda_runtime.h>

#include "workloads.h"

#define CHECK(call)                                                                                    \
    do {                                                                                               \
        cudaError_t check_status = (call);                                                             \
        if (check_status != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(check_status)); \
            std::exit(1);                                                                              \
        }                                                                                              \
    } while (0)

__global__ void fill_int(int* data) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = static_cast<int>((i * 2654435761u >> 13) & 0xFFu);
}

__global__ void fill_float(float* data) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = static_cast<float>((i * 2654435761u >> 24) & 0xFu);
}

__global__ void neighbored(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

__global__ void interleaved(int* in, int* out, unsigned n) {
    unsigned tid = threadIdx.x;
    int* chunk = in + blockIdx.x * blockDim.x;
    if (blockIdx.x * blockDim.x + tid >= n) return;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) chunk[tid] += chunk[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = chunk[0];
}

// For `lockstep check` alone: much is shared and little is done between barriers.
__global__ void shared_sum(int* in, int* out, unsigned n) {
    __shared__ int part[bench::shared_sum_block];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) part[tid] += part[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

__global__ void matmul(const float* a, const float* b, float* c, int width) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= width || col >= width) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + col];
    c[row * width + col] = sum;
}

__global__ void matmul_tiled(const float* a, const float* b, float* c, int width) {
    __shared__ float left[bench::tile][bench::tile], right[bench::tile][bench::tile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * blockDim.x + tx, row = blockIdx.y * blockDim.y + ty;
    float sum = 0;
    for (int tile = 0; tile < width / bench::tile; ++tile) {
        left[ty][tx] = a[row * width + tile * bench::tile + tx];
        right[ty][tx] = b[(tile * bench::tile + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < bench::tile; ++k) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[row * width + col] = sum;
}

__global__ void sum_matrix(const float* a, const float* b, float* c, int nx, int ny) {
    unsigned ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned i = ix + iy * nx;
    if (ix < static_cast<unsigned>(nx) && iy < static_cast<unsigned>(ny)) c[i] = a[i] + b[i];
}

namespace {

std::uint64_t device_bytes = 0;

template <class T>
T* allocate(std::size_t count) {
    T* device = nullptr;
    CHECK(cudaMalloc(&device, count * sizeof(T)));
    device_bytes += count * sizeof(T);
    return device;
}

template <class T>
std::vector<T> read(const T* device, std::size_t count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

void finish_launch() {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

void reduction(const bench::Request& request) {
    const bool shared = request.workload == "shared_sum";
    const unsigned block = shared ? bench::shared_sum_block : bench::reduction_block;
    std::size_t n = request.size, groups = n / block;
    int *pristine = allocate<int>(n), *in = allocate<int>(n), *out = allocate<int>(groups);
    fill_int<<<static_cast<unsigned>(groups), block>>>(pristine);
    auto kernel = shared ? shared_sum : request.workload == "interleaved" ? interleaved : neighbored;
    auto restore = [&] {
        CHECK(cudaMemcpy(in, pristine, n * sizeof(int), cudaMemcpyDeviceToDevice));
        CHECK(cudaDeviceSynchronize());
    };
    auto timing = bench::measure(request.repeats, restore, [&] {
        kernel<<<static_cast<unsigned>(groups), block>>>(in, out, static_cast<unsigned>(n));
        finish_launch();
    });
    bench::report(request.workload, n, timing, bench::right_reduction(read(out, groups), n), device_bytes);
}

void product(const bench::Request& request) {
    int width = static_cast<int>(request.size);
    std::size_t count = request.size * request.size;
    float *a = allocate<float>(count), *b = allocate<float>(count), *c = allocate<float>(count);
    fill_float<<<static_cast<unsigned>(count / 256), 256>>>(a);
    fill_float<<<static_cast<unsigned>(count / 256), 256>>>(b);
    auto kernel = request.workload == "matmul" ? matmul : matmul_tiled;
    dim3 block(bench::tile, bench::tile), grid(width / bench::tile, width / bench::tile);
    auto timing = bench::measure(
        request.repeats, [] {},
        [&] {
            kernel<<<grid, block>>>(a, b, c, width);
            finish_launch();
        });
    bench::report(request.workload, request.size, timing, bench::right_product(read(c, count), width),
                  device_bytes);
}

void sum(const bench::Request& request) {
    int side = static_cast<int>(request.size);
    std::size_t count = request.size * request.size;
    float *a = allocate<float>(count), *b = allocate<float>(count), *c = allocate<float>(count);
    fill_float<<<static_cast<unsigned>(count / 256), 256>>>(a);
    fill_float<<<static_cast<unsigned>(count / 256), 256>>>(b);
    dim3 block(bench::sum_block_x, bench::sum_block_y),
        grid(side / bench::sum_block_x, side / bench::sum_block_y);
    auto timing = bench::measure(
        request.repeats, [] {},
        [&] {
            sum_matrix<<<grid, block>>>(a, b, c, side, side);
            finish_launch();
        });
    // In parts, so that the host never holds the whole matrix.
    bool right = true;
    const std::size_t part = std::size_t{1} << 16;
    for (std::size_t first = 0; right && first < count; first += part)
        right = bench::right_sum(read(c + first, std::min(part, count - first)), first);
    bench::report(request.workload, request.size, timing, right, device_bytes);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Request request = bench::parse_request(argc, argv);
    if (request.workload == "interleaved" || request.workload == "neighbored" ||
        request.workload == "shared_sum")
        reduction(request);
    else if (request.workload == "matmul" || request.workload == "matmul_tiled")
        product(request);
    else if (request.workload == "sum_matrix")
        sum(request);
    else {
        std::fprintf(stderr, "kernels: unknown workload %s\n", request.workload.c_str());
        return 2;
    }
}
