// Reports as values, and how the terminal shows them.
#include "report/document.h"

#include <fstream>

#include "report/compare-table.h"
#include "report/kernel-table.h"
#include "report/source-view.h"
#include "report/text-printer.h"
#include "report/time-table.h"
#include "sample.h"

namespace lockstep::report {
namespace {

using metrics::Kind;
using RowKind = Table::Row::Kind;

TEST(TextPrinter, ColumnsAreAsWideAsTheirWidestCell) {
    Table table{{{"name"}, {"count", Align::right}, {""}}};
    table.row({"größe", Cell("7", 7), ""});
    table.row({"b", Cell("123456", 123456), "why"});
    EXPECT_EQ(to_text(table), R"(name    count
größe       7
b      123456  why
)");
}

TEST(TextPrinter, TitlesAndRemarksSpanTheColumnsAndDoNotWidenThem) {
    Table table{{{"a", Align::right}, {"b"}}};
    table.title("a title longer than all columns");
    table.row({"1", "x"});
    table.remark("a remark, from the second column on");
    table.gap();
    table.row({"22", "y"});
    EXPECT_EQ(to_text(table), R"( a  b
    a title longer than all columns
 1  x
    a remark, from the second column on
  ...
22  y
)");
    table.title_indent = 2;
    EXPECT_NE(to_text(table).find("\n  a title"), std::string::npos);
}

TEST(TextPrinter, NoHeadsNoLineForThem) {
    Table table{{{""}, {""}}};
    table.row({"a", "b"});
    EXPECT_EQ(to_text(table), "a  b\n");
    EXPECT_EQ(to_text(Table{{{"a"}, {"b"}}}), "a  b\n");
    EXPECT_EQ(to_text(Table{}), "");
}

TEST(TextPrinter, FixedWidthsAndGaps) {
    Table table{{{.head = "n", .align = Align::right, .width = 4},
                 {.head = "word", .width = 6, .gap = 1},
                 {.head = "text", .gap = 0}}};
    table.row({"1", "a", "b"});
    table.row({"12345", "a", "moved by one"});
    EXPECT_EQ(to_text(table), R"(   n word  text
   1 a     b
12345 a     moved by one
)");
}

TEST(TextPrinter, WhatNeighboursShareStandsOnceAboveThem) {
    Table table{{{.head = "x"},
                 {.head = "%", .align = Align::right, .over = "cycles", .width = 3},
                 {.head = "mostly", .over = "cycles"},
                 {.head = "n", .align = Align::right, .over = "all"}}};
    table.row({"a", "5", "wait", "123456"});
    EXPECT_EQ(to_text(table), R"(        cycles     all
x    %  mostly       n
a    5  wait    123456
)");
}

TEST(TextPrinter, LongLinesAreCutBetweenCharacters) {
    Table table{{{"a"}, {"text"}}};
    table.widest_line = 6;
    table.title("titles are not cut");
    table.row({"1", "äöüß"});
    EXPECT_EQ(to_text(table), "a  tex\n    titles are not cut\n1  äöü\n");
}

TEST(TextPrinter, LettersStandForHeadsOnlyWhereTheseAreTooLong) {
    const std::string name(100, 'n');
    Table table{{{"launch"}, {.head = name, .align = Align::right, .explanation = "A Name"}}};
    table.letters = true;
    table.row({"1", "2"});
    EXPECT_EQ(to_text(table).substr(0, 10), "launch  nn");
    table.columns.push_back({.head = name, .align = Align::right, .explanation = "Another"});
    table.rows[0].cells.emplace_back("3");
    EXPECT_EQ(to_text(table), "a  " + name + "  A Name\nb  " + name +
                                  "  Another\n"
                                  "\n"
                                  "launch  a  b\n"
                                  "1       2  3\n");
    table.letters = false;
    EXPECT_EQ(to_text(table).substr(0, 10), "launch  nn");
}

TEST(TextPrinter, Documents) {
    Table table{{{"a"}}};
    table.row({"1"});
    Document document{"prog on a GPU"};
    document.sections.push_back({"first", {Lines{{"bound by memory"}, "", 2}, table}});
    document.sections.push_back({"", {Drawing{"|AA|\n|  |\n"}, Lines{{"x", "y"}, "Most waste:", 2}}, true});
    document.notes = {"not complete"};
    EXPECT_EQ(to_text(document), R"(== lockstep == prog on a GPU
first
  bound by memory
a
1

|AA|
|  |
  Most waste:
    x
    y
== lockstep == not complete
)");
    EXPECT_EQ(to_text(Document{}), "");
}

struct Values : testing::Test {
    Folder folder;
    RunFile run = open_run(sample_run(folder));
    std::vector<Shown> shown = find_metrics(run, select({"inst_executed", "time.sum"}));
};

TEST_F(Values, KernelTable) {
    const Table table = kernel_table(run, shown);
    ASSERT_EQ(table.rows.size(), 6u);
    EXPECT_EQ(table.rows[0].kind, RowKind::title);
    EXPECT_EQ(table.rows[0].cells[0].text, "Kernel: neighbored(int *, unsigned int)");
    const auto& row = table.rows[1];
    ASSERT_EQ(row.cells.size(), table.columns.size());
    EXPECT_EQ(row.cells[0], Cell("2", 2));
    EXPECT_EQ(row.cells[1], Cell("inst_executed"));
    EXPECT_EQ(row.cells[4], Cell("3000", 3000, Kind::counted));
    EXPECT_EQ(table.rows[2].cells[3], Cell("n/a", std::nullopt, Kind::predicted));
}

TEST_F(Values, LaunchTable) {
    const auto table = launch_table(run, shown);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->columns[4].head, "inst_executed");
    EXPECT_EQ(table->columns[4].explanation, "Instructions Executed");
    ASSERT_EQ(table->rows.size(), 3u);
    EXPECT_EQ(table->rows[2].cells[4], Cell("3000", 3000, Kind::counted));
}

TEST_F(Values, TimeTable) {
    const auto table = time_table(open_run(timed_run(folder)));
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rows[0].cells[0], Cell("75.00%", 75, Kind::predicted));
    EXPECT_EQ(table->rows[0].cells[1], Cell("6.0000us", 6000, Kind::predicted));
    EXPECT_EQ(table->rows[1].kind, RowKind::remark);
}

