// What control costs: barriers, branches that all lanes or some take, special registers, and the SM's clock.
#include <type_traits>

#include "measure.h"

constexpr int rounds = 256;

enum class Sync { threads, warp, count };
template <Sync kind>
__global__ void barriers(Span* spans, int zero, unsigned* sink) {
    unsigned seen = 0;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        __syncthreads();
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < rounds; i += 32)
#pragma unroll
            for (int j = 0; j < 32; ++j) {
                if constexpr (kind == Sync::threads)
                    __syncthreads();
                else if constexpr (kind == Sync::warp)
                    __syncwarp();
                else
                    seen += __syncthreads_count(zero);
            }
        end = clock64();
    }
    note_span(spans, begin, end);
    if (seen == 1) *sink = seen;
}

__device__ __forceinline__ void add_chain(float& x, float a) {
#pragma unroll
    for (int i = 0; i < 16; ++i) asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
}

// `lane` looks new to the compiler in each round, so that the branch stays in the loop.
__device__ __forceinline__ int opaque(int lane) {
    asm volatile("mov.b32 %0, %0;" : "+r"(lane));
    return lane;
}

enum class Shape { plain, one_sided, two_sided };
template <Shape shape>
__global__ void branches(int limit, float a, float b, Span* spans, float* sink) {
    a += threadIdx.x % 32 * 0.01f, b += threadIdx.x % 32 * 0.01f;  // not uniform registers
    float x = a;
    const int lane = threadIdx.x % 32;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < rounds; ++i) {
            if constexpr (shape == Shape::plain)
                add_chain(x, a);
            else if (opaque(lane) < limit)
                add_chain(x, a);
            else if constexpr (shape == Shape::two_sided)
                add_chain(x, b);
        }
        end = clock64() + (x == 12345.f);
    }
    note_span(spans, begin, end);
    if (x == 12345.f) *sink = x;
}

// Lanes take one of `ways` paths of a switch.
__global__ void paths(int ways, float a, float b, Span* spans, float* sink) {
    a += threadIdx.x % 32 * 0.01f, b += threadIdx.x % 32 * 0.01f;
    const float c = a + b, d = a - b;
    float x = a;
    const int path = threadIdx.x % ways;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < rounds; ++i) switch (opaque(path)) {
                case 0: add_chain(x, a); break;
                case 1: add_chain(x, b); break;
                case 2: add_chain(x, c); break;
                case 3: add_chain(x, d); break;
                case 4: add_chain(x, -a); break;
                case 5: add_chain(x, -b); break;
                case 6: add_chain(x, -c); break;
                default: add_chain(x, -d); break;
            }
        end = clock64() + (x == 12345.f);
    }
    note_span(spans, begin, end);
    if (x == 12345.f) *sink = x;
}

// A loop of one addition, without and with something more in it. The assembler counts in a uniform register
// and reads special registers into one (S2UR).
enum class Extra { none, special_register, clock };
template <Extra extra>
__global__ void loops(int limit, Span* spans, int* sink) {
    int x = threadIdx.x;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < limit; ++i) {
            asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(limit));
            if constexpr (extra == Extra::special_register) {
                int id;
                asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
                asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(id));
            } else if constexpr (extra == Extra::clock) {
                int now;
                asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
                asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(now));
            }
        }
        end = clock64() + (x == 12345);
    }
    note_span(spans, begin, end);
    if (x == 12345) *sink = x;
}

// Straight code of some length; the first turn fetches it, a second finds what the instruction caches kept.
template <int length>
__global__ void straight(int turns, float a, float b, Span* spans, float* sink) {
    a += threadIdx.x % 32 * 0.01f, b += threadIdx.x % 32 * 0.01f;
    float x[4] = {a, b, a, b};
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
        begin = clock64();
#pragma unroll
        for (int i = 0; i < length / 16; ++i)
#pragma unroll
            for (int j = 0; j < 16; ++j) asm volatile("add.f32 %0, %0, %1;" : "+f"(x[j % 4]) : "f"(a));
        end = clock64();
    }
    note_span(spans, begin, end);
    if (x[0] + x[1] + x[2] + x[3] == 12345.f) *sink = x[0];
}

