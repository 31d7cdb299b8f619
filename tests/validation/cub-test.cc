// cub::DeviceReduce, where nvcc is installed: lockstep runs NVIDIA's own library, and counts what the GPU
// did.
#include "cub.h"

#include <gtest/gtest.h>

#include "compile/toolchain.h"
#include "time-error.h"

namespace lockstep::validation {
namespace {

class Cub : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (compile::find_nvcc()) run = new Result<CubRun>(run_cub());
    }
    static void TearDownTestSuite() {
        delete run;
        run = nullptr;
    }
    void SetUp() override {
        if (!run) GTEST_SKIP() << "nvcc is not installed";
        ASSERT_TRUE(*run) << run->error().to_string();
        ASSERT_FALSE((*run)->pairs.empty());
    }
    static Result<CubRun>* run;  // one for all tests
};
Result<CubRun>* Cub::run = nullptr;

TEST_F(Cub, MemoryCountsAreEqual) {
    for (const Pair& pair : (*run)->pairs)
        for (const Requirement& requirement : requirements()) {
            if (requirement.branch ||
                (requirement.closeness != Closeness::equal && requirement.closeness != Closeness::wavefronts))
                continue;
            const auto comparison = compare(pair, requirement);
            ASSERT_TRUE(comparison) << requirement.metric;
            EXPECT_TRUE(comparison->close) << pair.recorded->kernel << ' ' << to_string(pair.recorded->grid)
                                           << ": " << requirement.metric << " is " << comparison->recorded
                                           << " on the GPU, " << comparison->ours << " here";
        }
}

TEST_F(Cub, TimeIsNear) {
    const auto errors = time_errors((*run)->pairs);
    ASSERT_EQ(errors.size(), (*run)->pairs.size());
    const TimeSummary summary = summarize(errors);
    EXPECT_LE(summary.mean, 0.20);
    EXPECT_LE(summary.worst.factor(), 2) << summary.worst.pair.recorded->kernel;
}

}  // namespace
}  // namespace lockstep::validation
