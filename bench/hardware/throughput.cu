// Bytes a cycle and bytes a second: L1, L2 and DRAM, by access size, loads in flight, warps and SMs; atomics.
#include <type_traits>

#include "measure.h"

template <int bytes>
struct Words {
    unsigned word[bytes / 4];
};

template <int bytes, bool l1>
__device__ __forceinline__ Words<bytes> load(const char* address) {
    Words<bytes> value;
    if constexpr (bytes == 4 && l1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value.word[0]) : "l"(address));
    else if constexpr (bytes == 4)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value.word[0]) : "l"(address));
    else if constexpr (bytes == 8 && l1)
        asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];"
                     : "=r"(value.word[0]), "=r"(value.word[1])
                     : "l"(address));
    else if constexpr (bytes == 8)
        asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];"
                     : "=r"(value.word[0]), "=r"(value.word[1])
                     : "l"(address));
    else if constexpr (l1)
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.word[0]), "=r"(value.word[1]), "=r"(value.word[2]), "=r"(value.word[3])
                     : "l"(address));
    else
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.word[0]), "=r"(value.word[1]), "=r"(value.word[2]), "=r"(value.word[3])
                     : "l"(address));
    return value;
}

template <int bytes>
__device__ __forceinline__ void store(char* address, Words<bytes> value) {
    if constexpr (bytes == 4)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(value.word[0]) : "memory");
    else if constexpr (bytes == 8)
        asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(address), "r"(value.word[0]), "r"(value.word[1])
                     : "memory");
    else
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(value.word[0]),
                     "r"(value.word[1]), "r"(value.word[2]), "r"(value.word[3])
                     : "memory");
}

template <int bytes>
__device__ __forceinline__ unsigned folded(Words<bytes> value) {
    unsigned sum = 0;
#pragma unroll
    for (unsigned word : value.word) sum ^= word;
    return sum;
}

template <int n>
using Constant = std::integral_constant<int, n>;

template <class Body>
void for_each_shape(Body body) {
    const auto with_width = [&](auto width) {
        body(width, Constant<1>());
        body(width, Constant<2>());
        body(width, Constant<4>());
        body(width, Constant<8>());
    };
    with_width(Constant<4>());
    with_width(Constant<8>());
    with_width(Constant<16>());
}

// Every warp reads the first 32 KB in rows of what all its loads in flight take: all hits after the first
// turn. How many rows is known only at run time, so that no load leaves the loop.
template <int bytes, int in_flight>
__global__ void l1_hits(const char* memory, int lane_stride, unsigned last_row, int rounds, int blocks_an_sm,
                        unsigned* arrived, Span* spans, unsigned* sink) {
    const unsigned warp_bytes = 32 * lane_stride * in_flight;
    const char* mine = memory + threadIdx.x % 32 * lane_stride;
    unsigned row = threadIdx.x / 32 & last_row;
    unsigned sum = 0;
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int turn = 1; turn <= 2; ++turn) {
        meet(arrived, blocks_an_sm, turn);
        begin = clock64();
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) {
            const char* start = mine + row * warp_bytes;
            row = (row + 1) & last_row;
            Words<bytes> value[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i) value[i] = load<bytes, true>(start + i * 32 * lane_stride);
#pragma unroll
            for (int i = 0; i < in_flight; ++i) sum ^= folded(value[i]);
        }
        end = clock64() + (sum == 1);
    }
    note_span(spans, begin, end);
    if (sum == 1) *sink = sum;
}

void measure_l1(const char* folder, SpanMeter& meter, char* memory, unsigned* sink) {
    Csv csv(folder, "l1-throughput", "bytes,in_flight,lane_stride,warps");
    const int sms = sm_count(), rounds = 256;
    for_each_shape([&](auto bytes, auto in_flight) {
        for (int lane_stride : {bytes(), 32, 128}) {
            if (lane_stride != bytes && in_flight != 4) continue;
            for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
                const auto [blocks, threads] = residency(warps);
                if (!fits(l1_hits<bytes(), in_flight()>, {blocks, threads})) continue;
                Samples cycles;
                for (int repeat = 0; repeat < 3; ++repeat)
                    for (double c : meter.cycles(sms * warps, [&] {
                             l1_hits<bytes(), in_flight()><<<sms * blocks, threads>>>(
                                 memory, lane_stride, 32768 / (32 * lane_stride * in_flight) - 1, rounds,
                                 blocks, meter.arrived(), meter.spans(), sink);
                         }))
                        cycles.push_back(c);
                const double loads = double(rounds) * in_flight * warps;
                const auto where = settings("%d,%d,%d,%d", bytes(), in_flight(), lane_stride, warps);
                csv.row(where, "bytes a cycle of an SM",
                        scaled(cycles, [&](double c) { return loads * 32 * bytes() / c; }));
                csv.row(where, "warp loads a cycle of an SM",
                        scaled(cycles, [&](double c) { return loads / c; }));
            }
        }
    });
}

enum class Stream { read, write, copy, add };
constexpr const char* stream_names[] = {"read", "write", "copy", "add"};

