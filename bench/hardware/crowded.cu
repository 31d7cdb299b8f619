// Accesses to memory that many warps have in common: stores and loads of few lines by all, and atomics whose
// words are chosen at random. What a line of the L2 takes, and when that no longer matters.
#include "measure.h"

enum class Access { store, load, red_u32, atom_u32, min_u32, cas_u32, cas_u64 };
constexpr const char* names[] = {"store",       "load",         "red add u32", "atom add u32",
                                 "red min u32", "atom cas u32", "atom cas u64"};

enum class Lanes {
    one_word,   // all lanes of a warp the same word of a line, which lies anywhere
    a_line,     // a line's words
    at_random,  // each lane a word of its own choice
};
constexpr const char* lane_names[] = {"one word", "a line", "random"};
constexpr int most_rounds = 1024;

__device__ inline unsigned hashed(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// `bytes`: of the table, a power of two. A warp's next access is to another place, so that nothing is joined.
template <Access access>
__global__ void crowd(char* memory, Lanes lanes, unsigned bytes, int rounds, unsigned* sink) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    constexpr unsigned word = access == Access::cas_u64 ? 8 : 4;
    unsigned sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        const unsigned of_warp = hashed(warp * most_rounds + round),
                       of_lane = hashed((warp * most_rounds + round) * 32 + lane);
        const unsigned place = lanes == Lanes::at_random ? of_lane % (bytes / word) * word
                               : lanes == Lanes::a_line  ? of_warp % (bytes / 128) * 128 + lane * 4
                                                         : of_warp % (bytes / word) * word;
        char* address = memory + place;
        unsigned old = 0;
        unsigned long long long_old = 0;
        if constexpr (access == Access::store)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(round) : "memory");
        else if constexpr (access == Access::load)
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(old) : "l"(address) : "memory");
        else if constexpr (access == Access::red_u32)
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
        else if constexpr (access == Access::atom_u32)
            asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(address) : "memory");
        else if constexpr (access == Access::min_u32)
            asm volatile("red.global.min.u32 [%0], %1;" ::"l"(address), "r"(of_lane) : "memory");
        else if constexpr (access == Access::cas_u32)
            asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                         : "=r"(old)
                         : "l"(address), "r"(0), "r"(warp)
                         : "memory");
        else
            asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;"
                         : "=l"(long_old)
                         : "l"(address), "l"(0ull), "l"((unsigned long long)warp)
                         : "memory");
        sum ^= old ^ (unsigned)long_old;
    }
    if (sum == 0x12345) *sink = sum;
}

template <Access access>
void measure(Csv& csv, char* memory, unsigned* sink, std::initializer_list<Lanes> patterns) {
    for (Lanes lanes : patterns)
        for (int sms : {1, sm_count()})
            for (unsigned bytes : {128u, 512u, 4096u, 65536u, 1u << 20, 16u << 20}) {
                const int rounds = sms == 1 ? most_rounds : 64;  // an empty launch is little beside them
                Samples ms;
                for (int repeat = 0; repeat < 5; ++repeat)
                    ms.push_back(event_ms(
                        [&] { crowd<access><<<sms * 2, 1024>>>(memory, lanes, bytes, rounds, sink); }));
                ms.erase(ms.begin());
                csv.row(settings("%s,%s,%u,%d", names[int(access)], lane_names[int(lanes)], bytes, sms * 2),
                        "warps a nanosecond",
                        scaled(ms, [&](double t) { return sms * 64.0 * rounds / t / 1e6; }));
            }
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    char* memory = allocate<char>(16u << 20);
    unsigned* sink = allocate<unsigned>(1);
    Csv csv(folder, "crowded", "access,lanes,bytes,blocks");
    measure<Access::store>(csv, memory, sink, {Lanes::one_word, Lanes::a_line, Lanes::at_random});
    measure<Access::load>(csv, memory, sink, {Lanes::one_word, Lanes::a_line, Lanes::at_random});
    measure<Access::red_u32>(csv, memory, sink, {Lanes::one_word, Lanes::at_random});
    measure<Access::atom_u32>(csv, memory, sink, {Lanes::one_word, Lanes::at_random});
    measure<Access::min_u32>(csv, memory, sink, {Lanes::one_word, Lanes::at_random});
    measure<Access::cas_u32>(csv, memory, sink, {Lanes::one_word, Lanes::at_random});
    measure<Access::cas_u64>(csv, memory, sink, {Lanes::one_word, Lanes::at_random});
}
