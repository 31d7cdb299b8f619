// Which scheduler a block's first warp gets: of several blocks on an SM the first warps alone multiply and
// add, as fast as the schedulers that have one of them allow; and the number that each has (%warpid, of which
// the last two bits are the scheduler).
#include <string>

#include "measure.h"

struct Note {
    Span span;
    unsigned warp;
};

constexpr int rounds = 256, chains = 8, steps = 4;

__global__ void first_warps(int blocks_an_sm, unsigned* arrived, Note* notes, float* sink) {
    unsigned warp;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    meet(arrived, blocks_an_sm, 1);
    if (threadIdx.x >= 32) return;
    float f[chains];
    for (int i = 0; i < chains; ++i) f[i] = threadIdx.x + i;
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int k = 0; k < steps; ++k)
#pragma unroll
            for (int i = 0; i < chains; ++i)
                asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(1.5f));
    const long long end = clock64();
    float sum = 0;
    for (int i = 0; i < chains; ++i) sum += f[i];
    if (sum == 1.25f) *sink = sum;
    if (threadIdx.x == 0) notes[blockIdx.x] = {{begin, end, sm_id()}, warp};
}

int main(int argc, char** argv) {
    const std::string path = std::string(output_folder(argc, argv)) + "/warp-slots.csv";
    FILE* file = std::fopen(path.c_str(), "w");
    if (!file) return std::perror(path.c_str()), 1;
    std::fprintf(file, "threads,blocks,instructions_a_cycle,first_warps\n");
    auto* arrived = allocate<unsigned>(1024);
    auto* sink = allocate<float>(1);
    auto* notes = allocate<Note>(64 * 1024);
    for (int threads : {32, 64, 96, 128, 160, 256, 512})
        for (int blocks : {1, 2, 4, 8, 16}) {
            if (!fits(first_warps, {blocks, threads})) continue;
            CHECK(cudaMemset(arrived, 0, 1024 * sizeof(unsigned)));
            first_warps<<<sm_count() * blocks, threads>>>(blocks, arrived, notes, sink);
            CHECK(cudaDeviceSynchronize());
            std::vector<Note> all(sm_count() * blocks);
            CHECK(cudaMemcpy(all.data(), notes, all.size() * sizeof(Note), cudaMemcpyDeviceToHost));
            long long begin = 0, end = 0;
            std::vector<unsigned> warps;
            for (const Note& note : all) {
                if (note.span.sm != 5) continue;
                begin = begin ? std::min(begin, note.span.begin) : note.span.begin;
                end = std::max(end, note.span.end);
                warps.push_back(note.warp);
            }
            std::sort(warps.begin(), warps.end());
            std::fprintf(file, "%d,%d,%.2f,", threads, blocks,
                         double(warps.size()) * rounds * chains * steps / double(end - begin));
            for (std::size_t i = 0; i < warps.size(); ++i) std::fprintf(file, i ? " %u" : "%u", warps[i]);
            std::fprintf(file, "\n");
        }
    std::fclose(file);
}
