// Kernels that launch kernels in time, beside what an H200 took (bench/hardware/h200/nested-launches.txt).
#include "timing/nested-kernels.h"

#include <gtest/gtest.h>

#include <functional>

#include "timing/models.h"

namespace lockstep::timing {
namespace {

constexpr std::uint64_t fire_and_forget_stream = 4;

class NestedTimes : public testing::Test {
  protected:
    static NestedKernels kernel(double nanoseconds) {
        NestedKernels one;
        one.work = {.nanoseconds = nanoseconds, .blocks = 1, .resident_blocks = 32};
        return one;
    }
    static NestedOperation launch(NestedKernels child, std::uint64_t stream = 0, std::uint64_t block = 0) {
        NestedOperation one;
        one.kernel = std::make_unique<NestedKernels>(std::move(child));
        one.stream = stream;
        one.block = block;
        return one;
    }
    // Microseconds more than the kernel without children.
    double added(const NestedKernels& root) const {
        return (place_nested(root, gpu).front().end - root.work.nanoseconds) / 1e3;
    }
    gpu::GpuModel gpu = h200();
};

TEST_F(NestedTimes, OfOneThreadsLaunches) {
    for (const auto& [n, recorded] : {std::pair(1, 13.4), std::pair(16, 110.4), std::pair(256, 1660.2)}) {
        NestedKernels root = kernel(1600);
        for (int i = 0; i < n; ++i) root.children.push_back(launch(kernel(1600)));
        EXPECT_NEAR(added(root), recorded, 0.15 * recorded) << n;
    }
}

TEST_F(NestedTimes, ChildrenOfOneStreamFollowEachOther) {
    NestedKernels root = kernel(1600), beside = kernel(1600);
    for (int i = 0; i < 64; ++i) {
        root.children.push_back(launch(kernel(10'100)));
        beside.children.push_back(launch(kernel(10'100), fire_and_forget_stream));
    }
    EXPECT_NEAR(added(root), 797.2, 80);
    EXPECT_NEAR(added(beside), 393.9, 40);
}

TEST_F(NestedTimes, OfManyBlocks) {
    NestedKernels root = kernel(1600);
    for (std::uint64_t block = 0; block < 2000; ++block)
        root.children.push_back(launch(kernel(1600), fire_and_forget_stream, block));
    EXPECT_NEAR(added(root), 445.4, 45);
}

TEST_F(NestedTimes, OfAChain) {
    const std::function<NestedKernels(int)> chain = [&](int left) {
        NestedKernels one = kernel(1600);
        if (left > 0) one.children.push_back(launch(chain(left - 1)));
        return one;
    };
    EXPECT_NEAR(added(chain(23)), 231.5, 24);
}

TEST_F(NestedTimes, TheTailBeginsWhenAllElseHasEnded) {
    NestedKernels root = kernel(1000);
    root.children.push_back(launch(kernel(50'000)));
    root.tail.push_back(launch(kernel(2000)));
    root.tail.push_back(launch(kernel(2000)));
    const auto placed = place_nested(root, gpu);
    ASSERT_EQ(placed.size(), 4u);
    EXPECT_EQ(placed[1].parent, 0u);
    EXPECT_EQ(placed[1].depth, 1);
    EXPECT_GT(placed[2].begin, placed[1].end);
    EXPECT_GT(placed[3].begin, placed[2].end);
    EXPECT_GT(placed[0].end, placed[3].end);
}

TEST_F(NestedTimes, ChildrenShareTheSms) {
    NestedKernels root = kernel(1000);
    for (int i = 0; i < 8; ++i) {
        NestedKernels child = kernel(100'000);
        child.work.blocks = 132 * 32;  // the whole GPU
        root.children.push_back(
            launch(std::move(child), fire_and_forget_stream, static_cast<std::uint64_t>(i)));
    }
    EXPECT_GT(place_nested(root, gpu).front().end, 799'000);
}

}  // namespace
}  // namespace lockstep::timing
