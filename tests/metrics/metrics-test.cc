#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "metrics/launch.h"
#include "metrics/metric.h"
#include "metrics/metrics-doc.h"

namespace lockstep::metrics {
namespace {

std::vector<std::string> names(std::string_view list) {
    auto selected = select_metrics(list);
    if (!selected) return {selected.error().message};
    std::vector<std::string> result;
    for (const Selected& s : *selected) result.push_back(s.name);
    return result;
}

TEST(Metrics, ANameStandsForOneMetric) {
    std::set<std::string> seen;
    for (const Metric& metric : metrics()) {
        ASSERT_FALSE(metric.names.empty());
        EXPECT_TRUE(metric.value) << metric.names[0];
        EXPECT_FALSE(metric.title.empty()) << metric.names[0];
        EXPECT_FALSE(metric.definition.empty()) << metric.names[0];
        EXPECT_EQ(metric.groups.back(), "all") << metric.names[0];
        for (const std::string& name : metric.names) EXPECT_TRUE(seen.insert(name).second) << name;
    }
}

TEST(Metrics, EveryColumnOfTheRecordedCountersHasAMetric) {
    for (const char* name : {"gpu__time_duration.sum",
                             "sm__cycles_elapsed.max",
                             "smsp__inst_executed.sum",
                             "smsp__thread_inst_executed.sum",
                             "smsp__average_inst_executed_per_warp.ratio",
                             "smsp__thread_inst_executed_per_inst_executed.ratio",
                             "smsp__sass_average_branch_targets_threads_uniform.pct",
                             "smsp__sass_branch_targets.sum",
                             "smsp__sass_branch_targets_threads_divergent.sum",
                             "smsp__sass_branch_targets_threads_uniform.sum",
                             "sm__warps_active.avg.pct_of_peak_sustained_active",
                             "sm__maximum_warps_per_active_cycle_pct",
                             "launch__registers_per_thread",
                             "launch__shared_mem_per_block_static",
                             "launch__occupancy_limit_registers",
                             "launch__occupancy_limit_warps",
                             "launch__occupancy_limit_shared_mem",
                             "launch__occupancy_limit_blocks",
                             "launch__grid_size",
                             "launch__block_size",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                             "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
                             "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
                             "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
                             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                             "smsp__inst_executed_op_shared_ld.sum",
                             "smsp__inst_executed_op_shared_st.sum",
                             "smsp__inst_executed_op_global_ld.sum",
                             "smsp__inst_executed_op_global_st.sum",
                             "dram__bytes_read.sum",
                             "dram__bytes_write.sum",
                             "lts__t_sectors_op_read.sum",
                             "lts__t_sectors_op_write.sum",
                             "lts__t_sector_hit_rate.pct",
                             "l1tex__t_sector_hit_rate.pct",
                             "smsp__issue_active.avg.pct_of_peak_sustained_active",
                             "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                             "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
                             "launch__waves_per_multiprocessor",
                             "launch__shared_mem_per_block_dynamic",
                             "launch__shared_mem_per_block_allocated"})
        EXPECT_EQ(names(name), std::vector<std::string>{name});
}

TEST(SelectMetrics, NamesKeepTheOrderAndTheWordsOfTheUser) {
    EXPECT_EQ(names("gld_efficiency, inst_per_warp,VALU Active Threads"),
              (std::vector<std::string>{"gld_efficiency", "inst_per_warp", "VALU Active Threads"}));
    EXPECT_EQ(names("gld_efficiency,gld_efficiency"), std::vector<std::string>{"gld_efficiency"});
}

TEST(SelectMetrics, GlobsMatchAnyOfAMetricsNames) {
    EXPECT_EQ(names("g?d_efficiency,gst_eff*"),
              (std::vector<std::string>{"gld_efficiency", "gst_efficiency"}));
    EXPECT_EQ(names("*gld*ion*").size(), 2u);
}

TEST(SelectMetrics, Groups) {
    for (const char* group :
         {"time", "stall", "branch", "memory", "shared", "occupancy", "instructions", "default"})
        EXPECT_GT(names(group).size(), 3u) << group;
    EXPECT_EQ(names("all").size(), metrics().size());
}

TEST(SelectMetrics, AnUnknownNameIsAnErrorWithTheNearest) {
    EXPECT_EQ(names("gld_eficiency")[0].substr(0, 50), "no metric 'gld_eficiency'; did you mean gld_effici");
    EXPECT_EQ(names("xyzzy")[0].substr(0, 27), "no metric 'xyzzy' (groups: ");
    EXPECT_EQ(names("nothing*here")[0].substr(0, 24), "no metric 'nothing*here'");
    EXPECT_EQ(names(" , ")[0], "no metric was named");
}

TEST(Metrics, TheDocumentIsWrittenFromTheTable) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/metrics.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, metrics_document())
        << "run: build/lockstep profile --list-metrics --markdown > docs/metrics.md";
}

}  // namespace
}  // namespace lockstep::metrics
