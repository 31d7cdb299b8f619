// Does it matter in which order work is issued to streams? The same kernels, issued depth first (all of one
// stream, then the next) and breadth first (one of each stream in turn). On a GPU with one hardware queue,
// and on later ones with more streams than queues, depth first makes streams wait for each other.
//
//     streams-issue-order [STREAMS] [KERNELS]
#include <vector>

#include "lab.h"

// One block that keeps one SM busy for a while: each step needs the one before it.
__global__ void work(float* out, int steps) {
    float x = 1.0f + static_cast<float>(threadIdx.x);
    for (int i = 0; i < steps; ++i) x = x * 0.999f + 0.5f;
    out[threadIdx.x] += x;
}

int main(int argc, char** argv) {
    const int streams = static_cast<int>(lab::argument(argc, argv, 1, 4, 1, 64, "STREAMS"));
    const int kernels = static_cast<int>(lab::argument(argc, argv, 2, 4, 1, 64, "KERNELS"));
    const int steps = 20000, lanes = 32;

    std::vector<cudaStream_t> stream(static_cast<size_t>(streams));
    std::vector<float*> out(stream.size());
    for (size_t s = 0; s < stream.size(); ++s) {
        CHECK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        CHECK(cudaMalloc(&out[s], lanes * sizeof(float)));
    }
    std::printf("%s: %d kernels in each of %d streams\n\n", lab::device_name().c_str(), kernels, streams);
    std::printf("%-14s %10s  %s\n", "issued", "ms", "values");

    std::vector<float> first(lanes), values(lanes);
    bool all_right = true;
    for (int breadth = 0; breadth < 2; ++breadth) {
        for (float* o : out) CHECK(cudaMemset(o, 0, lanes * sizeof(float)));
        CHECK(cudaDeviceSynchronize());
        std::vector<cudaEvent_t> begin(stream.size()), end(stream.size());
        for (size_t s = 0; s < stream.size(); ++s) {
            CHECK(cudaEventCreate(&begin[s]));
            CHECK(cudaEventCreate(&end[s]));
        }
        CHECK(cudaEventRecord(begin[0], stream[0]));
        for (int i = 0; i < streams * kernels; ++i) {
            const auto s = static_cast<size_t>(breadth ? i % streams : i / kernels);
            work<<<1, lanes, 0, stream[s]>>>(out[s], steps);
        }
        for (size_t s = 0; s < stream.size(); ++s) CHECK(cudaEventRecord(end[s], stream[s]));
        CHECK(cudaDeviceSynchronize());
        // The last stream to end is another one with each order.
        float longest = 0;
        for (size_t s = 0; s < stream.size(); ++s) {
            float ms = 0;
            CHECK(cudaEventElapsedTime(&ms, begin[0], end[s]));
            longest = ms > longest ? ms : longest;
        }
        bool right = true;
        for (size_t s = 0; s < stream.size(); ++s) {
            CHECK(cudaMemcpy(values.data(), out[s], lanes * sizeof(float), cudaMemcpyDeviceToHost));
            if (s == 0 && breadth == 0) first = values;
            right = right && values == first && values[0] > 0;
        }
        all_right = all_right && right;
        std::printf("%-14s %10.3f  %s\n", breadth ? "breadth first" : "depth first", longest,
                    right ? "right" : "WRONG");
    }
    for (size_t s = 0; s < stream.size(); ++s) {
        CHECK(cudaFree(out[s]));
        CHECK(cudaStreamDestroy(stream[s]));
    }
    return lab::verdict("streams-issue-order", all_right);
}
