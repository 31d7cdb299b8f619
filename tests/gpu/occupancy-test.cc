#include "gpu/occupancy.h"

#include <gtest/gtest.h>

namespace lockstep::gpu {
namespace {

GpuModel model(const char* name) {
    auto found = find_model(name, std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus");
    EXPECT_TRUE(found) << found.error().to_string();
    return *found;
}

// The limits that a real H200 reported (Nsight Compute's launch__occupancy_limit_*).
TEST(Occupancy, MatchesAnH200) {
    struct Row {
        int threads, registers, by_registers, by_warps;
    };
    const Row recorded[] = {{64, 16, 64, 32}, {64, 17, 42, 32}, {128, 16, 32, 16}, {256, 32, 8, 8},
                            {512, 18, 5, 4},  {512, 28, 4, 4},  {1024, 16, 4, 2}};
    const GpuModel gpu = model("h200");
    for (const Row& row : recorded) {
        const Occupancy result = occupancy(gpu, {row.threads, row.registers, 0});
        EXPECT_EQ(result.by_registers, row.by_registers) << row.threads << " threads, " << row.registers;
        EXPECT_EQ(result.by_threads, row.by_warps) << row.threads << " threads";
    }
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

TEST(Occupancy, NonsenseDoesNotFit) {
    const GpuModel gpu = model("p2000");
    EXPECT_EQ(occupancy(gpu, {0, 32, 0}).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(gpu, {1025, 32, 0}).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(gpu, {-1, 32, 0}).limit, OccupancyLimit::impossible);
}

}  // namespace
}  // namespace lockstep::gpu
