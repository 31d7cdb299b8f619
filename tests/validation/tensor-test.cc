// Matrix instructions and clusters as an H200 counted and took them (h200-tensor.csv): the rates, from which
// the model's figures come, and programs that nothing was fitted to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "suite.h"
#include "time-error.h"

namespace lockstep::validation {
namespace {

const Suite& of(DeviceCode code) {
    static std::map<DeviceCode, Suite> suites;
    const auto [known, fresh] = suites.try_emplace(code);
    if (fresh) {
        auto suite = run_suite("h200-tensor.csv", code, Size::measured);
        if (!suite) ADD_FAILURE() << suite.error().to_string();
        if (suite) known->second = std::move(*suite);
    }
    return known->second;
}

std::string name_of(const Row& row) {
    return fmt::format("{} {} {} {}", row.program, short_name(row.kernel), to_string(row.grid),
                       to_string(row.block));
}

// Of both compilers' code.
TEST(Tensor, CountsAreTheGpus) {
    for (const DeviceCode code : {DeviceCode::nvcc, DeviceCode::lockstep})
        for (const Pair& pair : of(code).pairs)
            for (const std::string& metric : tensor_metrics()) {
                const auto recorded = pair.recorded->values.find(metric),
                           ours = pair.ours->values.find(metric);
                ASSERT_NE(recorded, pair.recorded->values.end()) << metric;
                ASSERT_NE(ours, pair.ours->values.end()) << metric << " of " << name_of(*pair.recorded);
                EXPECT_EQ(ours->second, recorded->second) << metric << " of " << name_of(*pair.recorded);
            }
}

TEST(Tensor, ResultsAreTheGpus) {
    for (const DeviceCode code : {DeviceCode::nvcc, DeviceCode::lockstep})
        for (const auto& [program, output] : of(code).outputs) {
            std::ifstream file(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/programs" /
                               (program + ".results"));
            const std::string recorded(std::istreambuf_iterator<char>(file), {});
            EXPECT_FALSE(recorded.empty()) << program;
            EXPECT_EQ(output, recorded) << program;
        }
}

TEST(Tensor, TimesAreNearTheGpus) {
    for (const DeviceCode code : {DeviceCode::nvcc, DeviceCode::lockstep}) {
        const auto errors = time_errors(of(code).pairs);
        ASSERT_EQ(errors.size(), of(code).recorded.size());
        std::vector<TimeError> fitted, judged;
        std::string list;
        for (const TimeError& error : errors) {
            (error.pair.recorded->program.ends_with("_rates") ? fitted : judged).push_back(error);
            list += fmt::format("{}: {:.2f} us, predicted {:.2f}, {:+.1f} %\n", name_of(*error.pair.recorded),
                                error.measured / 1e3, error.predicted / 1e3, 100 * error.relative());
        }
        const char* const of_whom = code == DeviceCode::nvcc ? "nvcc's code\n" : "lockstep's code\n";
        EXPECT_LE(summarize(fitted).mean, 0.10) << of_whom << list;
        EXPECT_LE(summarize(judged).mean, 0.15) << of_whom << list;
        for (const TimeError& error : errors)
            EXPECT_LE(error.factor(), 1.6) << of_whom << name_of(*error.pair.recorded);
    }
}

}  // namespace
}  // namespace lockstep::validation
