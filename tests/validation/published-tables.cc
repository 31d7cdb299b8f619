#include "published-tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "kendall.h"
#include "time-error.h"

namespace lockstep::validation {
namespace {

constexpr const char* elapsed = "elapsed_ms";
constexpr const char* load_throughput = "gld_throughput";
constexpr const char* unchecked = "streams";  // 8 GB, and a program that does not look at its results

bool same_launch(const Row& a, const Row& b) {
    return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block;
}

}  // namespace

double PublishedTable::order() const {
    std::vector<double> theirs, ours;
    for (const PublishedLine& line : lines) {
        theirs.push_back(line.their_ms);
        ours.push_back(line.our_ms);
    }
    return kendall_tau(theirs, ours);
}

double PublishedTable::mean_error() const {
    double sum = 0;
    for (const PublishedLine& line : lines) sum += std::abs(line.our_ms / line.their_ms - 1);
    return sum / static_cast<double>(lines.size());
}

double PublishedTable::fastest(double PublishedLine::* ms) const {
    double least = std::numeric_limits<double>::infinity();
    for (const PublishedLine& line : lines) least = std::min(least, line.*ms);
    return least;
}

Result<std::vector<PublishedTable>> run_published_tables(DeviceCode code, const std::string& program) {
    const auto rows =
        read_recording(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/published.csv");
    if (!rows) return rows.error();
    std::vector<PublishedTable> tables;
    std::map<std::pair<std::string, std::string>, std::vector<Row>> runs;  // by GPU and program
    for (const Row& row : *rows) {
        if (!program.empty() && row.program != program) continue;
        auto& launches = runs[{row.gpu, row.program}];
        if (launches.empty()) {
            auto run = profile(row.program, "", code, {duration, "achieved_occupancy", load_throughput},
                               row.gpu, row.program == unchecked ? "--sample" : "");
            if (!run) return run.error();
            launches = std::move(run->launches);
        }
        const auto ours =
            std::ranges::find_if(launches, [&](const Row& one) { return same_launch(one, row); });
        if (ours == launches.end())
            return Error{fmt::format("{}: no launch of {} with a grid of {} and blocks of {}", row.program,
                                     row.kernel, to_string(row.grid), to_string(row.block)),
                         {}};
        if (tables.empty() || tables.back().gpu != row.gpu || tables.back().source != row.source)
            tables.push_back({row.gpu, row.source, row.program, !row.values.count(elapsed), {}});
        PublishedLine line{row, *ours, 0, ours->values.at(duration) / 1e6};
        line.their_ms = tables.back().from_throughput
                            ? line.our_ms * ours->values.at(load_throughput) / row.values.at(load_throughput)
                            : row.values.at(elapsed);
        tables.back().lines.push_back(std::move(line));
    }
    return tables;
}

}  // namespace lockstep::validation
