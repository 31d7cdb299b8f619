// What an instruction of the memory units takes of a scheduler's turns: one of them beside so many of
// arithmetic, as cycles that a scheduler needs for the group.
#include "measure.h"

enum class Memory { none, lds32, lds64, lds128, sts32, ldg32, shuffle };
constexpr const char* memory_names[] = {"none", "LDS", "LDS.64", "LDS.128", "STS", "LDG", "SHFL"};
enum class Math { ffma, lop3, both, add_lop3 };
constexpr const char* math_names[] = {"FFMA", "LOP3", "FFMA and LOP3", "add and LOP3"};

constexpr int rounds = 64, groups = 8;

template <Memory memory>
__device__ __forceinline__ void access(unsigned address, const float* from, float (&v)[4]) {
    if constexpr (memory == Memory::lds32)
        asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v[0]) : "r"(address));
    if constexpr (memory == Memory::lds64)
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v[0]), "=f"(v[1]) : "r"(address));
    if constexpr (memory == Memory::lds128)
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                     : "r"(address));
    if constexpr (memory == Memory::sts32)
        asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(address), "f"(v[0]));
    if constexpr (memory == Memory::ldg32)
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[0]) : "l"(from));
    if constexpr (memory == Memory::shuffle)
        asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=f"(v[0]) : "f"(v[0]));
}

// Of each four warps all take part, or one: that of one scheduler.
template <Memory memory, Math math, int count>
__global__ void mix(int schedulers, int blocks_an_sm, unsigned* arrived, Span* spans, const float* from,
                    float* sink, float x, int y, unsigned step) {
    __shared__ float words[4 * 1024];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = x;
    const unsigned width = memory == Memory::lds64 ? 8 : memory == Memory::lds128 ? 16 : 4;
    unsigned address = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x % 32 * width;
    from += threadIdx.x % 32;
    float f[groups];
    int n[groups], m[groups];
    float v[groups][4];
#pragma unroll
    for (int i = 0; i < groups; ++i) {
        f[i] = x + float(i);
        n[i] = y + i;
        m[i] = y * int(threadIdx.x) + i;
        for (float& each : v[i]) each = x;
    }
    meet(arrived, blocks_an_sm, 1);
    if (int(threadIdx.x / 32 % 4) >= schedulers) return;
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        address += step, from += step;  // of 0 bytes: so that the loads stay in the loop
#pragma unroll
        for (int i = 0; i < groups; ++i) access<memory>(address + i * 512, from + i * 32, v[i]);
#pragma unroll
        for (int k = 0; k < count; ++k)
#pragma unroll
            for (int i = 0; i < groups; ++i) {
                // Each value that was loaded is used once or more.
                if constexpr (math == Math::ffma || math == Math::both)
                    asm volatile("fma.rn.f32 %0, %0, %1, %2;"
                                 : "+f"(f[i])
                                 : "f"(x), "f"(v[i][memory == Memory::shuffle ? 0 : k % (width / 4)]));
                if constexpr (math == Math::add_lop3)
                    asm volatile("add.s32 %1, %1, 17; lop3.b32 %0, %0, %2, %1, 0x96;"
                                 : "+r"(n[i]), "+r"(m[i])
                                 : "r"(y));
                if constexpr (math == Math::lop3 || math == Math::both)
                    asm volatile("{ .reg .b32 t; mov.b32 t, %2; lop3.b32 %0, %0, %1, t, 0x96; }"
                                 : "+r"(n[i])
                                 : "r"(y), "f"(v[i][memory == Memory::shuffle ? 0 : k % (width / 4)]));
            }
    }
    const long long end = clock64();
    note_span(spans, begin, end);
    float all = 0;
    int sum = 0;
#pragma unroll
    for (int i = 0; i < groups; ++i) {
        all += f[i];
        sum += n[i];
    }
    if (all == 1.5f && sum == 7) *sink = all;
}

template <Memory memory, Math math, int count>
void measure(Csv& csv, SpanMeter& meter, const float* from, float* sink) {
    for (int schedulers : {1, 4})
        for (int warps : {16, 32, 64}) {
            const auto [blocks, threads] = residency(warps);
            if (!fits(mix<memory, math, count>, {blocks, threads})) continue;
            Samples cycles;
            for (int repeat = 0; repeat < 3; ++repeat) {
                CHECK(cudaMemset(meter.spans(), 0, sm_count() * warps * sizeof(Span)));
                CHECK(cudaMemset(meter.arrived(), 0, 1024 * sizeof(unsigned)));
                mix<memory, math, count><<<sm_count() * blocks, threads>>>(
                    schedulers, blocks, meter.arrived(), meter.spans(), from, sink, 1.0f, 3, 0);
                CHECK(cudaDeviceSynchronize());
                std::vector<Span> spans(sm_count() * warps);
                CHECK(cudaMemcpy(spans.data(), meter.spans(), spans.size() * sizeof(Span),
                                 cudaMemcpyDeviceToHost));
                long long begin = 0, late = 0;
                for (const Span& span : spans) {
                    if (span.sm != 0 || !span.end) continue;
                    begin = begin ? std::min(begin, span.begin) : span.begin;
                    late = std::max(late, span.end);
                }
                if (repeat) cycles.push_back(double(late - begin) / (rounds * groups * (warps / 4)));
            }
            csv.row(settings("%s,\"%s\",%d,%d,%d", memory_names[int(memory)], math_names[int(math)], count,
                             schedulers, warps),
                    "cycles a group and scheduler", cycles);
        }
}

template <Memory memory, Math math>
void measure_counts(Csv& csv, SpanMeter& meter, const float* from, float* sink) {
    measure<memory, math, 1>(csv, meter, from, sink);
    measure<memory, math, 2>(csv, meter, from, sink);
    measure<memory, math, 3>(csv, meter, from, sink);
    measure<memory, math, 4>(csv, meter, from, sink);
    measure<memory, math, 6>(csv, meter, from, sink);
    measure<memory, math, 8>(csv, meter, from, sink);
}

template <Memory memory>
void measure_all(Csv& csv, SpanMeter& meter, const float* from, float* sink) {
    measure_counts<memory, Math::ffma>(csv, meter, from, sink);
    measure_counts<memory, Math::lop3>(csv, meter, from, sink);
    measure_counts<memory, Math::both>(csv, meter, from, sink);
}

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "mixes", "memory,math,count,schedulers,warps");
    SpanMeter meter;
    auto* sink = allocate<float>(1);
    auto* from = allocate<float>(1024);
    // Additions of a constant, which the assembler gives to one unit or the other (IADD3, VIADD).
    measure_counts<Memory::none, Math::add_lop3>(csv, meter, from, sink);
    measure_all<Memory::none>(csv, meter, from, sink);
    measure_all<Memory::lds32>(csv, meter, from, sink);
    measure_all<Memory::lds64>(csv, meter, from, sink);
    measure_all<Memory::lds128>(csv, meter, from, sink);
    measure_all<Memory::sts32>(csv, meter, from, sink);
    measure_all<Memory::ldg32>(csv, meter, from, sink);
    measure_all<Memory::shuffle>(csv, meter, from, sink);
}
