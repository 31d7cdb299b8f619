// What lies between two blocks in one place of an SM: blocks that are empty, or work for a known number of
// cycles, one at a time on each SM, with and without a store at their end.
#include "measure.h"

enum class End { nothing, store, load_and_store };
constexpr const char* end_names[] = {"nothing", "store", "load and store"};

template <End end>
__global__ void work(long long cycles, float* memory, int never) {
    extern __shared__ float hold[];
    const long long begin = clock64();
    const unsigned long long at = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    float value = 1;
    if (end == End::load_and_store) value = memory[at];
    while (clock64() - begin < cycles) {
    }
    if (end != End::nothing) memory[at] = value;
    if (never) hold[threadIdx.x] = value;
}

__global__ void empty() {}

constexpr int shared = 120 << 10;  // no room for two on an SM

void measure_empty(Csv& csv) {
    const int rounds = 500;
    CHECK(cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
        Samples gaps;
        for (int repeat = 0; repeat < 9; ++repeat) {
            double ms[2];
            for (int half = 0; half < 2; ++half)
                ms[half] = event_ms([&] { empty<<<sm_count() * rounds*(half + 1), threads, shared>>>(); });
            if (repeat) gaps.push_back((ms[1] - ms[0]) * 1e6 * clock_ghz() / rounds);
        }
        csv.row(settings("empty,%d,0", threads), "cycles between blocks", gaps);
    }
}

template <End end>
void measure(Csv& csv, float* memory) {
    const int rounds = 64;
    CHECK(cudaFuncSetAttribute(work<end>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int threads : {32, 128, 256, 512, 1024})
        for (long long cycles : {2000, 4000}) {
            Samples gaps;
            for (int repeat = 0; repeat < 6; ++repeat) {
                // The difference of two lengths leaves launching out.
                double ms[2];
                for (int half = 0; half < 2; ++half)
                    ms[half] = event_ms([&] {
                        work<end><<<sm_count() * rounds*(half + 1), threads, shared>>>(cycles, memory, 0);
                    });
                if (repeat) gaps.push_back((ms[1] - ms[0]) * 1e6 * clock_ghz() / rounds - double(cycles));
            }
            csv.row(settings("%s,%d,%lld", end_names[int(end)], threads, cycles), "cycles between blocks",
                    gaps);
        }
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    float* memory = allocate<float>(128ull * 1024 * sm_count());
    Csv csv(folder, "block-gaps", "end,threads,work");
    measure_empty(csv);
    measure<End::nothing>(csv, memory);
    measure<End::store>(csv, memory);
    measure<End::load_and_store>(csv, memory);
}
