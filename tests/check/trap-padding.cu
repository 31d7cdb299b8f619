// bug: none
// line: 0
// kernel: move
// note: structures with padding and a union are copied whole through shared memory; only what is set is looked at
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Part {
    char kind;
    double weight;
    union {
        short small;
        long long large;
    } id;
    unsigned low : 3, high : 7;
};

__global__ void move(Part* parts, int* out) {
    __shared__ Part box[64];
    int t = threadIdx.x;
    Part part;
    part.kind = static_cast<char>(t);
    part.weight = t * 0.5;
    part.id.small = static_cast<short>(t);
    part.low = t & 7;
    part.high = 1;
    box[t] = part;
    __syncthreads();
    parts[t] = box[63 - t];
    out[t] = box[63 - t].kind + box[63 - t].id.small + box[63 - t].low + static_cast<int>(box[t].weight);
}

int main() {
    Part* parts;
    int* out;
    CHECK(cudaMalloc(&parts, 64 * sizeof(Part)));
    CHECK(cudaMalloc(&out, 256));
    move<<<1, 64>>>(parts, out);
    CHECK(cudaGetLastError());
    std::vector<Part> h(64);
    std::vector<int> r(64);
    CHECK(cudaMemcpy(h.data(), parts, 64 * sizeof(Part), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(parts));
    CHECK(cudaFree(out));
    std::printf("%d %f\n", r[0], h[0].weight);
    return 0;
}
