// What has to be true for copies and kernels to overlap? The same work (copy there, compute, copy back) in
// one piece or in chunks, in one stream or in several, from pinned or from pageable memory.
//
//     streams-overlap [N] [STREAMS]
#include <cmath>
#include <vector>

#include "lab.h"

__global__ void iterate(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = data[i];
    for (int k = 0; k < 40; ++k) x = x * 0.5f + 1.0f;
    data[i] = x;
}

// Milliseconds by events in the default stream, which waits for the others.
static float process(float* host, float* device, int n, std::vector<cudaStream_t> streams, int chunks) {
    cudaEvent_t start{}, stop{};
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int c = 0; c < chunks; ++c) {
        const int first = static_cast<int>(static_cast<long>(n) * c / chunks);
        const int size = static_cast<int>(static_cast<long>(n) * (c + 1) / chunks) - first;
        const size_t bytes = static_cast<size_t>(size) * sizeof(float);
        const cudaStream_t stream = streams[static_cast<size_t>(c) % streams.size()];
        CHECK(cudaMemcpyAsync(device + first, host + first, bytes, cudaMemcpyHostToDevice, stream));
        iterate<<<(size + 255) / 256, 256, 0, stream>>>(device + first, size);
        CHECK(cudaMemcpyAsync(host + first, device + first, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms;
}

int main(int argc, char** argv) {
    const int n = static_cast<int>(lab::argument(argc, argv, 1, 1L << 20, 1, 1L << 26, "N"));
    const int count = static_cast<int>(lab::argument(argc, argv, 2, 4, 1, 32, "STREAMS"));
    const size_t bytes = static_cast<size_t>(n) * sizeof(float);
    std::vector<float> pageable(static_cast<size_t>(n));
    float *pinned = nullptr, *device = nullptr;
    CHECK(cudaMallocHost(&pinned, bytes));
    CHECK(cudaMalloc(&device, bytes));
    std::vector<cudaStream_t> streams(static_cast<size_t>(count));
    for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));

    std::printf("%s: %d floats\n\n", lab::device_name().c_str(), n);
    std::printf("%-10s %8s %8s %10s  %s\n", "memory", "streams", "chunks", "ms", "values");
    bool all_right = true;
    const auto row = [&](const char* memory, float* host, const std::vector<cudaStream_t>& used, int chunks) {
        for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 100);
        const float ms = process(host, device, n, used, chunks);
        bool right = true;  // 40 steps of x/2 + 1 end at 2, wherever they began
        for (int i = 0; i < n; ++i) right = right && std::fabs(host[i] - 2.0f) < 1e-5f;
        all_right = all_right && right;
        std::printf("%-10s %8zu %8d %10.3f  %s\n", memory, used.size(), chunks, ms,
                    right ? "right" : "WRONG");
    };
    const std::vector<cudaStream_t> one = {streams[0]};
    row("pinned", pinned, one, 1);
    row("pinned", pinned, one, 2 * count);
    row("pinned", pinned, streams, 2 * count);
    row("pageable", pageable.data(), streams, 2 * count);

    for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(pinned));
    return lab::verdict("streams-overlap", all_right);
}
