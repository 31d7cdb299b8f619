#include "report/csv-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lockstep::report {

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return {};
    return static_cast<std::size_t>(found - names.begin());
}

const std::string& CsvTable::cell(std::size_t row, std::string_view name) const {
    static const std::string none;
    const auto at = column(name);
    return at ? rows[row][*at] : none;
}

std::string CsvTable::text() const {
    std::string out;
    const auto add = [&](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i) out += ',';
            if (cells[i].find_first_of(",\"\n") == std::string::npos) {
                out += cells[i];
                continue;
            }
            out += '"';
            for (const char c : cells[i]) out += c == '"' ? "\"\"" : std::string(1, c);
            out += '"';
        }
        out += '\n';
    };
    add(names);
    for (const auto& row : rows) add(row);
    return out;
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& file) {
    CsvTable table;
    std::vector<std::string> cells(1);
    bool quoted = false, any = false;
    int line = 1;
    std::optional<Error> wrong;
    const auto end_row = [&] {
        if (any || cells.size() > 1) {
            if (table.names.empty())
                table.names = cells;
            else if (cells.size() != table.names.size())
                wrong = Error{
                    fmt::format("{}:{}: {} cells, {} names", file, line, cells.size(), table.names.size()),
                    {}};
            else
                table.rows.push_back(cells);
        }
        cells.assign(1, "");
        any = false;
    };
    for (std::size_t i = 0; i < text.size() && !wrong; ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            cells.back() += text[++i];
        } else if (c == '"') {
            quoted = !quoted, any = true;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c == '\n' && !quoted) {
            end_row();
            ++line;
        } else if (c != '\r' || quoted) {
            cells.back() += c, any = true;
        }
    }
    if (!wrong) end_row();
    if (wrong) return *wrong;
    if (quoted) return Error{fmt::format("{}: a quote is not closed", file), {}};
    if (table.names.empty()) return Error{fmt::format("{} is empty", file), {}};
    return table;
}

Result<CsvTable> read_csv(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error{fmt::format("cannot read {}", file.string()), {}};
    std::ostringstream text;
    text << in.rdbuf();
    return parse_csv(text.str(), file.string());
}

}  // namespace lockstep::report
