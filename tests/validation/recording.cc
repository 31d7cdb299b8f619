#include "recording.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace lockstep::validation {
namespace {

bool read_shape(const std::string& text, Shape& shape) {
    return std::sscanf(text.c_str(), "(%u,%u,%u)", &shape[0], &shape[1], &shape[2]) == 3;
}

}  // namespace

std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && text.substr(i + 1, 1) == "\"") {
            cells.back() += text[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c == '\n' && !quoted) {
            lines.push_back(std::move(cells));
            cells.assign(1, "");
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    if (cells.size() > 1 || !cells[0].empty()) lines.push_back(std::move(cells));
    return lines;
}

Result<std::vector<Row>> read_recording(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return Error{"cannot be read", {file.string()}};
    const auto lines = parse_csv(std::string(std::istreambuf_iterator<char>(in), {}));
    const std::vector<std::string> fixed = {"program", "kernel", "grid", "block", "launches"};
    if (lines.empty() || lines[0].size() <= fixed.size() ||
        !std::equal(fixed.begin(), fixed.end(), lines[0].begin()))
        return Error{"expected the columns program, kernel, grid, block, launches and metrics",
                     {file.string(), 1}};
    std::vector<Row> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto& cells = lines[i];
        const Place place{file.string(), static_cast<int>(i + 1)};
        if (cells.size() != lines[0].size())
            return Error{fmt::format("{} cells, expected {}", cells.size(), lines[0].size()), place};
        Row& row = rows.emplace_back();
        row.program = cells[0];
        row.kernel = cells[1];
        row.launches = std::atoi(cells[4].c_str());
        if (!read_shape(cells[2], row.grid) || !read_shape(cells[3], row.block))
            return Error{fmt::format("{} or {} is no shape", cells[2], cells[3]), place};
        for (std::size_t c = fixed.size(); c < cells.size(); ++c) {
            if (cells[c].empty() || cells[c] == "n/a") continue;
            double value = 0;
            const char* end = cells[c].data() + cells[c].size();
            if (std::from_chars(cells[c].data(), end, value).ptr != end)
                return Error{fmt::format("{}: {} is no number", lines[0][c], cells[c]), place};
            row.values[lines[0][c]] = value;
        }
    }
    return rows;
}

std::string to_string(const Shape& shape) { return fmt::format("({},{},{})", shape[0], shape[1], shape[2]); }

}  // namespace lockstep::validation
