// Constant memory: loads whose address the lanes compute, by how many words they want, on how many lines.
//
// Lane l begins at word l % `words` * `lane_stride` and goes on by `step` words, within `span` of them. All
// words hold 0.
#include "measure.h"

constexpr int loads = 512, samples = 5;

struct alignas(16) Four {
    unsigned x, y, z, w;
};
__constant__ unsigned single[8192];
__constant__ Four wide[512];

struct Way {
    unsigned words, lane_stride, step, span;
    __device__ unsigned first() const { return threadIdx.x % 32 % words * lane_stride; }
};

// Each load's address needs the one before.
__global__ void chain(Way way, unsigned* sink, long long* cycles) {
    unsigned at = way.first() % way.span;
    for (int turn = 0; turn < 2; ++turn) {
        const long long begin = clock64();
#pragma unroll 16
        for (int i = 0; i < loads; ++i) at = (single[at] + at + way.step) & (way.span - 1);
        const long long end = clock64();
        if (threadIdx.x == 0) *cycles = end - begin;
    }
    sink[threadIdx.x] = at;
}

template <bool four>
__global__ void stream(Way way, unsigned* sink, long long* cycles) {
    unsigned sum = 0;
    for (int turn = 0; turn < 2; ++turn) {
        unsigned at = way.first();
        __syncthreads();
        const long long begin = clock64();
#pragma unroll 16
        for (int i = 0; i < loads; ++i, at += way.step) {
            if constexpr (four) {
                const Four value = wide[at & (way.span - 1)];
                sum += value.x ^ value.y ^ value.z ^ value.w;
            } else {
                sum += single[at & (way.span - 1)];
            }
        }
        __syncthreads();
        const long long end = clock64();
        if (threadIdx.x == 0) *cycles = end - begin;
    }
    sink[threadIdx.x] = sum;
}

// Each lane goes from word to word at random, and needs each for the next.
__global__ void wander(unsigned span, unsigned* sink, long long* cycles) {
    unsigned at = threadIdx.x * 2654435761u;
    for (int turn = 0; turn < 2; ++turn) {
        __syncthreads();
        const long long begin = clock64();
#pragma unroll 16
        for (int i = 0; i < loads; ++i) at = at * 1664525 + 1013904223 + single[at >> 16 & (span - 1)];
        __syncthreads();
        const long long end = clock64();
        if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = end - begin;
    }
    sink[threadIdx.x] = at;
}

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "constant-loads", "access,warps,words,lane_stride,step,span");
    unsigned* sink = allocate<unsigned>(1024);
    long long* cycles = allocate<long long>(1);
    const auto sample = [&](const std::string& where, int warps, auto launch) {
        Samples each;
        for (int i = 0; i < samples; ++i) {
            launch();
            long long taken = 0;
            CHECK(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
            each.push_back(double(taken) / loads / warps);
        }
        csv.row(where, "cycles a load of a warp", each);
    };
    const auto measure = [&](const char* name, auto kernel, int warps, Way way) {
        sample(settings("%s,%d,%u,%u,%u,%u", name, warps, way.words, way.lane_stride, way.step, way.span),
               warps, [&] { kernel<<<1, 32 * warps>>>(way, sink, cycles); });
    };
    for (int blocks : {1, sm_count()})
        for (int warps : {1, 2, 4, 8, 32})
            for (unsigned span : {16, 64, 128, 256, 512, 1024, 2048, 4096, 8192})
                sample(settings("%s,%d,32,,,%u", blocks == 1 ? "wander" : "wander_everywhere", warps, span),
                       warps, [&] { wander<<<blocks, 32 * warps>>>(span, sink, cycles); });
    for (unsigned words : {1, 2, 4, 8, 16, 32})
        for (unsigned lane_stride : {1, 16})
            for (unsigned step : {0, 16}) {
                for (unsigned span : {256, 512, 1024, 8192})
                    measure("chain", chain, 1, {words, lane_stride, step, span});
                for (int warps : {1, 8, 32}) {
                    for (unsigned span : {256, 1024})
                        measure("load32", stream<false>, warps, {words, lane_stride, step, span});
                    measure("load128", stream<true>, warps, {words, lane_stride, step, 256});
                }
            }
}
