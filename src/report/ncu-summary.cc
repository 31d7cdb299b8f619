#include "report/ncu-summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/nvprof-table.h"

namespace lockstep::report {
namespace {

// Launches of one kernel and shape, in one process.
struct NcuGroup {
    StoredLaunch first;
    std::uint64_t launches = 0;
    std::vector<std::vector<Aggregate>> values;  // by table and line
};

Result<std::vector<NcuGroup>> ncu_groups(const RunFile& run, const NcuView& view) {
    std::vector<NcuGroup> groups;
    auto done = each_shown(run, view, [&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const NcuGroup& one) {
            return one.first.process == stored.process && one.first.kernel == stored.kernel &&
                   one.first.launch.grid == launch.grid && one.first.launch.block == launch.block;
        });
        if (group == groups.end()) {
            groups.push_back({stored, 0, {}});
            group = groups.end() - 1;
            for (const NcuTable& table : view.tables) group->values.emplace_back(table.lines.size());
        }
        ++group->launches;
        for (std::size_t t = 0; t < view.tables.size(); ++t)
            for (std::size_t l = 0; l < view.tables[t].lines.size(); ++l)
                if (const auto value = ncu_launch_value(run, view.tables[t].lines[l], launch))
                    group->values[t][l].add(*value);
    });
    if (!done) return done.error();
    return groups;
}

// Unit, minimum, maximum, average.
std::vector<std::string> ncu_aggregate(const NcuLine& line, const Aggregate& value, bool base) {
    const NcuScale scale = ncu_scale(line, value.count ? value.average() : 0, base);
    if (value.count == 0) return {scale.unit, "n/a", "n/a", "n/a"};
    const auto text = [&](double number) { return ncu_number(number / scale.divisor, true); };
    return {scale.unit, text(value.min), text(value.max), text(value.average())};
}

}  // namespace

Result<std::string> ncu_summary(const RunFile& run, const NcuView& view) {
    auto groups = ncu_groups(run, view);
    if (!groups) return groups.error();
    std::string text;
    std::optional<std::int64_t> process;
    for (const NcuGroup& group : *groups) {
        const Launch& launch = group.first.launch;
        if (process != group.first.process)
            text += fmt::format("[{}] {}@127.0.0.1\n", group.first.process, view.program);
        process = group.first.process;
        text += fmt::format("  {} {}x{}, Device {}, CC {}, Invocations {}\n", view.kernel_name(launch.kernel),
                            ncu_shape(launch.grid), ncu_shape(launch.block), launch.device,
                            ncu_capability(run, launch), group.launches);
        for (std::size_t t = 0; t < view.tables.size(); ++t) {
            const NcuTable& table = view.tables[t];
            std::vector<std::vector<std::string>> rows;
            for (std::size_t l = 0; l < table.lines.size(); ++l) {
                std::vector<std::string> row =
                    ncu_aggregate(table.lines[l], group.values[t][l], view.base_units);
                row.insert(row.begin(), table.lines[l].label);
                rows.push_back(std::move(row));
            }
            if (!table.title.empty()) text += fmt::format("    Section: {}\n", table.title);
            text +=
                ncu_grid({{"Metric Name"}, {"Metric Unit"}, {"Minimum"}, {"Maximum"}, {"Average"}}, rows) +
                "\n";
        }
    }
    return text;
}

Result<std::string> ncu_summary_csv(const RunFile& run, const NcuView& view) {
    auto groups = ncu_groups(run, view);
    if (!groups) return groups.error();
    std::string text =
        "\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Block Size\",\"Grid "
        "Size\",\"Device\","
        "\"CC\",\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\","
        "\"Average\"\n";
    for (const NcuGroup& group : *groups)
        for (std::size_t t = 0; t < view.tables.size(); ++t)
            for (std::size_t l = 0; l < view.tables[t].lines.size(); ++l) {
                const Launch& launch = group.first.launch;
                std::vector<std::string> cells = {std::to_string(group.first.process),
                                                  view.program,
                                                  "127.0.0.1",
                                                  view.kernel_name(launch.kernel),
                                                  ncu_shape(launch.block),
                                                  ncu_shape(launch.grid),
                                                  std::to_string(launch.device),
                                                  ncu_capability(run, launch),
                                                  std::to_string(group.launches),
                                                  view.tables[t].title,
                                                  view.tables[t].lines[l].label};
                for (std::string& cell :
                     ncu_aggregate(view.tables[t].lines[l], group.values[t][l], view.base_units))
                    cells.push_back(std::move(cell));
                for (std::size_t c = 0; c < cells.size(); ++c)
                    text += (c == 0 ? "" : ",") + nvprof_quoted(cells[c]);
                text += '\n';
            }
    return text;
}

}  // namespace lockstep::report
