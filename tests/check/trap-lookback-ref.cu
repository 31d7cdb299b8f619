// bug: none
// line: 0
// kernel: scan
// note: decoupled look-back whose state is released and acquired by atomic_ref
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <cuda/atomic>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void scan(const int* in, int* out, int* sum, int* state) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> own(state[b]);
        int mine = in[b];
        sum[2 * b] = mine;
        own.store(1, cuda::memory_order_release);
        int before = 0;
        for (int p = b - 1; p >= 0;) {
            cuda::atomic_ref<int, cuda::thread_scope_device> theirs(state[p]);
            int s = theirs.load(cuda::memory_order_acquire);
            if (s == 0) continue;
            before += sum[2 * p + (s == 2)];
            if (s == 2) break;
            --p;
        }
        sum[2 * b + 1] = before + mine;
        own.store(2, cuda::memory_order_release);
        out[b] = before;
    }
}

int main() {
    const int n = 24;
    std::vector<int> h(n, 1);
    int *in, *out, *sum, *state;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMalloc(&sum, 2 * n * sizeof(int)));
    CHECK(cudaMalloc(&state, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(state, 0, n * sizeof(int)));
    scan<<<n, 64>>>(in, out, sum, state);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(state));
    std::printf("%d\n", h[n - 1]);
    return 0;
}