// SM cycles in a microsecond while `work` is done for some milliseconds on all SMs.
template <bool busy>
__global__ void clocks(float a, double* mhz, float* sink) {
    const unsigned long long t0 = nanoseconds();
    const long long c0 = clock64();
    float x = a, y = a;
    while (nanoseconds() - t0 < 20'000'000)
        if (busy)
            for (int i = 0; i < 64; ++i) {
                add_chain(x, a);
                add_chain(y, 0.5f);
            }
        else
            __nanosleep(1000);
    const long long c1 = clock64();
    const unsigned long long t1 = nanoseconds();
    if (threadIdx.x == 0) mhz[blockIdx.x] = double(c1 - c0) * 1000 / double(t1 - t0);
    if (x + y == 12345.f) *sink = x;
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    Csv csv(folder, "control", "what,warps,setting");
    SpanMeter meter;
    auto* sink = allocate<unsigned>(1);
    auto* float_sink = (float*)sink;
    const int sms = sm_count();
    const auto measure = [&](const std::string& where, int warps, double steps,
                             const std::function<void()>& launch) {
        Samples cycles;
        for (int repeat = 0; repeat < 5; ++repeat)
            for (double c : meter.cycles(warps, launch)) cycles.push_back(c / steps);
        csv.row(where, "cycles a step", cycles);
    };

    for (int warps : {1, 2, 4, 6, 8, 12, 16, 20, 24, 28, 32}) {
        measure(settings("__syncthreads,%d,", warps), sms * warps, rounds,
                [&] { barriers<Sync::threads><<<sms, warps * 32>>>(meter.spans(), 0, sink); });
        measure(settings("__syncthreads_count,%d,", warps), sms * warps, rounds,
                [&] { barriers<Sync::count><<<sms, warps * 32>>>(meter.spans(), 0, sink); });
        measure(settings("__syncwarp,%d,", warps), sms * warps, rounds,
                [&] { barriers<Sync::warp><<<sms, warps * 32>>>(meter.spans(), 0, sink); });
    }
    for (int warps : {1, 4, 16, 32}) {
        measure(settings("16 additions in a loop,%d,", warps), sms * warps, rounds, [&] {
            branches<Shape::plain><<<sms, warps * 32>>>(0, 1.5f, 0.5f, meter.spans(), float_sink);
        });
        for (int limit : {0, 1, 16, 31, 32}) {
            measure(settings("16 additions under an if: lanes inside,%d,%d", warps, limit), sms * warps,
                    rounds, [&] {
                        branches<Shape::one_sided>
                            <<<sms, warps * 32>>>(limit, 1.5f, 0.5f, meter.spans(), float_sink);
                    });
            measure(settings("16 additions under if and else: lanes in the if,%d,%d", warps, limit),
                    sms * warps, rounds, [&] {
                        branches<Shape::two_sided>
                            <<<sms, warps * 32>>>(limit, 1.5f, 0.5f, meter.spans(), float_sink);
                    });
        }
        for (int ways : {1, 2, 3, 4, 5, 6, 7, 8})
            measure(settings("16 additions in a case of a switch: cases taken,%d,%d", warps, ways),
                    sms * warps, rounds,
                    [&] { paths<<<sms, warps * 32>>>(ways, 1.5f, 0.5f, meter.spans(), float_sink); });
        measure(settings("loop of one addition,%d,", warps), sms * warps, 4096,
                [&] { loops<Extra::none><<<sms, warps * 32>>>(4096, meter.spans(), (int*)sink); });
        measure(settings("loop with a special register (S2UR),%d,", warps), sms * warps, 4096, [&] {
            loops<Extra::special_register><<<sms, warps * 32>>>(4096, meter.spans(), (int*)sink);
        });
        measure(settings("loop with the clock (S2UR),%d,", warps), sms * warps, 4096,
                [&] { loops<Extra::clock><<<sms, warps * 32>>>(4096, meter.spans(), (int*)sink); });
    }

    const auto measure_straight = [&](auto length) {
        for (int turns : {1, 2})
            for (int warps : {1, 4})
                measure(settings("%d additions in a row: turn,%d,%d", length(), warps, turns), sms * warps,
                        length(), [&] {
                            straight<length()>
                                <<<sms, warps * 32>>>(turns, 1.5f, 0.5f, meter.spans(), float_sink);
                        });
    };
    measure_straight(std::integral_constant<int, 256>());
    measure_straight(std::integral_constant<int, 512>());
    measure_straight(std::integral_constant<int, 1024>());
    measure_straight(std::integral_constant<int, 2048>());
    measure_straight(std::integral_constant<int, 4096>());
    measure_straight(std::integral_constant<int, 8192>());
    measure_straight(std::integral_constant<int, 16384>());

    double* mhz = allocate<double>(sms * 2);
    const auto clock = [&](const char* what, int blocks, const std::function<void()>& launch) {
        Samples all;
        for (int repeat = 0; repeat < 5; ++repeat) {
            launch();
            std::vector<double> values(blocks);
            CHECK(cudaMemcpy(values.data(), mhz, blocks * sizeof(double), cudaMemcpyDeviceToHost));
            all.insert(all.end(), values.begin(), values.end());
        }
        csv.row(settings("%s,,", what), "MHz", all);
    };
    clock("SM clock: one thread waits", 1, [&] { clocks<false><<<1, 1>>>(1.5f, mhz, float_sink); });
    clock("SM clock: all SMs add", sms * 2, [&] { clocks<true><<<sms * 2, 1024>>>(1.5f, mhz, float_sink); });
}
