// Latency of loads and atomics: each address comes out of the load before it.
#include "measure.h"

enum class Policy { l1, l2 };  // where a load may hit first: ld.ca or ld.cg

template <Policy policy>
__device__ __forceinline__ void follow(unsigned long long& address) {
    if constexpr (policy == Policy::l1)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(address)::"memory");
    else
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(address)::"memory");
}

constexpr int steps_a_sample = 1024;
constexpr int samples = 9;

// A ring of `count` elements `stride` bytes apart. Shuffled, the ring visits them in the order of a linear
// congruential generator, which reaches all of them when the count is a power of two.
__global__ void link_ring(char* memory, unsigned long long count, unsigned long long stride, bool shuffled) {
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
         i += threads) {
        const unsigned long long next = (shuffled ? i * 1664525ull + 1013904223ull : i + 1) % count;
        *(unsigned long long*)(memory + i * stride) = (unsigned long long)(memory + next * stride);
    }
}

// One ring a lane: lane l starts at l * lane_stride; a row holds all lanes' elements.
__global__ void link_rows(char* memory, unsigned long long rows, int lane_stride) {
    const unsigned long long row_bytes = 32ull * lane_stride, count = rows * 32;
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
         i += threads) {
        const unsigned long long row = i / 32, offset = i % 32 * lane_stride;
        *(unsigned long long*)(memory + row * row_bytes + offset) =
            (unsigned long long)(memory + (row + 1) % rows * row_bytes + offset);
    }
}

// Brings memory into the L2 as far as it fits.
__global__ void touch(const char* memory, unsigned long long bytes, unsigned* sink) {
    unsigned sum = 0;
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long at = 32 * (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x); at < bytes;
         at += 32 * threads) {
        unsigned value;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(memory + at));
        sum += value;
    }
    if (sum == 1) *sink = sum;
}

template <Policy policy>
__global__ void chase(char* memory, int lane_stride, int warm_steps, long long* cycles,
                      unsigned long long* sink) {
    auto address = (unsigned long long)(memory + (threadIdx.x % 32) * lane_stride);
    for (int i = 0; i < warm_steps; ++i) follow<policy>(address);
    for (int sample = 0; sample < samples; ++sample) {
        const long long begin = clock64();
#pragma unroll 1
        for (int i = 0; i < steps_a_sample; i += 32)
#pragma unroll
            for (int j = 0; j < 32; ++j) follow<policy>(address);
        // The sum waits for the last load.
        const long long end = clock64() + (address == 1);
        if (threadIdx.x == 0) cycles[sample] = end - begin;
    }
    if (address == 1) *sink = address;
}

class Chaser {
  public:
    Chaser()
        : memory_(allocate<char>(bytes())),
          cycles_(allocate<long long>(samples)),
          sink_(allocate<long long>(1)) {}

    void ring(Csv& csv, Policy policy, unsigned long long footprint, int stride, bool shuffled) {
        link_ring<<<1024, 256>>>(memory_, footprint / stride, stride, shuffled);
        const int warm = int(std::min<unsigned long long>(footprint / stride * 2, 20000));
        csv.row(settings("%s,%s,%d,%llu", policy == Policy::l1 ? "ld.ca" : "ld.cg",
                         shuffled ? "shuffled" : "in order", stride, footprint),
                "cycles a load", run(policy, 1, 0, warm, footprint));
    }

    void rows(Csv& csv, Policy policy, const char* level, unsigned long long footprint, int lane_stride) {
        const unsigned long long count = footprint / (32 * lane_stride);
        link_rows<<<1024, 256>>>(memory_, count, lane_stride);
        const int warm = int(std::min<unsigned long long>(count * 2, 20000));
        csv.row(settings("%s,%d", level, lane_stride), "cycles a load",
                run(policy, 32, lane_stride, warm, footprint));
    }

    static unsigned long long bytes() {
        static const unsigned long long most = portion(4ull << 30, 1);
        return most;
    }

  private:
    Samples run(Policy policy, int lanes, int lane_stride, int warm, unsigned long long footprint) {
        touch<<<1024, 256>>>(memory_, footprint, (unsigned*)sink_);
        auto kernel = policy == Policy::l1 ? chase<Policy::l1> : chase<Policy::l2>;
        kernel<<<1, lanes>>>(memory_, lane_stride, warm, cycles_, (unsigned long long*)sink_);
        CHECK(cudaGetLastError());
        long long cycles[samples];
        CHECK(cudaMemcpy(cycles, cycles_, sizeof cycles, cudaMemcpyDeviceToHost));
        Samples result;
        for (long long c : cycles) result.push_back(double(c) / steps_a_sample);
        return result;
    }

