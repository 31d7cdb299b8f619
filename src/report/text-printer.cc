#include "report/text-printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace lockstep::report {
namespace {

using RowKind = Table::Row::Kind;

constexpr std::size_t readable_width = 120;

// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Colours of the terminal's own palette, so that they suit its background.
constexpr const char *bold = "1", *dim = "2", *red = "31", *green = "32";

std::string coloured(const std::string& text, const char* code) {
    return text.find_first_not_of(' ') == std::string::npos ? text
                                                            : fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string aligned(const std::string& text, std::size_t width, Align align) {
    const std::size_t columns = columns_of(text);
    const std::string padding(width - std::min(width, columns), ' ');
    return align == Align::left ? text + padding : padding + text;
}

// a … z, then aa, ab …
std::string letter(std::size_t number) {
    std::string text(1, static_cast<char>('a' + number % 26));
    return number < 26 ? text : letter(number / 26 - 1) + text;
}

// The first so many characters.
std::string cut(const std::string& text, std::size_t width) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((text[i] & 0xC0) != 0x80 && ++columns > width) return text.substr(0, i);
    return text;
}

std::string finished(std::string text, std::size_t widest = 0) {
    text.erase(text.find_last_not_of(' ') + 1);
    return (widest == 0 ? text : cut(text, widest)) + '\n';
}

class TablePrinter {
  public:
    TablePrinter(const Table& table, Look look) : table_(table), look_(look) {
        for (const Column& column : table.columns) heads_.push_back(column.head);
        measure();
        if (table.letters && width() > readable_width) take_letters();
    }

    std::string text() const {
        std::string result = legend_ + overs();
        if (std::any_of(heads_.begin(), heads_.end(), [](const std::string& head) { return !head.empty(); }))
            result += line([&](std::size_t c) -> const std::string& { return heads_[c]; });
        for (const Table::Row& row : table_.rows) result += row_text(row);
        return result;
    }

  private:
    void measure() {
        widths_.clear();
        for (std::size_t c = 0; c < heads_.size(); ++c) {
            std::size_t widest = columns_of(heads_[c]);
            for (const Table::Row& row : table_.rows)
                if (row.kind == RowKind::values) widest = std::max(widest, columns_of(row.cells[c].text));
            widths_.push_back(table_.columns[c].width != 0 ? table_.columns[c].width : widest);
        }
    }

    // From one column to another, and what is between them.
    std::size_t width(std::size_t first, std::size_t last) const {
        std::size_t sum = widths_[first];
        for (std::size_t c = first + 1; c <= last; ++c) sum += table_.columns[c].gap + widths_[c];
        return sum;
    }
    std::size_t width() const { return widths_.empty() ? 0 : width(0, widths_.size() - 1); }

    void take_letters() {
        Table legend{{{"", Align::right}, {""}, {""}}};
        for (std::size_t c = 0; c < heads_.size(); ++c) {
            const Column& column = table_.columns[c];
            if (column.explanation.empty()) continue;
            heads_[c] = letter(legend.rows.size());
            legend.row({heads_[c], column.head, column.explanation});
        }
        legend_ = to_text(legend) + '\n';
        measure();
    }

    template <class TextOf>
    std::string line(TextOf text_of) const {
        std::string result;
        for (std::size_t c = 0; c < widths_.size(); ++c) {
            if (c != 0) result.append(table_.columns[c].gap, ' ');
            result += aligned(text_of(c), widths_[c], table_.columns[c].align);
        }
        return finished(std::move(result), table_.widest_line);
    }

    // What is coloured is not cut: it would be cut inside of a code.
    std::string coloured_line(const std::vector<Cell>& cells) const {
        std::string result;
        for (std::size_t c = 0; c < widths_.size(); ++c) {
            if (c != 0) result.append(table_.columns[c].gap, ' ');
            const std::string text = aligned(cells[c].text, widths_[c], table_.columns[c].align);
            result += cells[c].mood == Mood::plain
                          ? text
                          : coloured(text, cells[c].mood == Mood::good ? green : red);
        }
        return finished(std::move(result));
    }

    // The line above the heads, where there is one.
    std::string overs() const {
        const std::vector<Column>& columns = table_.columns;
        if (std::all_of(columns.begin(), columns.end(), [](const Column& one) { return one.over.empty(); }))
            return "";
        std::string result;
        for (std::size_t first = 0, last = 0; first < columns.size(); first = last + 1) {
            last = first;
            while (!columns[first].over.empty() && last + 1 < columns.size() &&
                   columns[last + 1].over == columns[first].over)
                ++last;
            if (first != 0) result.append(columns[first].gap, ' ');
            result += aligned(columns[first].over, width(first, last), columns[first].align);
        }
        return finished(std::move(result));
    }

    std::string row_text(const Table::Row& row) const {
        switch (row.kind) {
            case RowKind::values:
                if (look_.colours) return coloured_line(row.cells);
                return line([&](std::size_t c) -> const std::string& { return row.cells[c].text; });
            case RowKind::title: {
                const std::string& text = row.cells[0].text;
                return finished(std::string(table_.title_indent, ' ') +
                                (look_.colours ? coloured(text, bold) : text));
            }
            case RowKind::remark: {
                // The first column stays clear, so that the eye finds the next row.
                const std::size_t indent = widths_.size() < 2 ? 0 : widths_[0] + table_.columns[1].gap;
                const std::string& text = row.cells[0].text;
                return finished(std::string(indent, ' ') + (look_.colours ? coloured(text, dim) : text));
            }
            case RowKind::gap: return "  ...\n";
        }
        return "";
    }

    const Table& table_;
    Look look_;
    std::vector<std::string> heads_;
    std::vector<std::size_t> widths_;
    std::string legend_;
};

std::string part_text(const Lines& lines, Look) {
    std::string result;
    std::string indent(lines.indent, ' ');
    if (!lines.title.empty()) {
        result = indent + lines.title + '\n';
        indent += "  ";
    }
    for (const std::string& line : lines.lines) result += indent + line + '\n';
    return result;
}

std::string part_text(const Drawing& drawing, Look) { return drawing.text; }
std::string part_text(const Table& table, Look look) { return TablePrinter(table, look).text(); }

// Before what lockstep itself says below a program's own output.
std::string own_line(const std::string& text) { return fmt::format("== lockstep == {}\n", text); }

}  // namespace

std::string to_text(const Table& table, Look look) { return part_text(table, look); }

std::string to_text(const Section& section, Look look) {
    std::string result = section.apart ? "\n" : "";
    if (!section.heading.empty()) result += section.heading + '\n';
    for (const Part& part : section.parts)
        result += std::visit([&](const auto& one) { return part_text(one, look); }, part);
    return result;
}

std::string to_text(const Document& document, Look look) {
    std::string result = document.title.empty() ? "" : own_line(document.title);
    for (const Section& section : document.sections) result += to_text(section, look);
    for (const std::string& note : document.notes) result += own_line(note);
    return result;
}

}  // namespace lockstep::report
