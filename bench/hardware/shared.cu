// Shared memory: latency, throughput and bank conflicts of loads, stores and atomics.
//
// A load's result is the next load's address: every word that a lane reads holds its own address.
#include "measure.h"

constexpr int rounds = 32, steps_a_round = 32;

enum class Access { load32, load64, load128, store32, store64, store128, add, add_no_result, add_float, cas };
constexpr const char* access_names[] = {
    "load32",           "load64",    "load128",    "store32",
    "store64",          "store128",  "atomic add", "atomic add without result",
    "atomic add float", "atomic cas"};

template <Access access>
__device__ __forceinline__ void step(unsigned address, unsigned& x) {
    [[maybe_unused]] unsigned y, z, w;
    if constexpr (access == Access::load32)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x));
    else if constexpr (access == Access::load64)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];" : "+r"(x), "=r"(y));
    else if constexpr (access == Access::load128)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];" : "+r"(x), "=r"(y), "=r"(z), "=r"(w));
    else if constexpr (access == Access::store32)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(x));
    else if constexpr (access == Access::store64)
        asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" ::"r"(address), "r"(x));
    else if constexpr (access == Access::store128)
        asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(address), "r"(x));
    else if constexpr (access == Access::add)
        asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(x) : "r"(address));
    else if constexpr (access == Access::add_no_result)
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(x));
    else if constexpr (access == Access::add_float)
        asm volatile("{ .reg .f32 f; mov.b32 f, %0; atom.shared.add.f32 f, [%1], f; mov.b32 %0, f; }"
                     : "+r"(x)
                     : "r"(address));
    else
        asm volatile("atom.shared.cas.b32 %0, [%1], %0, %1;" : "+r"(x) : "r"(address));
}

// `ways` lanes meet in a bank, each in a row of its own; 0 sends all lanes to one word. Otherwise lanes lie
// `lane_stride` bytes apart.
__device__ unsigned place(int ways, int lane_stride) {
    const unsigned lane = threadIdx.x % 32;
    if (lane_stride) return lane * lane_stride;
    return ways == 0 ? 0 : 4 * (lane % ways * 32 + lane / ways);
}

template <Access access>
__global__ void repeat(int ways, int lane_stride, int blocks_an_sm, unsigned* arrived, Span* spans,
                       unsigned* sink) {
    __shared__ unsigned words[1024 + 32];
    const unsigned base = (unsigned)__cvta_generic_to_shared(words);
    const unsigned address = (base + 15) / 16 * 16 + place(ways, lane_stride);
    words[(address - base) / 4] = address;
    unsigned x = access >= Access::store32 ? threadIdx.x : address;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 1; turn <= 2; ++turn) {
        meet(arrived, blocks_an_sm, turn);
        begin = clock64();
#pragma unroll 1
        for (int round = 0; round < rounds; ++round)
#pragma unroll
            for (int i = 0; i < steps_a_round; ++i) step<access>(address, x);
        end = clock64() + (x == 1);
        // Stores are done when the barrier lets go.
        if (access >= Access::store32) {
            __syncthreads();
            end = clock64();
        }
    }
    note_span(spans, begin, end);
    if (x == 1) *sink = x;
}

template <Access access>
void measure(Csv& csv, SpanMeter& meter, unsigned* sink, int ways, int lane_stride,
             std::vector<int> warp_counts) {
    const int sms = sm_count();
    for (int warps : warp_counts) {
        const auto [blocks, threads] = residency(warps);
        Samples cycles;
        for (int i = 0; i < 3; ++i)
            for (double c : meter.cycles(sms * warps, [&] {
                     repeat<access><<<sms * blocks, threads>>>(ways, lane_stride, blocks, meter.arrived(),
                                                               meter.spans(), sink);
                 }))
                cycles.push_back(c / (rounds * steps_a_round));
        const auto where = settings("%s,%d,%d,%d", access_names[int(access)], ways, lane_stride, warps);
        csv.row(where, "cycles a step of each warp", cycles);
        csv.row(where, "warp steps a cycle of an SM", scaled(cycles, [&](double c) { return warps / c; }));
    }
}

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "shared", "access,ways,lane_stride,warps");
    SpanMeter meter;
    auto* sink = allocate<unsigned>(1);
    const std::vector<int> warps = {1, 2, 4, 8, 16, 32}, few = {1, 32};
    for (int ways = 0; ways <= 32; ++ways) {
        const auto& counts = ways <= 2 ? warps : few;
        measure<Access::load32>(csv, meter, sink, ways, 0, counts);
        measure<Access::store32>(csv, meter, sink, ways, 0, counts);
        if (ways & (ways - 1)) continue;
        measure<Access::add>(csv, meter, sink, ways, 0, counts);
        measure<Access::add_no_result>(csv, meter, sink, ways, 0, counts);
        measure<Access::add_float>(csv, meter, sink, ways, 0, few);
        measure<Access::cas>(csv, meter, sink, ways, 0, few);
    }
    for (int lane_stride : {8, 16, 32, 64, 128}) {
        measure<Access::load64>(csv, meter, sink, 0, lane_stride, warps);
        measure<Access::store64>(csv, meter, sink, 0, lane_stride, warps);
        if (lane_stride == 8) continue;
        measure<Access::load128>(csv, meter, sink, 0, lane_stride, warps);
        measure<Access::store128>(csv, meter, sink, 0, lane_stride, warps);
    }
}
