// bug: oob-global-read
// line: 20
// kernel: run
// note: a virtual function reads one row too far
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Shape {
    __device__ virtual int area(const int* rows, int i) const = 0;
};
struct Square : Shape {
    __device__ int area(const int* rows, int i) const override { return rows[i] * rows[i]; }
};
struct Pair : Shape {
    __device__ int area(const int* rows, int i) const override {
        return rows[i] * rows[i + 1];
    }
};

__global__ void run(const int* in, int* out) {
    Square square;
    Pair pair;
    const Shape* shape = threadIdx.x % 2 ? static_cast<const Shape*>(&pair) : &square;
    out[threadIdx.x] = shape->area(in, threadIdx.x);
}

int main() {
    const int n = 64;
    std::vector<int> h(n, 1);
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    run<<<1, 64>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("%d\n", (int)h[n - 1]);
    return 0;
}
