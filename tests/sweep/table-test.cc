#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/text-printer.h"
#include "sample.h"
#include "sweep/printers.h"

namespace lockstep::sweep {
namespace {

constexpr const char* time = "gpu__time_duration.sum";

// Blocks of 32, 64, 128 and 256 threads: 64 is quickest, 128 cannot be launched.
Sweep sample_sweep() {
    Sweep sweep;
    sweep.axes = {*parse_blocks("32,64,128,256")};
    sweep.points = *cross_product(sweep.axes);
    sweep.models.assign(4, sample_gpu());
    sweep.outcomes.resize(4);
    const double times[] = {4000, 1000, 0, 1500};
    for (const std::size_t p : {0, 1, 3})
        sweep.outcomes[p].kernels = {sample_kernel({{time, times[p]},
                                                    {instructions, 5000 - times[p]},
                                                    {"launch__thread_count", 1100},
                                                    {"launch__thread_count_added", p == 3 ? 100.0 : 0}})};
    sweep.outcomes[2].failure = "not launched: too large";
    return sweep;
}

Shown sample_shown(const std::string& sort, const std::string& metrics = "") {
    Shown shown;
    shown.sorting = *parse_sorting(sort);
    shown.metrics = metrics.empty() ? *default_metrics() : *metrics::select_metrics(metrics);
    shown.only_with_values = metrics.empty();
    return shown;
}

std::vector<std::size_t> order(const std::vector<KernelRows>& kernels) {
    std::vector<std::size_t> points;
    for (const Row& row : kernels.at(0).rows) points.push_back(row.point);
    return points;
}

TEST(Arrange, TheQuickestFirstAndFailuresLast) {
    const Sweep sweep = sample_sweep();
    const auto kernels = arrange(sweep, *parse_sorting(default_sorting));
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].kernel, "sum(float *)");
    EXPECT_EQ(order(kernels), (std::vector<std::size_t>{1, 3, 0, 2}));
    EXPECT_TRUE(kernels[0].rows[0].best);
    EXPECT_FALSE(kernels[0].rows[1].best);
    EXPECT_EQ(kernels[0].rows[2].ratio, 4);
    EXPECT_EQ(kernels[0].rows[3].failure, "not launched: too large");
}

TEST(Arrange, ByAnotherMetricAndTheOtherWayRound) {
    const Sweep sweep = sample_sweep();
    EXPECT_EQ(order(arrange(sweep, *parse_sorting("inst_executed"))), (std::vector<std::size_t>{0, 3, 1, 2}));
    EXPECT_EQ(order(arrange(sweep, *parse_sorting("inst_executed:desc"))),
              (std::vector<std::size_t>{1, 3, 0, 2}));
    EXPECT_EQ(order(arrange(sweep, *parse_sorting("inst_executed:asc"))),
              (std::vector<std::size_t>{0, 3, 1, 2}));
    EXPECT_FALSE(parse_sorting("nonsense"));
    EXPECT_FALSE(parse_sorting("memory"));
}

TEST(Arrange, WithoutTimeInTheOrderOfThePoints) {
    Sweep sweep = sample_sweep();
    for (Outcome& outcome : sweep.outcomes)
        if (!outcome.kernels.empty()) outcome.kernels = {sample_kernel({{instructions, 1}})};
    const auto kernels = arrange(sweep, *parse_sorting(default_sorting));
    EXPECT_EQ(order(kernels), (std::vector<std::size_t>{0, 1, 3, 2}));
    EXPECT_FALSE(kernels[0].rows[0].best);
    const std::string text = report::to_text(document(sweep, kernels, sample_shown(default_sorting)));
    EXPECT_NE(text.find("gpu__time_duration.sum has no value here"), std::string::npos) << text;
}

TEST(Arrange, EveryKernelHasEveryPoint) {
    Sweep sweep = sample_sweep();
    sweep.outcomes[0].kernels.push_back(sample_kernel({{time, 10}}));
    sweep.outcomes[0].kernels[1].name = "other()";
    const auto kernels = arrange(sweep, *parse_sorting(default_sorting));
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[1].rows.size(), 4u);
    EXPECT_EQ(kernels[1].rows[0].point, 0u);
    EXPECT_EQ(kernels[1].rows[1].failure, "this kernel was not launched");
}

TEST(SweepTable, Text) {
    const Sweep sweep = sample_sweep();
    const Shown shown = sample_shown(default_sorting);
    EXPECT_EQ(report::to_text(document(sweep, arrange(sweep, shown.sorting), shown)),
              "sum(float *)\n"
              "   block  grid     time  of best\n"
              "*  64     100   1.00 us    1.00x\n"
              "   256    100   1.50 us    1.50x\n"
              "   32     100   4.00 us    4.00x\n"
              "   128    -           -        -  failed: not launched: too large\n"
              "these blocks do not divide the grid, more threads run than the program asked for: 256 (10 % "
              "more)\n");
}

