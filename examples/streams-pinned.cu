// How does a program copy and compute at the same time? Pinned host memory, two streams filled breadth first,
// and events.
//
//     streams-pinned [N] [CHUNK]
#include <algorithm>
#include <vector>

#include "lab.h"

// The mean of three neighbours of each array, within a chunk of 256 that wraps around.
__global__ void blend(const int* a, const int* b, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int base = i / 256 * 256, size = min(256, n - base);
    int next = base + (i - base + 1) % size, after = base + (i - base + 2) % size;
    c[i] = (a[i] + a[next] + a[after]) / 3 + (b[i] + b[next] + b[after]) / 3;
}

static int expected_blend(const int* a, const int* b, int i, int n) {
    int base = i / 256 * 256, size = std::min(256, n - base);
    int next = base + (i - base + 1) % size, after = base + (i - base + 2) % size;
    return (a[i] + a[next] + a[after]) / 3 + (b[i] + b[next] + b[after]) / 3;
}

struct Lane {
    cudaStream_t stream{};
    int *a = nullptr, *b = nullptr, *c = nullptr;
};

int main(int argc, char** argv) {
    int n = static_cast<int>(lab::argument(argc, argv, 1, 1L << 20, 1, 1L << 26, "N"));
    int chunk = static_cast<int>(lab::argument(argc, argv, 2, 1L << 17, 1, 1L << 26, "CHUNK"));

    // Only pinned memory can be copied while the host goes on.
    int *a = nullptr, *b = nullptr, *c = nullptr;
    size_t bytes = static_cast<size_t>(n) * sizeof(int),
           chunk_bytes = static_cast<size_t>(chunk) * sizeof(int);
    CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocDefault));
    CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocDefault));
    CHECK(cudaMallocHost(&c, bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = static_cast<int>(lab::mixed(static_cast<unsigned>(i)) & 0xFFFF);
        b[i] = static_cast<int>(lab::mixed(static_cast<unsigned>(i) + 12345) & 0xFFFF);
    }

    Lane lanes[2];
    for (Lane& lane : lanes) {
        CHECK(cudaStreamCreate(&lane.stream));
        CHECK(cudaMalloc(&lane.a, chunk_bytes));
        CHECK(cudaMalloc(&lane.b, chunk_bytes));
        CHECK(cudaMalloc(&lane.c, chunk_bytes));
    }
    cudaEvent_t start{}, stop{}, last_copy{};
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&last_copy, cudaEventDisableTiming));

    std::printf("%s: %d integers in chunks of %d\n\n", lab::device_name().c_str(), n, chunk);
    std::printf("%-10s %8s %10s  %s\n", "streams", "chunks", "ms", "values");
    bool all_right = true;
    for (int streams = 1; streams <= 2; ++streams) {
        std::fill(c, c + n, -1);
        int chunks = 0;
        CHECK(cudaEventRecord(start));
        for (int offset = 0; offset < n; offset += streams * chunk) {
            // Breadth first: the same operation for each stream in turn, so that no stream's copy waits
            // behind another's kernel.
            auto each = [&](auto operation) {
                for (int s = 0; s < streams; ++s) {
                    int first = offset + s * chunk, size = std::min(chunk, n - first);
                    if (size > 0) operation(lanes[s], first, size);
                }
            };
            each([&](Lane& lane, int first, int size) {
                CHECK(cudaMemcpyAsync(lane.a, a + first, size * sizeof(int), cudaMemcpyHostToDevice,
                                      lane.stream));
            });
            each([&](Lane& lane, int first, int size) {
                CHECK(cudaMemcpyAsync(lane.b, b + first, size * sizeof(int), cudaMemcpyHostToDevice,
                                      lane.stream));
            });
            each([&](Lane& lane, int, int size) {
                blend<<<(size + 255) / 256, 256, 0, lane.stream>>>(lane.a, lane.b, lane.c, size);
                ++chunks;
            });
            each([&](Lane& lane, int first, int size) {
                CHECK(cudaMemcpyAsync(c + first, lane.c, size * sizeof(int), cudaMemcpyDeviceToHost,
                                      lane.stream));
            });
        }
        CHECK(cudaGetLastError());
        if (streams == 2) {  // stream 0 goes on only when stream 1 has come this far
            CHECK(cudaEventRecord(last_copy, lanes[1].stream));
            CHECK(cudaStreamWaitEvent(lanes[0].stream, last_copy, 0));
        }
        CHECK(cudaStreamSynchronize(lanes[0].stream));
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaStreamQuery(lanes[0].stream));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, start, stop));

        bool right = ms >= 0;
        for (int first = 0; first < n; first += chunk)
            for (int i = 0, size = std::min(chunk, n - first); i < size; ++i)
                right = right && c[first + i] == expected_blend(a + first, b + first, i, size);
        all_right = all_right && right;
        std::printf("%-10d %8d %10.3f  %s\n", streams, chunks, ms, right ? "right" : "WRONG");
    }

    for (Lane& lane : lanes) {
        CHECK(cudaFree(lane.a));
        CHECK(cudaFree(lane.b));
        CHECK(cudaFree(lane.c));
        CHECK(cudaStreamDestroy(lane.stream));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaEventDestroy(last_copy));
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    CHECK(cudaFreeHost(c));
    return lab::verdict("streams-pinned", all_right);
}
