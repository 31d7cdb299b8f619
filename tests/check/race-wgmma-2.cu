// bug: race-shared-wr
// line: 21,30
// kernel: products
// note: the product reads what other warps write: no barrier behind the first fill
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

constexpr int rows = 64, columns = 8, depth = 16;

__device__ unsigned long long descriptor(const void* matrix, int line) {
    unsigned long long at = (unsigned long long)__cvta_generic_to_shared(matrix);
    return (at & 0x3ffff) >> 4 | (unsigned long long)(128 >> 4) << 16 | (unsigned long long)(line >> 4) << 32;
}
__device__ void product(float (&d)[4], unsigned long long a, unsigned long long b) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

__global__ void products(const __half* in, float* out, int pieces) {
    __shared__ alignas(128) __half a[rows * depth], b[2][columns * depth];
    int t = threadIdx.x;
    for (int i = t; i < rows * depth; i += 128) a[i] = in[i];
    b[0][t] = in[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    float d[4] = {};
    for (int p = 0; p < pieces; ++p) {
        product(d, descriptor(a, 256), descriptor(b[p % 2], 256));
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        b[(p + 1) % 2][t] = in[p * 128 + t];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) out[t * 4 + i] = d[i];
}

int main() {
    const int n = 1024, results = 512;
    std::vector<__half> h(n, __float2half(1.0f));
    std::vector<float> r(results);
    __half* in;
    float* out;
    CHECK(cudaMalloc(&in, n * sizeof(__half)));
    CHECK(cudaMalloc(&out, results * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
    products<<<1, 128>>>(in, out, 4);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, results * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%g\n", r[0]);
    return 0;
}
