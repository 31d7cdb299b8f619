#include "recording.h"

#include <fmt/format.h>

#include <algorithm>
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

bool read_number(const std::string& text, double& value) {
    const char* end = text.data() + text.size();
    return std::from_chars(text.data(), end, value).ptr == end;
}

// False where the cell is not of the column's kind.
bool read_cell(const std::string& title, const std::string& cell, Row& row) {
    if (title == "program") {
        row.program = cell;
    } else if (title == "kernel") {
        row.kernel = cell;
    } else if (title == "gpu") {
        row.gpu = cell;
    } else if (title == "source") {
        row.source = cell;
    } else if (title == "grid") {
        return read_shape(cell, row.grid);
    } else if (title == "block") {
        return read_shape(cell, row.block);
    } else if (title == "launches") {
        row.launches = std::atoi(cell.c_str());
    } else if (!cell.empty() && cell != "n/a") {
        return read_number(cell, row.values[title]);
    }
    return true;
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
    if (lines.empty()) return Error{"is empty", {file.string()}};
    const std::vector<std::string>& titles = lines[0];
    for (const char* needed : {"program", "kernel", "grid", "block"})
        if (std::find(titles.begin(), titles.end(), needed) == titles.end())
            return Error{fmt::format("expected a column {}", needed), {file.string(), 1}};
    std::vector<Row> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto& cells = lines[i];
        const Place place{file.string(), static_cast<int>(i + 1)};
        if (cells.size() != titles.size())
            return Error{fmt::format("{} cells, expected {}", cells.size(), titles.size()), place};
        Row& row = rows.emplace_back();
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (!read_cell(titles[c], cells[c], row))
                return Error{fmt::format("{}: {} is not what it should be", titles[c], cells[c]), place};
    }
    return rows;
}

std::string to_string(const Shape& shape) { return fmt::format("({},{},{})", shape[0], shape[1], shape[2]); }

}  // namespace lockstep::validation
