#include "gpu/latency-hiding.h"

#include <gtest/gtest.h>

#include "models.h"

namespace lockstep::gpu {
namespace {

// The textbook's table: Fermi 640 operations and 74 KB, Kepler 3840 and 77 KB.
TEST(LatencyHiding, FermiAsInTheTextbook) {
    const GpuModel gpu = model("fermi");
    const auto arithmetic = arithmetic_parallelism(gpu);
    EXPECT_EQ(arithmetic.operations, 640);
    EXPECT_EQ(arithmetic.warps, 20);
    const auto memory = memory_parallelism(gpu, 4);
    EXPECT_EQ(memory.bytes_per_cycle, 92);
    EXPECT_EQ(memory.kilobytes, 74);
    EXPECT_EQ(memory.threads, 18'500u);
    EXPECT_EQ(memory.warps, 579u);
    EXPECT_EQ(memory.warps_per_sm_full_chip, 36);  // the whole chip's 16 SMs
    EXPECT_EQ(memory.warps_per_sm, 41);            // the C2070's 14
}

TEST(LatencyHiding, KeplerAsInTheTextbook) {
    const GpuModel gpu = model("k20x");
    EXPECT_EQ(arithmetic_parallelism(gpu).operations, 3840);
    EXPECT_EQ(arithmetic_parallelism(gpu).warps, 120);
    EXPECT_EQ(memory_parallelism(gpu, 4).bytes_per_cycle, 96);
    EXPECT_EQ(memory_parallelism(gpu, 4).kilobytes, 77);
}

TEST(LatencyHiding, WiderLoadsNeedFewerThreads) {
    const GpuModel gpu = model("fermi");
    EXPECT_EQ(memory_parallelism(gpu, 16).threads, 4625u);
    EXPECT_EQ(memory_parallelism(gpu, 16).kilobytes, 74);
}

TEST(LatencyHiding, WithoutATextbookFromWhatTheGpuHas) {
    const GpuModel gpu = model("h200");
    EXPECT_EQ(arithmetic_parallelism(gpu).operations, 4 * 128);
    EXPECT_EQ(memory_parallelism(gpu, 4).latency_cycles, 680);
    EXPECT_EQ(memory_parallelism(gpu, 4).clock_mhz, 1980);
}

}  // namespace
}  // namespace lockstep::gpu
