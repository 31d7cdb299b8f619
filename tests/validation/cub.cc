#include "cub.h"

#include <fmt/format.h>

#include <algorithm>

#include "time-error.h"

namespace lockstep::validation {
namespace {

bool is_cub(const Row& row) { return row.kernel.find("cub::") != std::string::npos; }

// CUB's names carry its version in a namespace, which Nsight Compute leaves out: what tells the launches
// apart is the kernel, the type of its indices and the grid.
std::string key(const Row& row) {
    return std::string(row.kernel.find("SingleTile") != std::string::npos ? "single" : "many") +
           (row.kernel.find("long") != std::string::npos ? " 64-bit " : " 32-bit ") + to_string(row.grid);
}

}  // namespace

Result<CubRun> run_cub() {
    auto rows = read_recording(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/h200.csv");
    if (!rows) return rows.error();
    std::vector<std::string> metrics = required_metrics();
    std::ranges::copy(predicted_metrics(), std::back_inserter(metrics));
    auto run = profile("reduce_shared", "64", DeviceCode::installed_nvcc, metrics);
    if (!run) return run.error();
    CubRun result;
    // Each size was launched twice; a row with more launches is the median over several sizes.
    for (Row& row : *rows)
        if (is_cub(row) && row.launches == 2) result.recorded.push_back(std::move(row));
    for (Row& row : run->launches)
        if (is_cub(row)) result.ours.push_back(std::move(row));
    for (const Row& row : result.recorded) {
        const auto ours = std::ranges::find(result.ours, key(row), key);
        if (ours == result.ours.end()) return Error{fmt::format("no launch {} of CUB", key(row)), {}};
        result.pairs.push_back({&row, &*ours});
    }
    return result;
}

}  // namespace lockstep::validation