    char* memory_;
    long long* cycles_;
    long long* sink_;
};

void global_rings(const char* folder, Chaser& chaser) {
    Csv csv(folder, "global-latency", "load,order,stride,footprint");
    constexpr unsigned long long kb = 1024, mb = 1024 * kb;
    for (Policy policy : {Policy::l1, Policy::l2})
        for (int stride : {32, 128}) {
            for (bool shuffled : {false, true})
                for (unsigned long long footprint = kb; footprint <= Chaser::bytes(); footprint *= 2)
                    chaser.ring(csv, policy, footprint, stride, shuffled);
            if (policy == Policy::l1)
                for (unsigned long long footprint = 144 * kb; footprint <= 288 * kb; footprint += 16 * kb)
                    chaser.ring(csv, policy, footprint, stride, false);
            for (unsigned long long footprint = 12 * mb; footprint <= 120 * mb; footprint += 4 * mb)
                chaser.ring(csv, policy, footprint, stride, false);
        }
    // Whole pages between the elements: what a translation costs.
    for (int stride : {2 << 20, 32 << 20})
        for (unsigned long long footprint = 4ull * stride; footprint <= Chaser::bytes(); footprint *= 2)
            chaser.ring(csv, Policy::l2, footprint, stride, false);
}

void warp_rows(const char* folder, Chaser& chaser) {
    Csv csv(folder, "warp-load-latency", "level,lane_stride");
    for (int lane_stride : {8, 16, 32, 64, 128, 256, 1024}) {
        chaser.rows(csv, Policy::l1, "L1", 32 << 10, lane_stride);
        chaser.rows(csv, Policy::l2, "L2", 8 << 20, lane_stride);
        chaser.rows(csv, Policy::l2, "DRAM", Chaser::bytes(), lane_stride);
    }
}

// Latency of one L2 sector, seen from one SM: lines that point to themselves.
__global__ void line_latency(char* memory, unsigned sm, int lines, long long line_stride, int* cycles) {
    if (sm_id() != sm || threadIdx.x != 0) return;
    for (int line = 0; line < lines; ++line) {
        auto address = (unsigned long long)(memory + line * line_stride);
        *(volatile unsigned long long*)address = address;
        __threadfence();
        for (int i = 0; i < 4; ++i) follow<Policy::l2>(address);
        int best = 1 << 30;
        for (int repeat = 0; repeat < 5; ++repeat) {
            const long long begin = clock64();
#pragma unroll
            for (int i = 0; i < 16; ++i) follow<Policy::l2>(address);
            const long long end = clock64() + (address == 1);
            best = min(best, int(end - begin));
        }
        cycles[line] = best;
    }
}

void near_and_far(const char* folder) {
    const int lines = 48, sms = sm_count();
    const long long line_stride = 4096 + 128;
    char* memory = allocate<char>(lines * line_stride);
    int* cycles = allocate<int>(lines);
    FILE* file = std::fopen((std::string(folder) + "/l2-by-sm.csv").c_str(), "w");
    std::fprintf(file, "sm,line,cycles\n");
    for (int sm = 0; sm < sms; ++sm) {
        line_latency<<<sms, 1024>>>(memory, sm, lines, line_stride, cycles);
        CHECK(cudaGetLastError());
        std::vector<int> result(lines);
        CHECK(cudaMemcpy(result.data(), cycles, lines * sizeof(int), cudaMemcpyDeviceToHost));
        for (int line = 0; line < lines; ++line)
            std::fprintf(file, "%d,%d,%.1f\n", sm, line, result[line] / 16.0);
    }
    std::fclose(file);
}

// Constant and local memory, one thread and, for constants, several addresses in one warp.
__constant__ unsigned constants[16384];

__global__ void constant_chase(int distinct, int steps, long long* cycles, unsigned* sink) {
    unsigned at = threadIdx.x % distinct * 16;
    for (int i = 0; i < steps; ++i) at = constants[at];
    for (int sample = 0; sample < samples; ++sample) {
        const long long begin = clock64();
#pragma unroll 1
        for (int i = 0; i < steps_a_sample; i += 32)
#pragma unroll
            for (int j = 0; j < 32; ++j) at = constants[at];
        const long long end = clock64() + (at == 1);
        if (threadIdx.x == 0) cycles[sample] = end - begin;
    }
    if (at == 1) *sink = at;
}

