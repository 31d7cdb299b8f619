// bug: barrier-missing-lane
// line: 16
// kernel: vote
// note: the vote stands in the branch of the even lanes and names all lanes
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void vote(const int* x, unsigned* out) {
    int t = threadIdx.x;
    unsigned m = 0;
    if (t % 2 == 0)
        m = __ballot_sync(0xffffffffu, x[t] > 10);
    out[t] = m;
}

int main() {
    std::vector<int> h(32, 20);
    std::vector<unsigned> r(32);
    int* x;
    unsigned* out;
    CHECK(cudaMalloc(&x, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemcpy(x, h.data(), 128, cudaMemcpyHostToDevice));
    vote<<<1, 32>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 128, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    std::printf("%x\n", r[0]);
    return 0;
}
