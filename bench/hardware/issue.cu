// How a scheduler issues: which mixes of instructions reach one a cycle, and whether warps take turns or the
// oldest goes first.
#include "measure.h"

enum class Mix { ffma, imad_xor, ffma_imad, loop };
constexpr const char* mix_names[] = {"FFMA", "IMAD and LOP3", "FFMA and IMAD", "loop of 4 FFMA"};

template <Mix mix>
__global__ void issue(int rounds, int blocks_an_sm, unsigned* arrived, Span* spans, unsigned* sink, float x,
                      int y) {
    float f[8];
    int n[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        f[i] = x + float(i);
        n[i] = y + i;
    }
    meet(arrived, blocks_an_sm, 1);
    const long long begin = clock64();
    const int inner = mix == Mix::loop ? 1 : 8;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int k = 0; k < inner; ++k) {
            if constexpr (mix == Mix::loop) {
#pragma unroll
                for (int i = 0; i < 4; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(x));
            } else {
#pragma unroll
                for (int i = 0; i < 8; ++i) {
                    if constexpr (mix == Mix::ffma)
                        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(x));
                    if constexpr (mix == Mix::imad_xor) {
                        if (i % 2)
                            asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(n[i]) : "r"(y));
                        else
                            asm volatile("xor.b32 %0, %0, %1;" : "+r"(n[i]) : "r"(y));
                    }
                    if constexpr (mix == Mix::ffma_imad) {
                        if (i % 2)
                            asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(n[i]) : "r"(y));
                        else
                            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(x));
                    }
                }
            }
        }
    }
    const long long end = clock64();
    note_span(spans, begin, end);
    float all = 0;
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        all += f[i];
        sum += n[i];
    }
    if (all == 1.5f && sum == 7) *sink = sum;
}

template <Mix mix>
void measure(Csv& csv, Csv& turns, SpanMeter& meter, unsigned* sink) {
    for (int warps : {4, 8, 16, 32, 64}) {
        const auto [blocks, threads] = residency(warps);
        const int rounds = 512;
        Samples cycles, first, last;
        for (int repeat = 0; repeat < 3; ++repeat) {
            meter.cycles(sm_count() * warps, [&] {
                issue<mix><<<sm_count() * blocks, threads>>>(rounds, blocks, meter.arrived(), meter.spans(),
                                                             sink, 1.0f, 3);
            });
            if (!repeat) continue;
            // Of SM 0: when the first and when the last warp ended.
            CHECK(cudaDeviceSynchronize());
            std::vector<Span> spans(sm_count() * warps);
            CHECK(
                cudaMemcpy(spans.data(), meter.spans(), spans.size() * sizeof(Span), cudaMemcpyDeviceToHost));
            long long begin = 0, early = 0, late = 0;
            for (const Span& span : spans) {
                if (span.sm != 0) continue;
                begin = begin ? std::min(begin, span.begin) : span.begin;
                early = early ? std::min(early, span.end) : span.end;
                late = std::max(late, span.end);
            }
            cycles.push_back(double(late - begin));
            first.push_back(double(early - begin) / double(late - begin));
        }
        const double each = mix == Mix::loop ? 4 : 64;
        csv.row(settings("\"%s\",%d", mix_names[int(mix)], warps), "warp instructions a cycle of an SM",
                scaled(cycles, [&](double c) { return rounds * each * warps / c; }));
        turns.row(settings("\"%s\",%d", mix_names[int(mix)], warps), "first warp's end / last warp's end",
                  first);
    }
}

// A chain through a predicate: a comparison, and an addition that it guards; or a branch that it decides.
enum class Guarded { addition, branch, shared_load };
constexpr const char* guarded_names[] = {"ISETP, @P IADD3", "ISETP, @P BRA around IADD3 and IMAD.HI",
                                         "ISETP, @P LDS"};

template <Guarded what>
__global__ void guarded(int rounds, int limit, Span* spans, int* sink) {
    __shared__ int words[32];
    words[threadIdx.x % 32] = 1;
    __syncthreads();
    int value = limit, at = int(__cvta_generic_to_shared(words));
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            if constexpr (what == Guarded::addition)
                asm volatile("{ .reg .pred p; setp.ge.s32 p, %0, %1; @p add.s32 %0, %0, 1; }"
                             : "+r"(value)
                             : "r"(limit));
            if constexpr (what == Guarded::shared_load)
                asm volatile(
                    "{ .reg .pred p; .reg .s32 x; setp.lt.s32 p, %0, %1; mov.s32 x, 1; @p ld.shared.s32 x, "
                    "[%2]; add.s32 %0, %0, x; }"
                    : "+r"(value)
                    : "r"(limit), "r"(at));
            if constexpr (what == Guarded::branch)
                asm volatile(
                    "{ .reg .pred p; setp.lt.s32 p, %0, %1; @p bra skip; mul.hi.s32 %0, %0, %1; add.s32 %0, "
                    "%0, 2000000; skip: }"
                    : "+r"(value)
                    : "r"(limit));
        }
    note_span(spans, begin, clock64() + (value == 1));
    if (value == 1) *sink = value;
}

template <Guarded what>
void measure_guarded(Csv& csv, SpanMeter& meter, unsigned* sink) {
    Samples cycles;
    for (int repeat = 0; repeat < 4; ++repeat) {
        const Samples spans =
            meter.cycles(1, [&] { guarded<what><<<1, 32>>>(64, 1 << 20, meter.spans(), (int*)sink); });
        if (repeat) cycles.push_back(spans[0]);
    }
    csv.row(settings("\"%s\"", guarded_names[int(what)]), "cycles a step",
            scaled(cycles, [](double c) { return c / (64 * 16); }));
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    unsigned* sink = allocate<unsigned>(1);
    SpanMeter meter;
    Csv csv(folder, "issue", "mix,warps");
    Csv turns(folder, "issue-turns", "mix,warps");
    measure<Mix::ffma>(csv, turns, meter, sink);
    measure<Mix::imad_xor>(csv, turns, meter, sink);
    measure<Mix::ffma_imad>(csv, turns, meter, sink);
    measure<Mix::loop>(csv, turns, meter, sink);
    Csv predicates(folder, "predicates", "chain");
    measure_guarded<Guarded::addition>(predicates, meter, sink);
    measure_guarded<Guarded::branch>(predicates, meter, sink);
    measure_guarded<Guarded::shared_load>(predicates, meter, sink);
}
