// A report as a value: what there is to show, for whoever shows it. Printers decide how it looks
// (text-printer.h).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "metrics/metric.h"

namespace lockstep::report {

// Whether a number is remarkable.
enum class Mood : std::uint8_t { plain, good, bad };

struct Cell {
    std::string text;
    std::optional<double> number;       // that the text stands for, with all its digits: to sort by, to draw
    std::optional<metrics::Kind> kind;  // of a number: what it rests on
    Mood mood = Mood::plain;

    Cell() = default;
    Cell(std::string words) : text(std::move(words)) {}
    Cell(const char* words) : text(words) {}
    Cell(std::string words, std::optional<double> value, std::optional<metrics::Kind> rests_on = {})
        : text(std::move(words)), number(value), kind(rests_on) {}
    bool operator==(const Cell&) const = default;
};

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string head;
    Align align = Align::left;
    std::string over{};         // above the head; what neighbours share stands once above them all
    std::string explanation{};  // what the head means, in full
    // Where columns are made of characters. Width 0: as wide as the widest cell. Otherwise a longer cell
    // moves the rest of its line.
    std::size_t width = 0;
    std::size_t gap = 2;  // between the column before and this one
};

struct Table {
    struct Row {
        enum class Kind : std::uint8_t {
            values,  // a cell a column
            title,   // one cell, across all columns, above the rows that it is the title of
            remark,  // one cell, across the columns, below the row that it is about
            gap,     // no cell: rows were left out here
        };
        Kind kind = Kind::values;
        std::vector<Cell> cells;
        bool marked = false;  // the eye should find it: the best, or the worst
    };

    std::vector<Column> columns;
    std::vector<Row> rows{};
    // Where columns are made of characters:
    std::size_t title_indent = 4;
    std::size_t widest_line = 0;  // of values; longer ones are cut. 0: never
    bool letters = false;         // may stand for the heads that are explained, where these make it too wide

    void row(std::vector<Cell> cells, bool marked = false) {
        rows.push_back({Row::Kind::values, std::move(cells), marked});
    }
    void title(std::string text) { rows.push_back({Row::Kind::title, {std::move(text)}}); }
    void remark(std::string text) { rows.push_back({Row::Kind::remark, {std::move(text)}}); }
    void gap() { rows.push_back({Row::Kind::gap, {}}); }
};

// With a title, the lines are what it announces.
struct Lines {
    std::vector<std::string> lines;
    std::string title{};
    std::size_t indent = 0;
};

// Characters in their places.
struct Drawing {
    std::string text;
};

using Part = std::variant<Lines, Table, Drawing>;

struct Section {
    std::string heading{};
    std::vector<Part> parts{};
    bool apart = false;  // from the section before, by an empty line
};

struct Document {
    std::string title{};
    std::vector<Section> sections{};
    std::vector<std::string> notes{};  // what a reader must know beside the numbers
};

}  // namespace lockstep::report
