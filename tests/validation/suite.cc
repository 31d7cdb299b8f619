#include "suite.h"

#include <algorithm>

namespace lockstep::validation {
namespace {

// Seconds instead of minutes, with the same counts a block.
const std::map<std::string, int> quick_divisors = {
    {"divergence", 256}, {"matmul", 16}, {"reduce_int", 64}, {"reduce_shared", 64}, {"sum_matrix", 64}};

}  // namespace

std::vector<Comparison> Suite::comparisons(const Requirement& requirement) const {
    std::vector<Comparison> list;
    for (const Pair& pair : pairs)
        if (auto comparison = compare(pair, requirement)) list.push_back(*comparison);
    return list;
}

Result<Suite> run_suite(const std::string& recording, DeviceCode code, Size size) {
    auto rows = read_recording(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation" / recording);
    if (!rows) return rows.error();
    Suite suite;
    for (Row& row : *rows)
        if (row.kernel.find("cub::") == std::string::npos) suite.recorded.push_back(std::move(row));
    for (const Row& row : suite.recorded) {
        if (suite.outputs.count(row.program)) continue;
        const auto divisor = quick_divisors.find(row.program);
        const std::string arguments = size == Size::quick && divisor != quick_divisors.end()
                                          ? std::to_string(divisor->second)
                                          : std::string();
        auto run = profile(row.program, arguments, code, required_metrics());
        if (!run) return run.error();
        suite.outputs[row.program] = run->output;
        suite.seconds += run->seconds;
        std::move(run->launches.begin(), run->launches.end(), std::back_inserter(suite.ours));
    }
    auto pairs = pair_rows(suite.recorded, suite.ours);
    if (!pairs) return pairs.error();
    suite.pairs = std::move(*pairs);
    return suite;
}

}  // namespace lockstep::validation
