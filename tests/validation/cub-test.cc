// cub::DeviceReduce, where nvcc is installed: lockstep runs NVIDIA's own library, and counts what the GPU
// did.
#include <gtest/gtest.h>

#include "compile/toolchain.h"
#include "suite.h"

namespace lockstep::validation {
namespace {

// CUB's names carry its version in a namespace, which Nsight Compute leaves out: what tells the launches
// apart is the kernel, the type of its indices and the grid.
std::string key(const Row& row) {
    return std::string(row.kernel.find("SingleTile") != std::string::npos ? "single" : "many") +
           (row.kernel.find("long") != std::string::npos ? " 64-bit " : " 32-bit ") + to_string(row.grid);
}

TEST(Validation, MemoryCountsOfCubAreEqual) {
    if (!compile::find_nvcc()) GTEST_SKIP() << "nvcc is not installed";
    const auto recorded =
        read_recording(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/h200.csv");
    ASSERT_TRUE(recorded) << recorded.error().to_string();
    const auto run = profile("reduce_shared", "64", DeviceCode::installed_nvcc, required_metrics());
    ASSERT_TRUE(run) << run.error().to_string();
    int compared = 0;
    for (const Row& row : *recorded) {
        // Each size was launched twice; a row with more launches is the median over several sizes.
        if (row.kernel.find("cub::") == std::string::npos || row.launches != 2) continue;
        const auto ours = std::find_if(run->launches.begin(), run->launches.end(), [&](const Row& launch) {
            return launch.kernel.find("cub::") != std::string::npos && key(launch) == key(row);
        });
        ASSERT_NE(ours, run->launches.end()) << "no launch " << key(row);
        for (const Requirement& requirement : requirements()) {
            if (requirement.branch ||
                (requirement.closeness != Closeness::equal && requirement.closeness != Closeness::wavefronts))
                continue;
            const auto comparison = compare({&row, &*ours}, requirement);
            ASSERT_TRUE(comparison) << requirement.metric;
            EXPECT_TRUE(comparison->close)
                << key(row) << ": " << requirement.metric << " is " << comparison->recorded << " on the GPU, "
                << comparison->ours << " here";
            ++compared;
        }
    }
    EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace lockstep::validation
