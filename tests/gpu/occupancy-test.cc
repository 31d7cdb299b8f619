#include "gpu/occupancy.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "models.h"

namespace lockstep::gpu {
namespace {

// Every launch of the validation programs, as ncu saw it on an H200: all four limits and the occupancy.
TEST(Occupancy, MatchesAnH200) {
    std::ifstream file(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/gpu/h200-occupancy.csv");
    const GpuModel gpu = model("h200");
    std::string line;
    std::getline(file, line);  // what it is
    std::getline(file, line);  // names of the columns
    int rows = 0;
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::stringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        ASSERT_EQ(cells.size(), 12u) << line;
        int x = 0, y = 0, z = 0;
        ASSERT_EQ(std::sscanf(cells[2].c_str(), "%dx%dx%d", &x, &y, &z), 3) << line;
        const auto number = [&](std::size_t i) { return std::stoi(cells[i]); };
        const BlockDemand demand{x * y * z, number(3), static_cast<std::uint64_t>(number(4) + number(5))};
        const Occupancy result = occupancy(gpu, demand);
        EXPECT_EQ(allocated_shared(gpu, demand.shared_bytes), static_cast<std::uint64_t>(number(6))) << line;
        EXPECT_EQ(result.by_registers, number(7)) << line;
        EXPECT_EQ(result.by_threads, number(8)) << line;
        EXPECT_EQ(shared_configuration(gpu, demand).blocks, number(9)) << line;
        EXPECT_EQ(result.by_blocks, number(10)) << line;
        EXPECT_EQ(result.percent(gpu, demand.threads), number(11)) << line;
        ++rows;
    }
    EXPECT_EQ(rows, 59);
}

// The driver's split of an SM's memory on GPUs of these compute capabilities, from published ncu reports.
TEST(Occupancy, SharedConfigurations) {
    struct Row {
        const char* gpu;
        int threads;
        std::uint64_t shared;
        std::uint32_t bytes;
        int blocks;
    };
    const Row recorded[] = {{"h200", 1024, 12288, 32768, 2},  // an H100
                            {"rtx3090", 256, 0, 8192, 8},     {"rtx4090", 256, 0, 16384, 16},
                            {"rtx4090", 256, 8192, 65536, 7}, {"gtx1650", 256, 2048, 32768, 16},
                            {"gtx1650", 1024, 0, 32768, 16}};
    for (const Row& row : recorded) {
        const auto chosen = shared_configuration(model(row.gpu), {row.threads, 32, row.shared});
        EXPECT_EQ(chosen.bytes, row.bytes) << row.gpu << ", " << row.threads << " threads";
        EXPECT_EQ(chosen.blocks, row.blocks) << row.gpu << ", " << row.threads << " threads";
    }
}

// As an H200's driver did, whatever the block's size: the rule and its exceptions.
TEST(Occupancy, AProgramMayWantMoreOrLessSharedMemory) {
    struct Row {
        int carveout;
        std::uint64_t shared;
        std::uint32_t kilobytes;
    };
    const Row recorded[] = {{0, 0, 32},
                            {0, 1, 8},
                            {0, 8, 16},
                            {0, 32, 64},
                            {0, 64, 100},
                            {0, 100, 132},
                            {10, 0, 32},
                            {10, 1, 64},
                            {10, 4, 32},
                            {25, 1, 132},
                            {25, 4, 100},
                            {25, 8, 64},
                            {25, 48, 64},
                            {33, 1, 164},
                            {33, 8, 100},
                            {50, 1, 228},
                            {50, 4, 164},
                            {50, 32, 132},
                            {66, 4, 196},
                            {66, 8, 164},
                            {75, 4, 228},
                            {75, 8, 196},
                            {90, 0, 228},
                            {100, 1, 228},
                            // cudaFuncCachePreferL1
                            {carveout_least, 0, 32},
                            {carveout_least, 1, 16},
                            {carveout_least, 4, 16},
                            {carveout_least, 8, 32},
                            {carveout_least, 16, 64},
                            {carveout_least, 24, 32},
                            {carveout_least, 32, 100},
                            {carveout_least, 48, 64},
                            {carveout_least, 64, 100},
                            {carveout_least, 100, 132}};
    for (const Row& row : recorded)
        EXPECT_EQ(shared_configuration(model("h200"), {256, 16, row.shared * 1024, row.carveout}).bytes,
                  row.kilobytes * 1024)
            << row.carveout << " %, " << row.shared << " KB";
    // Blocks are counted by what is set aside for them, in whole units.
    EXPECT_EQ(shared_configuration(model("h200"), {256, 16, 5000, 50}).bytes, 132 * 1024);
    // On Fermi it is what blocks get.
    EXPECT_EQ(occupancy(model("fermi"), {256, 16, 6 * 1024, 0}).by_shared, 2);
    EXPECT_EQ(occupancy(model("fermi"), {256, 16, 6 * 1024}).by_shared, 8);
}

TEST(Occupancy, SharedMemoryLimits) {
    const GpuModel gpu = model("h200");
    const Occupancy result = occupancy(gpu, {128, 32, 100 * 1024});
    EXPECT_EQ(result.by_shared, 2);
    EXPECT_EQ(result.blocks_per_sm, 2);
    EXPECT_EQ(result.limit, OccupancyLimit::shared);
    EXPECT_EQ(occupancy(gpu, {128, 32, 232448}).blocks_per_sm, 1);
    EXPECT_EQ(occupancy(gpu, {128, 32, 232449}).limit, OccupancyLimit::impossible);
}

TEST(Occupancy, RegistersLimit) {
    const GpuModel gpu = model("h200");
    const Occupancy result = occupancy(gpu, {1024, 40, 0});
    EXPECT_EQ(result.by_registers, 1);
    EXPECT_EQ(result.limit, OccupancyLimit::registers);
    EXPECT_EQ(occupancy(gpu, {1024, 65, 0}).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(gpu, {32, 256, 0}).blocks_per_sm, 0);
}

// Fermi's textbook case: 48 warps and 8 blocks an SM, so blocks of 64 threads reach a third of the warps.
TEST(Occupancy, FermiBlocks) {
    const GpuModel gpu = model("fermi");
    const Occupancy result = occupancy(gpu, {64, 20, 0});
    EXPECT_EQ(result.blocks_per_sm, 8);
    EXPECT_EQ(result.limit, OccupancyLimit::blocks);
    EXPECT_EQ(result.warps_per_sm(gpu, 64), 16);
}

TEST(Occupancy, BlockSizes) {
    const GpuModel gpu = model("h200");
    const auto none = [](int) { return std::uint64_t{0}; };
    EXPECT_EQ(max_potential_block_size(gpu, {0, 32, 0}, 0, none).threads, 1024);
    EXPECT_EQ(max_potential_block_size(gpu, {0, 32, 0}, 0, none).min_grid, 264);
    EXPECT_EQ(max_potential_block_size(gpu, {0, 40, 0}, 0, none).threads, 768);
    EXPECT_EQ(max_potential_block_size(gpu, {0, 32, 0}, 100, none).threads, 64);
    EXPECT_EQ(available_dynamic_shared(gpu, {256, 32, 0}, 2), 115712u);
    EXPECT_EQ(available_dynamic_shared(gpu, {256, 32, 0}, 1), 232448u);
    EXPECT_EQ(available_dynamic_shared(gpu, {256, 32, 0}, 100), 0u);
}

// What ptxas computes from __launch_bounds__.
TEST(Occupancy, RegistersThatFit) {
    const GpuModel gpu = model("h200");
    EXPECT_EQ(registers_that_fit(gpu, 128, 4), 128);
    EXPECT_EQ(registers_that_fit(gpu, 1024, 1), 64);
    EXPECT_EQ(registers_that_fit(gpu, 1024, 2), 32);
    EXPECT_EQ(registers_that_fit(gpu, 32, 1), 255);
    EXPECT_EQ(registers_that_fit(gpu, 1024, 1000), 0);
}

TEST(Occupancy, NonsenseDoesNotFit) {
    const GpuModel gpu = model("p2000");
    EXPECT_EQ(occupancy(gpu, {0, 32, 0}).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(gpu, {1025, 32, 0}).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(gpu, {-1, 32, 0}).limit, OccupancyLimit::impossible);
}

// Ten wavefronts on each of four SIMD units, as long as a thread has no more than 24 registers; workgroups of
// more than one wavefront share 16 barriers.
TEST(Occupancy, WavefrontsOf64) {
    const GpuModel gpu = model("mi100");
    EXPECT_EQ(gpu.max_warps_per_sm(), 40);
    EXPECT_EQ(occupancy(gpu, {64, 24, 0}).blocks_per_sm, 40);
    EXPECT_EQ(occupancy(gpu, {64, 25, 0}).blocks_per_sm, 36);
    EXPECT_EQ(occupancy(gpu, {64, 256, 0}).blocks_per_sm, 4);
    EXPECT_EQ(occupancy(gpu, {128, 24, 0}).blocks_per_sm, 16);
    EXPECT_EQ(occupancy(gpu, {128, 24, 0}).limit, OccupancyLimit::blocks);
    EXPECT_EQ(occupancy(gpu, {256, 24, 0}).blocks_per_sm, 10);
    EXPECT_EQ(occupancy(gpu, {256, 24, 16 * 1024}).blocks_per_sm, 4);
    EXPECT_EQ(occupancy(gpu, {65, 24, 0}).blocks_per_sm, 16);
    // 800 scalar registers of a SIMD unit, in units of 16.
    EXPECT_EQ(occupancy(gpu, {.threads = 64, .scalar_registers = 80}).blocks_per_sm, 40);
    EXPECT_EQ(occupancy(gpu, {.threads = 64, .scalar_registers = 81}).blocks_per_sm, 32);
    EXPECT_EQ(occupancy(gpu, {.threads = 64, .scalar_registers = 102}).blocks_per_sm, 28);
}

// gfx90a and gfx942: eight wavefronts on each SIMD unit, out of 512 registers in units of eight. omniperf's
// own example for an MI250 sees half of the wavefronts with 128 registers that vectors and accumulators
// share.
TEST(Occupancy, OneFileOf512Registers) {
    for (const char* name : {"mi210", "mi250", "mi300x"}) {
        const GpuModel gpu = model(name);
        EXPECT_EQ(occupancy(gpu, {64, 64, 0}).blocks_per_sm, 32) << name;
        EXPECT_EQ(occupancy(gpu, {64, 65, 0}).blocks_per_sm, 28) << name;
        EXPECT_EQ(occupancy(gpu, {64, 128, 0}).blocks_per_sm, 16) << name;
        EXPECT_EQ(occupancy(gpu, {64, 512, 0}).blocks_per_sm, 4) << name;
        EXPECT_EQ(occupancy(gpu, {256, 32, 65536}).blocks_per_sm, 1) << name;
    }
}

// gfx1100: sixteen wavefronts of 32 lanes on each SIMD unit, out of 1536 registers in units of 24; scalar
// registers limit nothing.
TEST(Occupancy, WavefrontsOf32) {
    const GpuModel gpu = model("rx7900xtx");
    EXPECT_EQ(gpu.max_warps_per_sm(), 64);
    EXPECT_EQ(occupancy(gpu, {32, 96, 0}).blocks_per_sm, 64);
    EXPECT_EQ(occupancy(gpu, {32, 97, 0}).blocks_per_sm, 48);
    EXPECT_EQ(occupancy(gpu, {.threads = 32, .scalar_registers = 106}).blocks_per_sm, 64);
    EXPECT_EQ(occupancy(gpu, {64, 24, 0}).blocks_per_sm, 32);
}

}  // namespace
}  // namespace lockstep::gpu