// Each thread takes `rounds` times `in_flight` elements of every array, all of them requested before the
// first is used; neighbouring threads take neighbouring elements. Offsets start again at 0 after `footprint`
// bytes, which only the L2's kernels pay for.
template <Stream kind, int bytes, int in_flight, bool wraps>
__global__ void stream(const char* a, const char* b, char* c, unsigned long long footprint, int rounds,
                       Span* spans, unsigned* sink) {
    using Offset = std::conditional_t<wraps, unsigned, unsigned long long>;
    const long long begin = clock64();
    const Offset step = Offset(gridDim.x * (unsigned long long)blockDim.x * bytes % footprint);
    Offset next = Offset((blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) * bytes % footprint);
    unsigned sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        Offset at[in_flight];
        Words<bytes> value[in_flight] = {};
#pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            at[i] = next;
            next += step;
            if (wraps && next >= footprint) next -= Offset(footprint);
        }
        if constexpr (kind != Stream::write) {
#pragma unroll
            for (int i = 0; i < in_flight; ++i) value[i] = load<bytes, false>(a + at[i]);
        }
        if constexpr (kind == Stream::add) {
            Words<bytes> other[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i) other[i] = load<bytes, false>(b + at[i]);
#pragma unroll
            for (int i = 0; i < in_flight; ++i)
#pragma unroll
                for (int w = 0; w < bytes / 4; ++w) value[i].word[w] += other[i].word[w];
        }
#pragma unroll
        for (int i = 0; i < in_flight; ++i)
            if constexpr (kind == Stream::read)
                sum ^= folded(value[i]);
            else
                store<bytes>(c + at[i], value[i]);
    }
    note_span(spans, begin, clock64() + (sum == 1));
    if (sum == 1) *sink = sum;
}

__global__ void scramble(unsigned* memory, unsigned long long words) {
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < words;
         i += threads)
        memory[i] = unsigned(i * 2654435761u) ^ unsigned(i >> 7);
}

struct Arrays {
    const unsigned long long bytes = portion(8ull << 30, 3);
    char *a = allocate<char>(bytes), *b = allocate<char>(bytes), *c = allocate<char>(bytes);
    Arrays() {
        for (char* array : {a, b, c}) scramble<<<4096, 256>>>((unsigned*)array, bytes / 4);
        CHECK(cudaDeviceSynchronize());
    }
};

class Streams {
  public:
    Streams(Csv& csv, SpanMeter& meter, const Arrays& arrays, unsigned* sink)
        : csv_(csv), meter_(meter), arrays_(arrays), sink_(sink) {}

    // DRAM: once over an array of `footprint` bytes that has not been touched for long.
    template <Stream kind, int bytes, int in_flight>
    void from_dram(unsigned long long footprint, int sms, int warps) {
        run<kind, bytes, in_flight, false>("DRAM", footprint, footprint, sms, warps);
    }

    // L2: about `total` bytes out of an array of `footprint` bytes, after a first run that fills the cache.
    template <Stream kind, int bytes, int in_flight>
    void from_l2(unsigned long long footprint, unsigned long long total, int sms, int warps) {
        run<kind, bytes, in_flight, true>("L2", footprint, total, sms, warps);
    }

  private:
    template <Stream kind, int bytes, int in_flight, bool wraps>
    void run(const char* level, unsigned long long footprint, unsigned long long wanted, int sms, int warps) {
        const auto [blocks, threads] = residency(warps);
        if (!fits(stream<kind, bytes, in_flight, wraps>, {blocks, threads})) return;
        const unsigned long long bytes_a_round = 32ull * warps * sms * bytes * in_flight;
        const int rounds = int(std::max(1ull, wanted / bytes_a_round));
        Samples ms, cycles, used;
        for (int repeat = 0; repeat < 4; ++repeat) {
            const unsigned long long offset = wraps ? 0 : place_;
            if (!wraps) place_ = place_ + 2 * footprint > arrays_.bytes ? 0 : place_ + footprint;
            double time = 0;
            const Samples spans = meter_.cycles(sms * warps, [&] {
                time = event_ms([&] {
                    stream<kind, bytes, in_flight, wraps><<<sms * blocks, threads>>>(
                        arrays_.a + offset, arrays_.b + offset, arrays_.c + offset,
                        wraps ? footprint : arrays_.bytes, rounds, meter_.spans(), sink_);
                });
            });
            if (repeat == 0) continue;
            ms.push_back(time);
            cycles.push_back(*std::max_element(spans.begin(), spans.end()));
            used.push_back(double(spans.size()));
        }
        const int arrays = kind == Stream::add ? 3 : kind == Stream::copy ? 2 : 1;
        const double total = double(bytes_a_round) * rounds * arrays;
        const auto where = settings("%s,%s,%d,%d,%d,%.0f,%d,%llu", level, stream_names[int(kind)], bytes,
                                    in_flight, sms * blocks, median(used), warps, footprint);
        csv_.row(where, "GB/s", scaled(ms, [&](double t) { return total / t / 1e6; }));
        csv_.row(where, "bytes a cycle", scaled(cycles, [&](double c) { return total / c; }));
    }

