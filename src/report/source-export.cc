#include "report/source-export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "report/export.h"
#include "report/source-lines.h"

namespace lockstep::report {
namespace {

using Counts = InstructionCounts;

constexpr std::array<std::pair<const char*, std::uint64_t Counts::*>, 10> columns = {{
    {"executed", &Counts::executed},
    {"active", &Counts::active},
    {"predicated_on", &Counts::predicated_on},
    {"branches", &Counts::branches},
    {"divergent_branches", &Counts::divergent_branches},
    {"requests", &Counts::requests},
    {"sectors", &Counts::sectors},
    {"ideal_sectors", &Counts::ideal_sectors},
    {"wavefronts", &Counts::wavefronts},
    {"ideal_wavefronts", &Counts::ideal_wavefronts},
}};

}  // namespace

Result<std::string> lines_json(const RunFile& run, const KernelResult& kernel) {
    auto found = source_lines(run, kernel);
    if (!found) return found.error();
    std::vector<std::string> rows;
    for (const auto& [file, lines] : found->files)
        for (const auto& [number, line] : lines) {
            std::string row = fmt::format(R"({{"file": {}, "line": {})", json_quoted(file), number);
            for (const auto& [name, member] : columns)
                row += fmt::format(R"(, "{}": {})", name, line.sum.*member);
            rows.push_back(
                fmt::format(R"({}, "warp_cycles": {}}})", row, warp_cycles_json(line.sum.warp_cycles)));
        }
    return fmt::format("[\n    {}\n  ]", fmt::join(rows, ",\n    "));
}

Result<std::string> lines_csv(const RunFile& run) {
    std::vector<std::string> head = {"kernel", "file", "line"};
    for (const auto& [name, member] : columns) head.emplace_back(name);
    head.emplace_back("warp_cycles");
    for (std::size_t s = 0; s < timing::warp_states; ++s)
        head.emplace_back(timing::state_name(static_cast<timing::WarpState>(s)));
    std::string text = csv_line(head);
    for (const KernelResult& kernel : run.kernels) {
        auto found = source_lines(run, kernel);
        if (!found) return found.error();
        for (const auto& [file, lines] : found->files)
            for (const auto& [number, line] : lines) {
                std::vector<std::string> cells = {kernel.name, file, std::to_string(number)};
                for (const auto& [name, member] : columns) cells.push_back(std::to_string(line.sum.*member));
                cells.push_back(std::to_string(total(line.sum.warp_cycles)));
                for (const std::uint64_t cycles : line.sum.warp_cycles)
                    cells.push_back(std::to_string(cycles));
                text += csv_line(cells);
            }
    }
    return text;
}

}  // namespace lockstep::report
