// What it costs that lanes part and meet again: ifs, nested ifs, loops that lanes leave at different times.
#include "measure.h"

constexpr int rounds = 256;

template <int length>
__device__ __forceinline__ void add_chain(float& x, float a) {
#pragma unroll
    for (int i = 0; i < length; ++i) asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
}

enum class Shape { plain, one_if, two_ifs, nested, if_else, leave, skip };
constexpr const char* shape_names[] = {"plain",   "if",     "two ifs", "nested ifs",
                                       "if else", "a loop", "continue"};

// `first` of 32 lanes take the first way, `second` the second; who takes it turns by a lane each round, so
// that the compiler cannot take the comparison out of the loop. In `leave`, lane i of the first goes through
// an inner loop `second` times, the others once.
template <Shape shape, int length>
__global__ void split(int first, int second, float a, float b, Span* spans, float* sink) {
    a += threadIdx.x % 32 * 0.01f, b += threadIdx.x % 32 * 0.01f;  // not uniform registers
    float x = a;
    int lane = threadIdx.x % 32;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < rounds; ++i) {
            lane = (lane + 1) % 32;
            if constexpr (shape == Shape::plain) {
                add_chain<length>(x, a);
                if (lane == 77) break;
            }
            if constexpr (shape == Shape::one_if)
                if (lane < first) add_chain<length>(x, a);
            if constexpr (shape == Shape::two_ifs) {
                if (lane < first) add_chain<length>(x, a);
                add_chain<2>(x, b);
                if (lane < second) add_chain<length>(x, b);
            }
            if constexpr (shape == Shape::nested)
                if (lane < first) {
                    add_chain<length>(x, a);
                    if (lane < second) add_chain<length>(x, b);
                    add_chain<2>(x, b);
                }
            if constexpr (shape == Shape::if_else) {
                if (lane < first)
                    add_chain<length>(x, a);
                else
                    add_chain<length>(x, b);
            }
            if constexpr (shape == Shape::leave) {
                const int times = lane < first ? second : 1;
#pragma unroll 1
                for (int k = 0; k < times; ++k) add_chain<length>(x, a);
            }
            if constexpr (shape == Shape::skip) {
                if (lane >= first) continue;
                add_chain<length>(x, a);
                if (lane >= second) continue;
                add_chain<length>(x, b);
            }
        }
        end = clock64() + (x == 12345.f);
    }
    note_span(spans, begin, end);
    if (x == 12345.f) *sink = x;
}

// Each lane goes through the loop so many times, or lane i goes i * times / 32 times: a lane leaves, then
// others.
template <int length>
__global__ void leave(int times, int each, float a, Span* spans, float* sink) {
    a += threadIdx.x % 32 * 0.01f;
    float x = a;
    const int limit = each ? (threadIdx.x % 32 + 1) * times / 32 : times;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < limit; ++i) add_chain<length>(x, a);
        end = clock64() + (x == 12345.f);
    }
    note_span(spans, begin, end);
    if (x == 12345.f) *sink = x;
}

template <Shape shape, int length>
void measure(Csv& csv, SpanMeter& meter, float* sink, int first, int second) {
    for (int warps : {1, 4, 16}) {
        Samples cycles;
        for (int repeat = 0; repeat < 3; ++repeat)
            for (double each : meter.cycles(warps, [&] {
                     split<shape, length><<<1, warps * 32>>>(first, second, 1, 2, meter.spans(), sink);
                 }))
                cycles.push_back(each / rounds);
        csv.row(settings("%s,%d,%d,%d,%d", shape_names[int(shape)], length, warps, first, second),
                "cycles a round", cycles);
    }
}

template <int length>
void measure_all(Csv& csv, SpanMeter& meter, float* sink) {
    measure<Shape::plain, length>(csv, meter, sink, 0, 0);
    for (int first : {0, 1, 16, 31, 32}) {
        measure<Shape::one_if, length>(csv, meter, sink, first, 0);
        measure<Shape::if_else, length>(csv, meter, sink, first, 0);
    }
    for (int first : {0, 16, 32})
        for (int second : {0, 8, 16, 32}) {
            measure<Shape::two_ifs, length>(csv, meter, sink, first, second);
            measure<Shape::nested, length>(csv, meter, sink, first, second);
            measure<Shape::skip, length>(csv, meter, sink, first, second);
        }
    for (int first : {1, 16, 32})
        for (int second : {1, 2, 4, 8}) measure<Shape::leave, length>(csv, meter, sink, first, second);
    for (int each : {0, 1})
        for (int times : {32, 64, 128}) {
            Samples cycles;
            for (int repeat = 0; repeat < 3; ++repeat)
                for (double took :
                     meter.cycles(1, [&] { leave<length><<<1, 32>>>(times, each, 1, meter.spans(), sink); }))
                    cycles.push_back(took / times);
            csv.row(settings("lanes leave %s,%d,1,%d,0", each ? "in turn" : "together", length, times),
                    "cycles a round", cycles);
        }
}

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "divergence", "shape,length,warps,first,second");
    SpanMeter meter;
    auto* sink = allocate<float>(1);
    measure_all<4>(csv, meter, sink);
    measure_all<16>(csv, meter, sink);
}
