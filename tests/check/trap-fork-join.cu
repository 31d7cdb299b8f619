// bug: none
// line: 0
// kernel: fill
// note: a stream forks into two others by an event and joins them again
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void sum(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

int main() {
    int *a, *b, *out;
    CHECK(cudaMalloc(&a, 1024));
    CHECK(cudaMalloc(&b, 1024));
    CHECK(cudaMalloc(&out, 1024));
    cudaStream_t s[3];
    cudaEvent_t fork, join[2];
    for (auto& stream : s) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (auto& event : join) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (int turn = 0; turn < 3; ++turn) {
        CHECK(cudaEventRecord(fork, s[0]));
        for (int i = 0; i < 2; ++i) {
            CHECK(cudaStreamWaitEvent(s[i + 1], fork, 0));
            fill<<<1, 256, 0, s[i + 1]>>>(i ? b : a, turn + i);
            CHECK(cudaEventRecord(join[i], s[i + 1]));
            CHECK(cudaStreamWaitEvent(s[0], join[i], 0));
        }
        sum<<<1, 256, 0, s[0]>>>(a, b, out);
    }
    CHECK(cudaGetLastError());
    std::vector<int> h(256);
    CHECK(cudaMemcpyAsync(h.data(), out, 1024, cudaMemcpyDeviceToHost, s[0]));
    CHECK(cudaStreamSynchronize(s[0]));
    for (auto stream : s) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(fork));
    for (auto event : join) CHECK(cudaEventDestroy(event));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(out));
    std::printf("%d\n", h[0]);
    return 0;
}