    Csv& csv_;
    SpanMeter& meter_;
    const Arrays& arrays_;
    unsigned* sink_;
    unsigned long long place_ = 0;
};

constexpr const char* stream_settings = "level,kind,bytes,in_flight,blocks,sms,warps,footprint";

template <Stream kind>
void measure_dram(Streams& streams) {
    for_each_shape([&](auto bytes, auto in_flight) {
        constexpr unsigned long long per_sm = 8ull << 20;
        for (int warps : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64})
            streams.from_dram<kind, bytes(), in_flight()>(per_sm * sm_count(), sm_count(), warps);
        for (int sms : {1, 2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128})
            if (sms <= sm_count()) streams.from_dram<kind, bytes(), in_flight()>(per_sm * sms, sms, 32);
    });
}

void measure_l2(Streams& streams) {
    constexpr unsigned long long mb = 1 << 20;
    for_each_shape([&](auto bytes, auto in_flight) {
        for (int warps : {1, 2, 4, 8, 16, 32, 64})
            streams.from_l2<Stream::read, bytes(), in_flight()>(16 * mb, 256 * mb, sm_count(), warps);
        for (int sms : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128})
            if (sms <= sm_count())
                streams.from_l2<Stream::read, bytes(), in_flight()>(16 * mb, 32 * mb * std::min(sms, 16), sms,
                                                                    32);
    });
    for (int size : {2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 128, 256}) {
        streams.from_l2<Stream::read, 16, 4>(size * mb, 2048 * mb, sm_count(), 64);
        streams.from_l2<Stream::write, 16, 4>(size * mb, 2048 * mb, sm_count(), 64);
        streams.from_l2<Stream::copy, 16, 4>(size * mb, 2048 * mb, sm_count(), 64);
    }
}

enum class Atomic { red_u32, atom_u32, red_f32 };
constexpr const char* atomic_names[] = {"red add u32", "atom add u32", "red add f32"};

// Lanes lie lane_stride bytes apart, warps warp_stride; 0 and 0 send all threads to one word.
template <Atomic kind>
__global__ void atomics(char* memory, int lane_stride, int warp_stride, int rounds, unsigned mask,
                        unsigned* sink) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
    const unsigned lane = threadIdx.x % 32;
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
        char* address = memory + (((warp + round * warps) * warp_stride + lane * lane_stride) & mask);
        unsigned old = 0;
        if constexpr (kind == Atomic::red_u32)
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
        else if constexpr (kind == Atomic::red_f32)
            asm volatile("red.global.add.f32 [%0], 0f3f800000;" ::"l"(address) : "memory");
        else
            asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(address) : "memory");
        sum ^= old;
    }
    if (sum == 0x12345) *sink = sum;
}

template <Atomic kind>
void measure_atomics(Csv& csv, char* memory, unsigned* sink) {
    struct Pattern {
        const char* name;
        int lane_stride, warp_stride, rounds;
    };
    const Pattern patterns[] = {
        {"one word", 0, 0, 4},     {"one word a warp", 0, 128, 32},   {"32 words of a line", 4, 0, 8},
        {"coalesced", 4, 128, 32}, {"a sector a lane", 32, 1024, 32}, {"a line a lane", 128, 4096, 32}};
    for (const Pattern& pattern : patterns)
        for (int sms : {1, sm_count()}) {
            Samples ms;
            for (int repeat = 0; repeat < 5; ++repeat)
                ms.push_back(event_ms([&] {
                    atomics<kind><<<sms * 2, 1024>>>(memory, pattern.lane_stride, pattern.warp_stride,
                                                     pattern.rounds, (16u << 20) - 1, sink);
                }));
            ms.erase(ms.begin());
            const double lanes = sms * 2048.0 * pattern.rounds;
            csv.row(settings("%s,%s,%d", atomic_names[int(kind)], pattern.name, sms * 2),
                    "lanes a nanosecond", scaled(ms, [&](double t) { return lanes / t / 1e6; }));
        }
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    SpanMeter meter;
    Arrays arrays;
    auto* sink = allocate<unsigned>(1);
    measure_l1(folder, meter, arrays.a, sink);
    {
        Csv csv(folder, "dram-throughput", stream_settings);
        Streams streams(csv, meter, arrays, sink);
        measure_dram<Stream::read>(streams);
        measure_dram<Stream::write>(streams);
        measure_dram<Stream::copy>(streams);
        measure_dram<Stream::add>(streams);
    }
    {
        Csv csv(folder, "l2-throughput", stream_settings);
        Streams streams(csv, meter, arrays, sink);
        measure_l2(streams);
    }
    Csv csv(folder, "global-atomics", "atomic,pattern,blocks");
    measure_atomics<Atomic::red_u32>(csv, arrays.c, sink);
    measure_atomics<Atomic::atom_u32>(csv, arrays.c, sink);
    measure_atomics<Atomic::red_f32>(csv, arrays.c, sink);
}
