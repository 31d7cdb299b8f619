// What loads take whose lanes lie in several lines: of the L1, by how many lines there are and how many lanes
// want a word of the same bank, and of the L2, whose words are chosen at random.
#include "measure.h"

constexpr int in_flight = 4;

__device__ inline unsigned hashed(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

enum class Words {
    own_banks,   // lane k has bank k
    one_bank,    // lanes of different lines have the same bank as far as they can
    at_random,   // any word of the table
    sequential,  // `parameter` bytes from lane to lane
};
constexpr const char* word_names[] = {"own banks", "one bank", "random", "stride"};

// Of a lane, in bytes. `parameter`: over how many lines lanes are dealt out, and these are `apart` bytes
// apart; a table's bytes; a stride.
__device__ inline unsigned place_of(Words words, unsigned parameter, unsigned apart, unsigned seed) {
    const unsigned lane = threadIdx.x % 32;
    switch (words) {
        case Words::own_banks: return lane % parameter * apart + lane * 4;
        case Words::one_bank: return lane % parameter * apart + lane / parameter * 4;
        case Words::at_random: return hashed(seed * 32 + lane) % (parameter / 4) * 4;
        case Words::sequential: return lane * parameter;
    }
    return 0;
}

// `step` is 0, which the compiler does not know: loads stay in the loop. Warps of an SM begin together.
template <bool l1>
__global__ void gather(const char* memory, Words words, unsigned parameter, unsigned apart, unsigned step,
                       int rounds, unsigned* arrived, Span* spans, unsigned* sink) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned at[in_flight], sum = 0;
    long long begin = 0, end = 0;
    for (int i = 0; i < in_flight; ++i) at[i] = place_of(words, parameter, apart, warp * in_flight + i);
#pragma unroll 1
    for (int turn = 1; turn <= 2; ++turn) {
        meet(arrived, 1, turn);
        begin = clock64();
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) {
            unsigned value[in_flight];
#pragma unroll
            for (int i = 0; i < in_flight; ++i)
                if constexpr (l1)
                    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value[i]) : "l"(memory + at[i]));
                else
                    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value[i]) : "l"(memory + at[i]));
#pragma unroll
            for (int i = 0; i < in_flight; ++i) sum ^= value[i], at[i] += step;
        }
        end = clock64() + (sum == 1);
    }
    note_span(spans, begin, end);
    if (sum == 1) *sink = sum;
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    char* memory = allocate<char>(64u << 20);
    unsigned* sink = allocate<unsigned>(1);
    SpanMeter meter;
    Csv csv(folder, "gathers", "cache,words,parameter,apart,sms,warps");
    const auto measure = [&](bool l1, Words words, unsigned parameter, unsigned apart, int sms, int warps) {
        const int rounds = l1 ? 64 : 32;
        Samples cycles;
        for (int repeat = 0; repeat < 3; ++repeat)
            for (double c : meter.cycles(sms * warps, [&] {
                     const auto kernel = l1 ? gather<true> : gather<false>;
                     kernel<<<sms, warps * 32>>>(memory, words, parameter, apart, 0, rounds, meter.arrived(),
                                                 meter.spans(), sink);
                 }))
                if (repeat) cycles.push_back(c);
        csv.row(settings("%s,%s,%u,%u,%d,%d", l1 ? "L1" : "L2", word_names[int(words)], parameter, apart, sms,
                         warps),
                "cycles of an SM for a load",
                scaled(cycles, [&](double c) { return c / (double(rounds) * in_flight * warps); }));
    };
    for (int warps : {1, 32}) {
        for (Words words : {Words::own_banks, Words::one_bank})
            for (unsigned lines : {1u, 2u, 4u, 8u, 16u, 32u})
                for (unsigned apart : {128u, 256u, 512u, 1024u, 2048u})
                    measure(true, words, lines, apart, 8, warps);
        for (unsigned table = 128; table <= 131072; table *= 2)
            measure(true, Words::at_random, table, 0, 8, warps);
        for (unsigned stride : {4u,  8u,  12u,  16u,  20u,  24u,  28u,  32u,  36u,  48u,   64u,
                                68u, 96u, 128u, 132u, 192u, 256u, 260u, 512u, 516u, 1024u, 1028u})
            measure(true, Words::sequential, stride, 0, 8, warps);
    }
    for (int sms : {1, 8, 66, sm_count()})
        for (int warps : {1, 8, 32}) {
            for (unsigned table : {1u << 16, 1u << 18, 1u << 20, 1u << 22, 1u << 24})
                measure(false, Words::at_random, table, 0, sms, warps);
            for (unsigned stride : {4u, 32u, 128u, 132u})
                measure(false, Words::sequential, stride, 0, sms, warps);
        }
}
