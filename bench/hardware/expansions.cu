// What the machine has no instruction for takes so long: cycles of a warp for each division, remainder, root
// and the like, one after the other, and two or four side by side.
#include "measure.h"

constexpr int steps = 64;

#define OPERATION(name, type, expression)                                                \
    struct name {                                                                        \
        using Type = type;                                                               \
        static constexpr const char* text = #name;                                       \
        static __device__ __forceinline__ type of(type x, type y) { return expression; } \
    };
OPERATION(f64_add, double, x + y)
OPERATION(f64_fma, double, fma(x, y, y))
OPERATION(f64_div, double, y / x)
OPERATION(f64_rcp, double, 1.0 / x)
OPERATION(f64_sqrt, double, sqrt(x))
OPERATION(f64_rsqrt, double, rsqrt(x))
OPERATION(f32_div, float, y / x)
OPERATION(f32_rcp, float, 1.0f / x)
OPERATION(f32_sqrt, float, sqrtf(x))
OPERATION(f32_rsqrt, float, rsqrtf(x))
OPERATION(f32_fdividef, float, __fdividef(y, x))
OPERATION(f32_ex2, float, exp2f(x))
OPERATION(f32_lg2, float, __log2f(x))
OPERATION(f32_sin, float, __sinf(x))
OPERATION(u16_div, unsigned short, (unsigned short)(y / (unsigned short)(x | 1)))
OPERATION(u32_div, unsigned, y / (x | 1))
OPERATION(s32_div, int, y / (x | 1))
OPERATION(u32_rem, unsigned, y % (x | 1))
OPERATION(s32_rem, int, y % (x | 1))
OPERATION(u64_div_narrow, unsigned long long, y / (x & 0xffff | 1))
OPERATION(u64_rem_narrow, unsigned long long, y % (x & 0xffff | 1))
OPERATION(u64_div, unsigned long long, ~y / (x | 0x100000001))
OPERATION(s64_div, long long, ~y / (x | 0x100000001))
OPERATION(u64_rem, unsigned long long, ~y % (x | 0x100000001))
OPERATION(s64_rem, long long, ~y % (x | 0x100000001))
OPERATION(u64_mul, unsigned long long, x* y)
OPERATION(u64_mulhi, unsigned long long, __umul64hi(x, y) | 1)
OPERATION(s64_to_f64, long long, (long long)((double)x + (double)y))
OPERATION(f32_to_s32, float, (float)((int)x) + y)
OPERATION(compared, int, x > y ? x - y : x + 3)

template <class Operation, int side_by_side>
__global__ void chain(typename Operation::Type first, typename Operation::Type y, Span* spans,
                      typename Operation::Type* sink) {
    using Type = typename Operation::Type;
    Type x[side_by_side];
    for (int i = 0; i < side_by_side; ++i) x[i] = first + Type(threadIdx.x % 2) + Type(i);
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        begin = clock64();
#pragma unroll 1
        for (int step = 0; step < steps; step += 4)
#pragma unroll
            for (int part = 0; part < 4; ++part)
#pragma unroll
                for (int i = 0; i < side_by_side; ++i) x[i] = Operation::of(x[i], y);
        end = clock64();
    }
    note_span(spans, begin, end);
    Type sum = x[0];
    for (int i = 1; i < side_by_side; ++i) sum += x[i];
    if (sum == Type(123)) *sink = sum;
}

template <class Operation, int side_by_side>
void measure(Csv& csv, SpanMeter& meter, int warps) {
    using Type = typename Operation::Type;
    Type* sink = allocate<Type>(1);
    Samples cycles;
    for (int repeat = 0; repeat < 5; ++repeat)
        for (double c : meter.cycles(warps, [&] {
                 chain<Operation, side_by_side><<<1, warps * 32>>>(Type(3), Type(1000), meter.spans(), sink);
             }))
            cycles.push_back(c / steps);
    csv.row(settings("%s,%d,%d", Operation::text, side_by_side, warps), "cycles a step", cycles);
    CHECK(cudaFree(sink));
}

template <class... Operations>
void measure_all(Csv& csv, SpanMeter& meter) {
    for (int warps : {1, 16})
        (..., (measure<Operations, 1>(csv, meter, warps), measure<Operations, 2>(csv, meter, warps),
               measure<Operations, 4>(csv, meter, warps)));
}

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "expansions", "operation,side_by_side,warps");
    SpanMeter meter;
    measure_all<f64_add, f64_fma, f64_div, f64_rcp, f64_sqrt, f64_rsqrt, f32_div, f32_rcp, f32_sqrt,
                f32_rsqrt, f32_fdividef, f32_ex2, f32_lg2, f32_sin, u16_div, u32_div, s32_div, u32_rem,
                s32_rem, u64_div_narrow, u64_rem_narrow, u64_div, s64_div, u64_rem, s64_rem, u64_mul,
                u64_mulhi, s64_to_f64, f32_to_s32, compared>(csv, meter);
}
