// bug: uninit-shared-read
// line: 24
// kernel: topk
// note: a counter in a shared struct is compared before anybody has set it; its neighbours were
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct State {
    int lo, hi, found;
};

__global__ void topk(const int* v, int n, int* out) {
    __shared__ State st;
    int t = threadIdx.x;
    if (t == 0) {
        st.lo = 0;
        st.hi = n;
    }
    __syncthreads();
    if (t >= st.lo && t < st.hi && v[t] == 7 && st.found < 3)
        out[t] = 1;
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 7);
    int *v, *out;
    CHECK(cudaMalloc(&v, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMemset(out, 0, n * 4));
    CHECK(cudaMemcpy(v, h.data(), n * 4, cudaMemcpyHostToDevice));
    topk<<<1, n>>>(v, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(v));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
