#include "suite.h"

#include <algorithm>

#include "time-error.h"

namespace lockstep::validation {
namespace {

// What the programs' blocks are divided by. It leaves the counts of a block as they are, but not the time.
using Divisors = std::map<std::string, int>;
const std::map<Size, Divisors> divisors = {
    {Size::quick, {{"divergence", 64}, {"matmul", 16}, {"sum_matrix", 64}}},
    {Size::timed, {{"matmul", 16}, {"sum_matrix", 16}}},
    {Size::measured, {}}};

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
    std::vector<std::string> metrics = required_metrics();
    std::ranges::copy(predicted_metrics(), std::back_inserter(metrics));
    // No recording has them, but two compilers' code can be compared by them.
    metrics.insert(metrics.end(),
                   {"smsp__inst_executed_op_local_ld.sum", "smsp__inst_executed_op_local_st.sum"});
    Suite suite;
    for (Row& row : *rows)
        if (row.kernel.find("cub::") == std::string::npos) suite.recorded.push_back(std::move(row));
    for (const Row& row : suite.recorded) {
        if (suite.outputs.count(row.program)) continue;
        const auto divisor = divisors.at(size).find(row.program);
        const std::string arguments =
            divisor == divisors.at(size).end() ? std::string() : std::to_string(divisor->second);
        auto run = profile(row.program, arguments, code, metrics);
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