TEST_F(Values, Comparison) {
    const Side a{run, "neighbored", "a"}, b{run, "unrolling<2>", "b"};
    auto kernels = compare(a, b, select({"inst_executed"}));
    ASSERT_TRUE(kernels);
    const Document document = compare_report(a, b, *kernels);
    const auto& table = std::get<Table>(document.sections.at(0).parts.at(1));
    EXPECT_EQ(table.rows.at(1).cells.at(4), Cell("0.250x", 0.25, Kind::counted));
}

TEST_F(Values, SourceView) {
    const std::filesystem::path source = folder / "a.cu";
    const std::string line = "    int v = y[threadIdx.x];  // " + std::string(200, 'x');
    std::ofstream(source) << "__global__ void k(int *x, int *y) {\n" << line << "\n    if (v) x[0] = 1;\n}\n";
    const RunFile with_source = open_run(source_run(folder, source));
    auto view = source_view(with_source, with_source.kernels[0], {});
    ASSERT_TRUE(view);
    EXPECT_EQ(view->heading, "Kernel: k(int *, int *), 1 launch");
    const auto& table = std::get<Table>(view->parts.at(1));
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(table.rows[0].kind, RowKind::title);
    EXPECT_EQ(table.rows[0].cells[0].text, source.string());
    const auto& load = table.rows[1];
    ASSERT_EQ(load.cells.size(), table.columns.size());
    EXPECT_TRUE(load.marked) << "twice the sectors that it needs";
    EXPECT_EQ(load.cells[0], Cell("2", 2));
    EXPECT_EQ(load.cells[1], Cell("70", 70, Kind::predicted));
    EXPECT_EQ(load.cells[3], Cell("100", 100, Kind::modelled));
    EXPECT_EQ(load.cells[9], Cell("800", 800, Kind::counted));
    EXPECT_EQ(load.cells.back().text, line) << "only the terminal cuts it";
}

}  // namespace
}  // namespace lockstep::report
