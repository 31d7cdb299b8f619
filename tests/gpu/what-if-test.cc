#include "gpu/what-if.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models.h"

namespace lockstep::gpu {
namespace {

int currents(const std::vector<WhatIf>& rows) {
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [](const WhatIf& r) { return r.current; }));
}

// A table leaves nothing out, and its rows agree with the calculator at both ends.
TEST(WhatIf, RowsCoverEverythingAndAgreeWithTheCalculator) {
    for (const char* name : {"fermi", "k20x", "gtx1650", "h200"}) {
        const GpuModel gpu = model(name);
        const BlockDemand demand{256, 32, 4096};
        const auto registers = what_if_registers(gpu, demand);
        const auto shared = what_if_shared(gpu, demand);
        EXPECT_EQ(registers.front().first, 1u);
        EXPECT_EQ(registers.back().last, static_cast<std::uint64_t>(gpu.max_registers_per_thread));
        EXPECT_EQ(shared.front().first, 0u);
        EXPECT_EQ(shared.back().last, gpu.shared_per_block_optin);
        for (std::size_t i = 1; i < shared.size(); ++i) EXPECT_EQ(shared[i].first, shared[i - 1].last + 1);
        for (const WhatIf& row : registers)
            for (std::uint64_t value : {row.first, row.last})
                EXPECT_EQ(occupancy(gpu, {256, static_cast<int>(value), 4096}).blocks_per_sm,
                          row.occupancy.blocks_per_sm);
        for (const WhatIf& row : shared)
            for (std::uint64_t value : {row.first, row.last})
                EXPECT_EQ(occupancy(gpu, {256, 32, value}).blocks_per_sm, row.occupancy.blocks_per_sm)
                    << value;
        EXPECT_EQ(currents(registers), 1);
        EXPECT_EQ(currents(shared), 1);
        EXPECT_EQ(currents(what_if_threads(gpu, demand)), 1);
    }
}

// 28 registers give as many blocks as one does, but they bind: the row says so.
TEST(WhatIf, TheCurrentRowHasTheCurrentLimits) {
    const GpuModel gpu = model("h200");
    const auto rows = what_if_registers(gpu, {512, 28, 0});
    ASSERT_TRUE(rows[0].current);
    EXPECT_EQ(rows[0].occupancy.by_registers, 4);
    EXPECT_GT(what_if_registers(gpu, {512, 64, 0})[0].occupancy.by_registers, 4);
}

TEST(WhatIf, BlockSizesHoldTheCurrentOneAndTheBound) {
    const GpuModel gpu = model("h200");
    const auto rows = what_if_threads(gpu, {80, 32, 0});
    EXPECT_EQ(rows.size(), 33u);
    EXPECT_EQ(rows[2].first, 80u);
    EXPECT_TRUE(rows[2].current);
    const auto bounded = what_if_threads(gpu, {0, 32, 0}, 100);
    EXPECT_EQ(bounded.size(), 4u);
    EXPECT_EQ(bounded.back().first, 100u);
    EXPECT_EQ(currents(bounded), 0);
}

// 40 registers: 48 warps of 64 by registers; 768 threads is the largest block that reaches them.
TEST(WhatIf, BestIsTheLargestAmongEquals) {
    const GpuModel gpu = model("h200");
    EXPECT_EQ(best(gpu, what_if_threads(gpu, {0, 40, 0}))->threads, 768);
    EXPECT_EQ(best(gpu, what_if_threads(gpu, {0, 32, 0}))->threads, 1024);
    EXPECT_EQ(best(gpu, what_if_threads(gpu, {0, 32, 999'999})), nullptr);
}

}  // namespace
}  // namespace lockstep::gpu
