#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace lockstep::validation {
namespace {

// The recordings have six significant digits; percentages and ratios have two decimals.
bool same_number(double a, double b) { return std::fabs(a - b) <= std::max(6e-6 * std::fabs(a), 0.0051); }

// A wavefront that has to wait for another warp's is counted again, as a wavefront and as a conflict: at most
// for this part of the wavefronts, in the recordings.
constexpr double arbitration = 0.15;

constexpr const char* wavefronts_of[] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                         "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};
constexpr const char* conflicts_of[] = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"};

// Whether all that the GPU counted beyond ours is arbitration: the same number of wavefronts and of
// conflicts.
bool only_arbitration(const Pair& pair, bool store) {
    const auto beyond = [&](const std::string& metric) {
        return pair.recorded->values.at(metric) - pair.scale() * pair.ours->values.at(metric);
    };
    const double wavefronts = pair.recorded->values.at(wavefronts_of[store]);
    const double extra = beyond(wavefronts_of[store]);
    const double rounding = std::max(1.0, 1e-5 * wavefronts);  // two numbers of six digits
    return std::fabs(extra - beyond(conflicts_of[store])) <= rounding && extra >= -rounding &&
           extra <= arbitration * wavefronts;
}

}  // namespace

std::span<const Requirement> requirements() {
    using enum Closeness;
    static const std::vector<Requirement> list = {
        {"smsp__average_inst_executed_per_warp.ratio", near, false},
        {"smsp__thread_inst_executed_per_inst_executed.ratio", near, false},
        {"smsp__sass_branch_targets.sum", equal, true, true},
        {"smsp__sass_branch_targets_threads_divergent.sum", equal, true, true},
        {"smsp__sass_branch_targets_threads_uniform.sum", equal, true, true},
        {"smsp__sass_average_branch_targets_threads_uniform.pct", equal, false, true},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", equal},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", equal},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", equal, false},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", equal},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", equal},
        {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", equal, false},
        {"smsp__inst_executed_op_global_ld.sum", equal},
        {"smsp__inst_executed_op_global_st.sum", equal},
        {"smsp__inst_executed_op_shared_ld.sum", equal},
        {"smsp__inst_executed_op_shared_st.sum", equal},
        {wavefronts_of[0], wavefronts},
        {wavefronts_of[1], wavefronts},
        {conflicts_of[0], wavefronts},
        {conflicts_of[1], wavefronts},
        {"launch__grid_size", equal},
        {"launch__block_size", equal, false},
        {"launch__registers_per_thread", registers, false},
    };
    return list;
}

std::vector<std::string> required_metrics() {
    std::vector<std::string> names;
    for (const Requirement& requirement : requirements()) names.push_back(requirement.metric);
    return names;
}

Result<std::vector<Pair>> pair_rows(std::span<const Row> recorded, std::span<const Row> ours) {
    std::vector<Pair> pairs;
    std::vector<bool> taken(ours.size());
    for (const Row& row : recorded) {
        std::size_t i = 0;
        while (i < ours.size() && (taken[i] || ours[i].kernel != row.kernel || ours[i].block != row.block ||
                                   ours[i].program != row.program))
            ++i;
        if (i == ours.size())
            return Error{fmt::format("{}: no launch of {} with blocks of {}", row.program, row.kernel,
                                     to_string(row.block)),
                         {}};
        taken[i] = true;
        pairs.push_back({&row, &ours[i]});
    }
    return pairs;
}

double Comparison::relative_error() const {
    if (recorded == ours) return 0;
    return recorded == 0 ? INFINITY : std::fabs(ours / recorded - 1);
}

std::optional<Comparison> compare(const Pair& pair, const Requirement& requirement) {
    const auto recorded = pair.recorded->values.find(requirement.metric);
    const auto ours = pair.ours->values.find(requirement.metric);
    if (recorded == pair.recorded->values.end() || ours == pair.ours->values.end()) return std::nullopt;
    Comparison result{pair, &requirement, recorded->second, ours->second, false};
    if (requirement.scales) result.ours *= pair.scale();
    switch (requirement.closeness) {
        case Closeness::equal: result.close = same_number(result.recorded, result.ours); break;
        case Closeness::near: result.close = result.relative_error() <= 0.10; break;
        case Closeness::registers: result.close = std::fabs(result.recorded - result.ours) <= 4; break;
        case Closeness::wavefronts:
            result.close = only_arbitration(pair, requirement.metric.ends_with("_st.sum"));
            break;
    }
    return result;
}

Result<std::vector<Exception>> read_exceptions(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Exception> exceptions;
    for (const auto& file : files) {
        std::ifstream in(file);
        Exception& exception = exceptions.emplace_back();
        std::string line;
        while (std::getline(in, line)) {
            if (line.starts_with("launch: ")) {
                std::istringstream words(line.substr(8));
                auto& [program, kernel] = exception.launches.emplace_back();
                words >> program >> kernel;
            } else if (line.starts_with("# ")) {
                exception.title = line.substr(2);
            } else {
                exception.text += line + "\n";
            }
        }
        if (exception.title.empty() || exception.launches.empty())
            return Error{"expected a title and lines `launch: PROGRAM KERNEL`", {file.string()}};
    }
    return exceptions;
}

const Exception* find_exception(std::span<const Exception> exceptions, const Row& row) {
    for (const Exception& exception : exceptions)
        for (const auto& [program, kernel] : exception.launches)
            if (program == row.program && kernel == short_name(row.kernel)) return &exception;
    return nullptr;
}

std::string short_name(const std::string& kernel) {
    constexpr std::string_view hidden = "(anonymous namespace)::";
    std::string name = kernel;
    for (std::size_t at = name.find(hidden); at != name.npos; at = name.find(hidden))
        name.erase(at, hidden.size());
    name = name.substr(0, name.find('('));
    if (const auto space = name.rfind(' ', name.find('<')); space != std::string::npos)
        name = name.substr(space + 1);
    return name;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace lockstep::validation
