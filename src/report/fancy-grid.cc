#include "report/fancy-grid.h"

#include <algorithm>
#include <sstream>

namespace lockstep::report {
namespace {

std::size_t shown_width(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::vector<std::string> lines_of_cell(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    if (lines.empty()) lines.emplace_back();
    return lines;
}

}  // namespace

std::string fancy_grid(const std::vector<FancyColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    // Heads have two cells of room, as tabulate's do.
    for (const FancyColumn& column : columns) widths.push_back(shown_width(column.name) + 2);
    for (const auto& row : rows)
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (const std::string& line : lines_of_cell(row[c]))
                widths[c] = std::max(widths[c], shown_width(line));
    std::string out;
    const auto rule = [&](const char* left, const char* fill, const char* middle, const char* right) {
        out += left;
        for (std::size_t c = 0; c < widths.size(); ++c) {
            if (c) out += middle;
            for (std::size_t i = 0; i < widths[c] + 2; ++i) out += fill;
        }
        out += right;
        out += '\n';
    };
    const auto write_row = [&](const std::vector<std::string>& cells) {
        std::vector<std::vector<std::string>> lines;
        std::size_t most = 1;
        for (const std::string& cell : cells) {
            lines.push_back(lines_of_cell(cell));
            most = std::max(most, lines.back().size());
        }
        for (std::size_t l = 0; l < most; ++l) {
            out += "│";
            for (std::size_t c = 0; c < cells.size(); ++c) {
                const std::string text = l < lines[c].size() ? lines[c][l] : "";
                const std::string pad(widths[c] - shown_width(text), ' ');
                out += " " + (columns[c].right ? pad + text : text + pad) + " │";
            }
            out += '\n';
        }
    };
    rule("╒", "═", "╤", "╕");
    std::vector<std::string> heads;
    for (const FancyColumn& column : columns) heads.push_back(column.name);
    write_row(heads);
    rule("╞", "═", "╪", "╡");
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (r) rule("├", "─", "┼", "┤");
        write_row(rows[r]);
    }
    rule("╘", "═", "╧", "╛");
    return out;
}

}  // namespace lockstep::report
