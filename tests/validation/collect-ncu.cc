// From what ncu printed to a recording: `collect_ncu FOLDER [PROGRAM…]` reads FOLDER/PROGRAM.csv, of the
// probes where none is named, and prints a line for each launch with the metrics of metrics.txt.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>

#include "recording.h"

namespace lockstep::validation {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string without(std::string text, char unwanted) {
    std::erase(text, unwanted);
    return text;
}

std::optional<std::string> launches(const std::string& program, const std::string& printed,
                                    const std::vector<std::string>& metrics) {
    // The table follows what the program itself printed; its second line has the units.
    const auto start = printed.find("\"ID\",");
    if (start == std::string::npos) return std::nullopt;
    const auto lines = parse_csv(printed.substr(start));
    const auto column = [&](const std::string& title) {
        return static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), title) -
                                        lines[0].begin());
    };
    std::string text;
    for (std::size_t i = 2; i < lines.size(); ++i) {
        if (lines[i].size() != lines[0].size()) continue;
        const auto cell = [&](const std::string& title) {
            return column(title) < lines[i].size() ? lines[i][column(title)] : std::string();
        };
        text += fmt::format("{},\"{}\",\"{}\",\"{}\",1", program, cell("Kernel Name"),
                            without(cell("Grid Size"), ' '), without(cell("Block Size"), ' '));
        for (const std::string& metric : metrics) text += "," + without(cell(metric), ',');
        text += "\n";
    }
    return text;
}

}  // namespace
}  // namespace lockstep::validation

int main(int argc, char** argv) {
    using namespace lockstep::validation;
    if (argc < 2) {
        fmt::print(stderr, "usage: collect_ncu FOLDER [PROGRAM…]\n");
        return 2;
    }
    std::vector<std::string> programs(argv + 2, argv + argc);
    if (programs.empty())
        programs = {"shared", "global", "branches", "conditions", "loops", "arithmetic", "kernels"};
    std::vector<std::string> metrics;
    const fs::path root = fs::path(LOCKSTEP_SOURCE_DIR) / "tests/validation";
    std::ifstream list(root / "metrics.txt");
    for (std::string metric; list >> metric;) metrics.push_back(metric);
    fmt::print("program,kernel,grid,block,launches,{}\n", fmt::join(metrics, ","));
    for (const std::string& program : programs) {
        const fs::path file = fs::path(argv[1]) / (program + ".csv");
        const auto text = launches(program, read_text(file), metrics);
        if (!text) {
            fmt::print(stderr, "{}: no table of Nsight Compute in it\n", file.string());
            return 1;
        }
        fmt::print("{}", *text);
    }
}