// What a page sorts by and marks: the numbers behind the texts, and the best row.
TEST(SweepTable, Values) {
    const Sweep sweep = sample_sweep();
    const Shown shown = sample_shown(default_sorting);
    const report::Document found = document(sweep, arrange(sweep, shown.sorting), shown);
    ASSERT_EQ(found.sections.size(), 1u);
    EXPECT_EQ(found.sections[0].heading, "sum(float *)");
    const auto& rows = std::get<report::Table>(found.sections[0].parts.at(0)).rows;
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_TRUE(rows[0].marked);
    EXPECT_FALSE(rows[1].marked);
    EXPECT_EQ(rows[1].cells.at(3), report::Cell("1.50 us", 1500, metrics::Kind::predicted));
    EXPECT_EQ(rows[1].cells.at(4), report::Cell("1.50x", 1.5, metrics::Kind::predicted));
    EXPECT_EQ(rows[3].cells.at(3), report::Cell("-"));
}

TEST(SweepTable, JsonAndCsv) {
    const Sweep sweep = sample_sweep();
    const Shown shown = sample_shown(default_sorting, "inst_executed");
    const auto kernels = arrange(sweep, shown.sorting);
    const auto all = nlohmann::json::parse(json(sweep, kernels, shown));
    const auto& rows = all.at("kernels").at(0).at("rows");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].at("configuration").at("block"), "64");
    EXPECT_EQ(rows[0].at("metrics").at("inst_executed"), 4000);
    EXPECT_EQ(rows[0].at("best"), true);
    EXPECT_EQ(rows[1].at("ratio"), 1.5);
    EXPECT_TRUE(rows[1].at("failure").is_null());
    EXPECT_EQ(rows[3].at("failure"), "not launched: too large");
    EXPECT_EQ(csv(sweep, kernels, shown),
              "kernel,block,launches,grid_x,grid_y,grid_z,block_x,block_y,block_z,gpu__time_duration.sum,"
              "inst_executed,"
              "ratio,best,reason,failure,complete\n"
              "sum(float *),64,1,100,1,1,256,1,1,1000,4000,1,1,,,1\n"
              "sum(float *),256,1,100,1,1,256,1,1,1500,3500,1.5,0,,,1\n"
              "sum(float *),32,1,100,1,1,256,1,1,4000,1000,4,0,,,1\n"
              "sum(float *),128,,,,,,,,,,,0,,not launched: too large,0\n");
}

TEST(SweepTable, TellsOfPointsThatAreNotComplete) {
    Sweep sweep = sample_sweep();
    sweep.outcomes[1].gaps = {"process 7 was not seen to end"};
    const Shown shown = sample_shown(default_sorting);
    const auto kernels = arrange(sweep, shown.sorting);
    EXPECT_NE(report::to_text(document(sweep, kernels, shown))
                  .find("64: not complete: process 7 was not seen to end\n"),
              std::string::npos);
    const auto rows = nlohmann::json::parse(json(sweep, kernels, shown)).at("kernels").at(0).at("rows");
    EXPECT_EQ(rows[0].at("complete"), false);
    EXPECT_EQ(rows[1].at("complete"), true);
    EXPECT_NE(csv(sweep, kernels, shown).find("1,1,,,0\n"), std::string::npos);
}

TEST(SweepOutcome, TravelsBetweenProcesses) {
    Sweep sweep = sample_sweep();
    Outcome& outcome = sweep.outcomes[0];
    outcome.failure = "exited with status 1";
    outcome.output = "bytes that are no text: \xff\n";
    outcome.gpu = "h200";
    outcome.left_out = {"copy(int *)"};
    outcome.gaps = {"process 7 was not seen to end"};
    outcome.kernels[0].bound = timing::Bound::tail;
    outcome.kernels[0].values[0].add(0.1);
    outcome.kernels[0].values[1].add(INFINITY);
    const auto copy = decode(encode(outcome));
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(copy->failure, outcome.failure);
    EXPECT_EQ(copy->gpu, outcome.gpu);
    EXPECT_EQ(copy->left_out, outcome.left_out);
    EXPECT_EQ(copy->gaps, outcome.gaps);
    ASSERT_EQ(copy->kernels.size(), 1u);
    EXPECT_EQ(copy->kernels[0].values, outcome.kernels[0].values);
    EXPECT_EQ(copy->kernels[0].bound, timing::Bound::tail);
    EXPECT_EQ(copy->kernels[0].grid, outcome.kernels[0].grid);
    EXPECT_FALSE(decode("{}"));
    EXPECT_FALSE(decode("no JSON"));
}

}  // namespace
}  // namespace lockstep::sweep
