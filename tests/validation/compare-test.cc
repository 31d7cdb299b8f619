// The comparison itself: what it must not let pass.
#include "compare.h"

#include <gtest/gtest.h>

namespace lockstep::validation {
namespace {

constexpr const char* sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
constexpr const char* conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";

Row launch(Shape grid, std::map<std::string, double> values) {
    return {.program = "program",
            .kernel = "kernel(int *)",
            .grid = grid,
            .block = {256, 1, 1},
            .values = std::move(values)};
}

bool close(const Row& recorded, const Row& ours, const std::string& metric) {
    for (const Requirement& requirement : requirements())
        if (requirement.metric == metric) {
            const auto comparison = compare({&recorded, &ours}, requirement);
            return comparison && comparison->close;
        }
    ADD_FAILURE() << metric;
    return false;
}

TEST(Compare, CountsScaleWithBlocks) {
    const Row recorded = launch({64, 1, 1}, {{sectors, 640}});
    EXPECT_TRUE(close(recorded, launch({64, 1, 1}, {{sectors, 640}}), sectors));
    EXPECT_TRUE(close(recorded, launch({4, 1, 1}, {{sectors, 40}}), sectors));
    EXPECT_FALSE(close(recorded, launch({4, 1, 1}, {{sectors, 41}}), sectors));
    EXPECT_FALSE(close(recorded, launch({64, 1, 1}, {{sectors, 639}}), sectors));
}

TEST(Compare, SixDigitsWereRecorded) {
    const Row recorded = launch({1, 1, 1}, {{sectors, 8.38861e6}});
    EXPECT_TRUE(close(recorded, launch({1, 1, 1}, {{sectors, 8388608}}), sectors));
    EXPECT_FALSE(close(recorded, launch({1, 1, 1}, {{sectors, 8388708}}), sectors));
}

TEST(Compare, ArbitrationAddsToWavefrontsAndConflictsAlike) {
    const Row ours = launch({1, 1, 1}, {{wavefronts, 1000}, {conflicts, 200}});
    EXPECT_TRUE(close(launch({1, 1, 1}, {{wavefronts, 1000}, {conflicts, 200}}), ours, wavefronts));
    EXPECT_TRUE(close(launch({1, 1, 1}, {{wavefronts, 1060}, {conflicts, 260}}), ours, wavefronts));
    EXPECT_FALSE(close(launch({1, 1, 1}, {{wavefronts, 1060}, {conflicts, 200}}), ours, wavefronts));
    EXPECT_FALSE(close(launch({1, 1, 1}, {{wavefronts, 940}, {conflicts, 140}}), ours, wavefronts));
    EXPECT_FALSE(close(launch({1, 1, 1}, {{wavefronts, 2000}, {conflicts, 1200}}), ours, wavefronts));
}

TEST(Compare, LaunchesArePairedInOrder) {
    const std::vector<Row> recorded = {launch({1, 1, 1}, {}), launch({64, 1, 1}, {})};
    const std::vector<Row> ours = {launch({1, 1, 1}, {}), launch({8, 1, 1}, {})};
    const auto pairs = pair_rows(recorded, ours);
    ASSERT_TRUE(pairs);
    EXPECT_EQ((*pairs)[1].ours, &ours[1]);
    EXPECT_EQ((*pairs)[1].scale(), 8);
    EXPECT_FALSE(pair_rows(recorded, std::span(ours).first(1)));
}

TEST(Compare, CellsMayBeQuoted) {
    const auto lines = parse_csv("a,\"f(int, int)\",\"say \"\"no\"\"\"\nb,,c\n");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], (std::vector<std::string>{"a", "f(int, int)", "say \"no\""}));
    EXPECT_EQ(lines[1], (std::vector<std::string>{"b", "", "c"}));
}

TEST(Compare, ShortNames) {
    EXPECT_EQ(short_name("void unrolling<2>(int *, int *, unsigned int)"), "unrolling<2>");
    EXPECT_EQ(short_name("neighbored(int *, int *, unsigned int)"), "neighbored");
    EXPECT_EQ(short_name("void (anonymous namespace)::k<1>(int *)"), "k<1>");
}

}  // namespace
}  // namespace lockstep::validation
