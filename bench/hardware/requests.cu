// What the L2 takes of requests whose lanes lie apart: lines and sectors a cycle, loads and stores that hit
// it, by the distance of the lanes.
#include "measure.h"

constexpr unsigned footprint = 16u << 20;
constexpr int in_flight = 4;

// Lanes `lane_stride` bytes apart, from a line that a hash chooses; offsets wrap round in the footprint.
template <bool writes>
__global__ void apart(char* memory, unsigned lane_stride, int rounds, Span* spans, unsigned* sink) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const unsigned lane = threadIdx.x % 32;
    unsigned sum = 0, hash = warp * 2654435761u + 12345u;
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        unsigned at[in_flight], value[in_flight];
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            hash = hash * 1664525u + 1013904223u;
            at[i] = ((hash >> 7 << 7) + lane * lane_stride) & (footprint - 1);
        }
#pragma unroll
        for (int i = 0; i < in_flight; ++i)
            if constexpr (writes)
                asm volatile("st.global.u32 [%0], %1;" ::"l"(memory + at[i]), "r"(at[i]) : "memory");
            else
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value[i]) : "l"(memory + at[i]));
#pragma unroll
        for (int i = 0; i < in_flight; ++i) sum ^= writes ? at[i] : value[i];
    }
    note_span(spans, begin, clock64() + (sum == 1));
    if (sum == 1) *sink = sum;
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    char* memory = allocate<char>(footprint);
    unsigned* sink = allocate<unsigned>(1);
    SpanMeter meter;
    Csv csv(folder, "l2-requests", "kind,lane_stride,sms,warps");
    for (bool writes : {false, true})
        for (unsigned lane_stride : {4u, 8u, 16u, 32u, 64u, 128u, 512u, 4096u, 65536u})
            for (int sms : {1, 8, sm_count()})
                for (int warps : {8, 32, 64}) {
                    const auto [blocks, threads] = residency(warps);
                    const int rounds = 64;
                    Samples cycles;
                    for (int repeat = 0; repeat < 4; ++repeat) {
                        const Samples spans = meter.cycles(sms * warps, [&] {
                            if (writes)
                                apart<true><<<sms * blocks, threads>>>(memory, lane_stride, rounds,
                                                                       meter.spans(), sink);
                            else
                                apart<false><<<sms * blocks, threads>>>(memory, lane_stride, rounds,
                                                                        meter.spans(), sink);
                        });
                        if (repeat) cycles.push_back(*std::max_element(spans.begin(), spans.end()));
                    }
                    const double requests = double(rounds) * in_flight * warps * sms;
                    const double lines = std::min(32u, std::max(1u, lane_stride / 4));
                    csv.row(settings("%s,%u,%d,%d", writes ? "write" : "read", lane_stride, sms, warps),
                            "lines a cycle", scaled(cycles, [&](double c) { return requests * lines / c; }));
                }
}
