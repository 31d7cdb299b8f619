#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/run-info.h"
#include "report/run-schema.h"
#include "report/run-writer.h"

namespace lockstep::report {
namespace {

// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t columns_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths(columns_.size());
    for (const auto& row : rows_)
        for (std::size_t c = 0; row.size() > 1 && c < row.size(); ++c)
            widths[c] = std::max(widths[c], columns_of(row[c]));
    return widths;
}

std::size_t Table::width() const {
    std::size_t sum = 0;
    for (const std::size_t width : widths()) sum += width + 2;
    return sum == 0 ? 0 : sum - 2;
}

std::string Table::text() const {
    const std::vector<std::size_t> widths = this->widths();
    std::string result;
    for (const auto& row : rows_) {
        std::string line;
        if (row.size() == 1) line = row[0];
        for (std::size_t c = 0; row.size() > 1 && c < row.size(); ++c) {
            const std::string padding(widths[c] - columns_of(row[c]), ' ');
            if (c != 0) line += "  ";
            line += columns_[c] == Align::left ? row[c] + padding : padding + row[c];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + '\n';
    }
    return result;
}

std::optional<double> Shown::value(const Launch& launch) const {
    return index ? launch.values[*index] : std::nullopt;
}

const Aggregate* Shown::value(const KernelResult& kernel) const {
    return index && kernel.metrics[*index].count != 0 ? &kernel.metrics[*index] : nullptr;
}

std::optional<double> Shown::share_of_peak(const KernelResult& kernel) const {
    if (!share || kernel.metrics[*share].count == 0) return {};
    return kernel.metrics[*share].average();
}

std::vector<Shown> find_metrics(const RunFile& run, std::span<const metrics::Selected> selected) {
    std::vector<Shown> shown;
    for (const metrics::Selected& one : selected) {
        const std::string& share = one.metric->share_of_peak;
        shown.push_back(
            {one, run.metric(one.metric->names[0]), share.empty() ? std::nullopt : run.metric(share)});
    }
    return shown;
}

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
    return fmt::format("({},{},{})", shape[0], shape[1], shape[2]);
}

std::string short_count(std::uint64_t count) {
    if (count < 1'000'000) return std::to_string(count);
    double value = static_cast<double>(count);
    const char* prefix = "KMGTPE";
    for (value /= 1000; value >= 999.95; value /= 1000) ++prefix;
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : 1, *prefix);
}

std::string plural(std::uint64_t count, const std::string& noun, const std::string& plural) {
    return fmt::format("{} {}", count, count == 1 ? noun : plural);
}

std::vector<std::string> notes(const RunFile& run, std::span<const Shown> shown, bool launches) {
    std::vector<std::string> result, none, unknown;
    for (const Shown& one : shown) {
        const bool anywhere = std::any_of(run.kernels.begin(), run.kernels.end(),
                                          [&](const KernelResult& kernel) { return one.value(kernel); });
        if (anywhere) continue;
        (one.index ? none : unknown).push_back(one.name());
    }
    if (!none.empty())
        result.push_back(fmt::format("n/a: {} {} no value for these launches on {}", fmt::join(none, ", "),
                                     none.size() == 1 ? "has" : "have", run.info.gpu_name));
    if (!unknown.empty())
        result.push_back(fmt::format("n/a: {} {} not in this run file, which lockstep {} wrote",
                                     fmt::join(unknown, ", "), unknown.size() == 1 ? "is" : "are",
                                     run.info.lockstep_version));
    for (const KernelResult& kernel : run.kernels) {
        if (launches && kernel.kept < kernel.launches)
            result.push_back(fmt::format(
                "{}: {} of {} launches have no row of their own (a kernel keeps {}); min, max and "
                "average without --launches are over all of them",
                kernel.name, kernel.launches - kernel.kept, kernel.launches, most_launch_rows));
        if (kernel.faults != 0)
            result.push_back(fmt::format("{}: {} failed; its counts end where it did", kernel.name,
                                         plural(kernel.faults, "launch", "launches")));
    }
    for (const std::string& gap : run.gaps) result.push_back(fmt::format("not complete: {}", gap));
    return result;
}

std::string prediction_note(const RunFile& run, std::span<const Shown> shown) {
    std::vector<std::string> names;
    for (const Shown& one : shown)
        if (one.is_predicted()) names.push_back(one.name());
    if (names.empty()) return "";
    return fmt::format("predicted for {}, not counted: {}", gpu_text(run.info), fmt::join(names, ", "));
}

}  // namespace lockstep::report