__global__ void local_chase(int size, long long* cycles, unsigned* sink) {
    unsigned ring[256];
    for (int i = 0; i < size; ++i) ring[i] = (i + 1) % size;
    unsigned at = threadIdx.x;
    for (int sample = 0; sample < samples; ++sample) {
        const long long begin = clock64();
#pragma unroll 1
        for (int i = 0; i < steps_a_sample; i += 32)
#pragma unroll
            for (int j = 0; j < 32; ++j) at = ring[at];
        const long long end = clock64() + (at == 256);
        if (threadIdx.x == 0) cycles[sample] = end - begin;
    }
    if (at == 256) *sink = at;
}

// An atomic's result is the next one's operand.
enum class Atomic { add_u32, cas_u32, add_f32 };
template <Atomic kind>
__global__ void atomic_chase(unsigned* memory, int lane_stride, long long* cycles, unsigned* sink) {
    unsigned* address = memory + threadIdx.x * lane_stride / 4;
    unsigned value = threadIdx.x;
    for (int sample = 0; sample < samples; ++sample) {
        const long long begin = clock64();
#pragma unroll 1
        for (int i = 0; i < steps_a_sample; i += 16)
#pragma unroll
            for (int j = 0; j < 16; ++j) {
                if constexpr (kind == Atomic::add_u32)
                    value = atomicAdd(address, value);
                else if constexpr (kind == Atomic::cas_u32)
                    value = atomicCAS(address, value, value + 1);
                else
                    value = __float_as_uint(atomicAdd((float*)address, __uint_as_float(value)));
            }
        const long long end = clock64() + (value == 0x12345);
        if (threadIdx.x == 0) cycles[sample] = end - begin;
    }
    if (value == 0x12345) *sink = value;
}

void other_spaces(const char* folder) {
    Csv csv(folder, "other-latency", "what,lanes,setting");
    long long* cycles = allocate<long long>(samples);
    unsigned* sink = allocate<unsigned>(1);
    auto* memory = allocate<unsigned>(1 << 20);
    const auto note = [&](const std::string& where) {
        CHECK(cudaGetLastError());
        long long result[samples];
        CHECK(cudaMemcpy(result, cycles, sizeof result, cudaMemcpyDeviceToHost));
        Samples list;
        for (long long c : result) list.push_back(double(c) / steps_a_sample);
        csv.row(where, "cycles a step", list);
    };
    for (int bytes = 256; bytes <= 65536; bytes *= 2) {
        std::vector<unsigned> ring(16384);
        for (int i = 0; i < bytes / 4; ++i) ring[i] = (i + 16) % (bytes / 4);
        CHECK(cudaMemcpyToSymbol(constants, ring.data(), sizeof constants));
        constant_chase<<<1, 1>>>(1, bytes / 64 * 2, cycles, sink);
        note(settings("constant footprint,1,%d", bytes));
    }
    for (int distinct = 1; distinct <= 32; distinct *= 2) {
        std::vector<unsigned> ring(16384);
        for (int i = 0; i < 16384; ++i) ring[i] = i;
        CHECK(cudaMemcpyToSymbol(constants, ring.data(), sizeof constants));
        constant_chase<<<1, 32>>>(distinct, 64, cycles, sink);
        note(settings("constant addresses,32,%d", distinct));
    }
    for (int size : {32, 256}) {
        local_chase<<<1, 32>>>(size, cycles, sink);
        note(settings("local words,32,%d", size));
    }
    for (int lanes : {1, 32})
        for (int lane_stride : {0, 4, 32, 128}) {
            if (lanes == 1 && lane_stride) continue;
            atomic_chase<Atomic::add_u32><<<1, lanes>>>(memory, lane_stride, cycles, sink);
            note(settings("global atomic add u32 lane stride,%d,%d", lanes, lane_stride));
            atomic_chase<Atomic::cas_u32><<<1, lanes>>>(memory, lane_stride, cycles, sink);
            note(settings("global atomic cas u32 lane stride,%d,%d", lanes, lane_stride));
            atomic_chase<Atomic::add_f32><<<1, lanes>>>(memory, lane_stride, cycles, sink);
            note(settings("global atomic add f32 lane stride,%d,%d", lanes, lane_stride));
        }
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    Chaser chaser;
    global_rings(folder, chaser);
    warp_rows(folder, chaser);
    near_and_far(folder);
    other_spaces(folder);
}
