// What lies between two blocks in one place of an SM: blocks that work for a known number of cycles, one at a
// time on each SM, with and without a store at their end; and how much more loads wait for when the GPU is
// full of blocks that come and go.
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

template <End end>
void measure(Csv& csv, float* memory) {
    const int shared = 120 << 10, rounds = 64;
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
                if (repeat) gaps.push_back((ms[1] - ms[0]) * 1e6 * 1.98 / rounds - double(cycles));
            }
            csv.row(settings("%s,%d,%lld", end_names[int(end)], threads, cycles), "cycles between blocks",
                    gaps);
        }
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    float* memory = allocate<float>(128ull * 1024 * sm_count());
    Csv csv(folder, "block-gaps", "end,threads,work");
    measure<End::nothing>(csv, memory);
    measure<End::store>(csv, memory);
    measure<End::load_and_store>(csv, memory);
}
