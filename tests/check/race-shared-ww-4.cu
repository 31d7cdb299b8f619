// bug: race-shared-ww
// line: 16,16
// kernel: scatter
// note: two source rows are sent to the same shared row; which one stays is not defined, and the barrier after it does not help
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <int W>
struct Tile {
    double2 row[W];
    __device__ void put(int at, double2 v) {
        row[at] = v;
    }
};

__global__ void scatter(const double2* in, const int* perm, double2* out) {
    __shared__ Tile<64> tile;
    int t = threadIdx.x;
    tile.row[t] = make_double2(0, 0);
    __syncthreads();
    tile.put(perm[t], in[t]);
    __syncthreads();
    out[t] = tile.row[t];
}

int main() {
    std::vector<double2> h(64), r(64);
    std::vector<int> p(64);
    for (int i = 0; i < 64; ++i) { h[i] = make_double2(i, -i); p[i] = i == 50 ? 3 : i; }
    double2 *in, *out;
    int* dp;
    CHECK(cudaMalloc(&in, 64 * sizeof(double2)));
    CHECK(cudaMalloc(&out, 64 * sizeof(double2)));
    CHECK(cudaMalloc(&dp, 256));
    CHECK(cudaMemcpy(in, h.data(), 64 * sizeof(double2), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dp, p.data(), 256, cudaMemcpyHostToDevice));
    scatter<<<1, 64>>>(in, dp, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, 64 * sizeof(double2), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(dp));
    std::printf("%g\n", r[4].x);
    return r[4].x != 4;
}
