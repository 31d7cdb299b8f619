// Kernels that share the SMs.
#include <gtest/gtest.h>

#include "timing/stream-machine.h"

namespace lockstep::timing {
namespace {

gpu::GpuModel quick_host() {
    gpu::GpuModel gpu = h200();
    gpu.timing.launch_call_us = gpu.timing.launch_latency_us = gpu.timing.kernel_overhead_us = 0;
    return gpu;
}
constexpr std::uint32_t resident = 8;
constexpr std::uint64_t wave = 132 * resident;

TEST(Kernels, SmallOnesRunBesideEachOtherAtFullSpeed) {
    Program program(quick_host());
    const OperationId a = program.kernel(program.stream(), 100, wave / 2, resident);
    const OperationId b = program.kernel(program.stream(), 100, wave / 2, resident);
    program.finish();
    EXPECT_EQ(program.begin(a), program.begin(b));
    EXPECT_NEAR(program.length(a), 100, 1e-3);
    EXPECT_NEAR(program.length(b), 100, 1e-3);
}

TEST(Kernels, OneThatFillsTheGpuHoldsUpTheNext) {
    Program program(quick_host());
    const OperationId a = program.kernel(program.stream(), 400, 4 * wave, resident);
    const OperationId b = program.kernel(program.stream(), 100, wave, resident);
    program.finish();
    EXPECT_NEAR(program.end(a), 400, 1e-3);
    EXPECT_NEAR(program.begin(b), 400, 1e-3);
}

TEST(Kernels, TheTailOfOneOverlapsTheHeadOfTheNext) {
    Program program(quick_host());
    // Four waves, the last of them a quarter full.
    const OperationId a = program.kernel(program.stream(), 400, 3 * wave + wave / 4, resident);
    const OperationId b = program.kernel(program.stream(), 100, wave, resident);
    program.finish();
    EXPECT_NEAR(program.end(a), 400, 1e-3);
    EXPECT_NEAR(program.begin(b), 300, 1e-3);
    EXPECT_NEAR(program.end(b), 500, 1e-3) << "its last quarter starts when the tail has ended";
}

TEST(Kernels, HigherPriorityTakesPlacesFirst) {
    for (const int priority : {0, -1}) {
        Program program(quick_host());
        const OperationId a = program.kernel(program.stream(), 400, 4 * wave, resident);
        const OperationId b = program.kernel(program.stream(false, 0), 400, 4 * wave, resident);
        const OperationId c = program.kernel(program.stream(false, priority), 100, wave, resident);
        program.finish();
        EXPECT_NEAR(program.end(c), priority < 0 ? 200 : 900, 1e-3) << "running blocks are not interrupted";
        EXPECT_NEAR(program.end(a), priority < 0 ? 500 : 400, 1e-3);
        EXPECT_NEAR(program.end(b), priority < 0 ? 900 : 800, 1e-3);
    }
}

TEST(Kernels, ShareTheMemorysBandwidth) {
    Program program(quick_host());
    const OperationId a = program.kernel(program.stream(), 100, wave / 4, resident, 0.8);
    const OperationId b = program.kernel(program.stream(), 100, wave / 4, resident, 0.8);
    const OperationId c = program.kernel(program.stream(), 100, wave / 4, resident, 0.1);
    program.finish();
    // The third wants little and gets it; the others get 45 % each, and half after it has ended.
    EXPECT_NEAR(program.length(c), 100, 1e-3);
    const double done = 100 * 0.45 / 0.8;
    EXPECT_NEAR(program.length(a), 100 + (100 - done) * 0.8 / 0.5, 1e-3);
    EXPECT_NEAR(program.length(b), program.length(a), 1e-3);
}

TEST(Kernels, ShareTheIssueSlots) {
    gpu::GpuModel gpu = quick_host();
    Program program(gpu);
    std::vector<OperationId> kernels;
    for (int i = 0; i < 2; ++i) {
        Operation operation{OperationKind::kernel, program.stream(), "k"};
        operation.kernel = {100e3, wave / 4, resident, 0, 0.75};
        kernels.push_back(program.timeline.submit(operation));
    }
    program.finish();
    for (const OperationId id : kernels) EXPECT_NEAR(program.length(id), 150, 1e-3);
}

TEST(Kernels, ManyWavesKeepTheirLength) {
    Program program(quick_host());
    const OperationId a = program.kernel(program.stream(), 1000, 123456789, resident);
    program.finish();
    EXPECT_NEAR(program.length(a), 1000, 1e-3);
}

TEST(Kernels, OfDifferentSizeFillTheGpuTogether) {
    // One has a place for every SM, the other needs whole SMs: both fit side by side.
    Program program(quick_host());
    const OperationId a = program.kernel(program.stream(), 100, 66, 1);
    const OperationId b = program.kernel(program.stream(), 100, wave / 2, resident);
    const OperationId c = program.kernel(program.stream(), 100, 1, resident);
    program.finish();
    EXPECT_TRUE(program.overlap(a, b));
    EXPECT_NEAR(program.begin(c), 100, 1e-3) << "no place is left";
}

}  // namespace
}  // namespace lockstep::timing
