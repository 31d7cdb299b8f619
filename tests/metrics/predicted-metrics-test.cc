#include <gtest/gtest.h>

#include "metrics/launch.h"
#include "metrics/metric.h"

namespace lockstep::metrics {
namespace {

using counters::AccessType;
using counters::Memory;
using timing::Prediction;
using timing::WarpState;

// A launch of 2 us on a GPU of round numbers.
struct PredictedMetrics : testing::Test {
    PredictedMetrics() {
        gpu.sms = 10;
        gpu.warp_size = 32;
        gpu.max_threads_per_sm = 2048;
        gpu.memory_bandwidth_gbs = 1000;
        gpu.timing.schedulers = 4;
        gpu.timing.alu.lanes = 64;
        gpu.timing.l1_bytes_per_cycle = 64;
        gpu.timing.shared_bytes_per_cycle = 128;
        gpu.timing.l2_read_bytes_per_cycle = 640;
        gpu.timing.l2_write_bytes_per_cycle = 320;
        counts.gpu = &gpu;
        auto& accesses = counts.totals.memory[static_cast<std::size_t>(Memory::global)];
        accesses[static_cast<std::size_t>(AccessType::load)].accesses.sectors = 8'000;
        accesses[static_cast<std::size_t>(AccessType::load)].accesses.bytes = 64'000;
        accesses[static_cast<std::size_t>(AccessType::store)].accesses.sectors = 2'000;
        counts.totals.by_pipe[static_cast<std::size_t>(machine::Pipe::alu)] = 16'000;

        Prediction p;
        p.nanoseconds = 2'000;
        p.cycles = 4'000;
        p.active_cycles = 2'000;
        p.warps_active = 16;
        p.instructions = 2'400;
        p.warps_eligible = 0.5;
        set(p, WarpState::selected, 0.2);
        set(p, WarpState::long_scoreboard, 0.4);
        set(p, WarpState::short_scoreboard, 0.1);
        set(p, WarpState::wait, 0.1);
        set(p, WarpState::barrier, 0.08);
        set(p, WarpState::math_pipe_throttle, 0.04);
        set(p, WarpState::branch_resolving, 0.08);
        p.l1_sectors = 10'000;
        p.l1_hits = 2'500;
        p.l2_read_sectors = 6'000;
        p.l2_write_sectors = 2'000;
        p.l2_hits = 2'000;
        p.dram_read_bytes = 128'000;
        p.dram_write_bytes = 64'000;
        counts.prediction = p;
    }
    static void set(Prediction& p, WarpState state, double share) {
        p.states[static_cast<std::size_t>(state)] = share;
    }
    std::optional<double> value(const char* name) const {
        auto selected = select_metrics(name);
        if (!selected || selected->size() != 1) {
            ADD_FAILURE() << name << " is not one metric";
            return {};
        }
        return selected->front().metric->value(counts);
    }
    void expect(const char* name, double expected) const {
        const auto actual = value(name);
        ASSERT_TRUE(actual) << name;
        EXPECT_NEAR(*actual, expected, 1e-9 * std::abs(expected) + 1e-12) << name;
    }

    gpu::GpuModel gpu;
    Launch counts;
};

TEST_F(PredictedMetrics, Time) {
    expect("gpu__time_duration.sum", 2'000);
    expect("Time (ns)", 2'000);
    expect("sm__cycles_elapsed.max", 4'000);
    expect("elapsed_cycles_sm", 40'000);
    expect("sm_efficiency", 50);
    expect("achieved_occupancy", 0.25);
    expect("sm__warps_active.avg.pct_of_peak_sustained_active", 25);
    expect("ipc", 1.2);
    expect("smsp__inst_executed.avg.per_cycle_active", 0.3);
    expect("issue_slot_utilization", 30);
    expect("smsp__warps_eligible.avg.per_cycle_active", 0.5);
    expect("eligible_warps_per_cycle", 2);
    expect("smsp__average_warp_latency_per_inst_issued.ratio", 16 * 2'000.0 / 2'400);
    expect("sm__throughput.avg.pct_of_peak_sustained_elapsed", 20);  // 16000 × 32 / 64 cycles of 10 × 4000
}

TEST_F(PredictedMetrics, Throughput) {
    expect("gld_throughput", 128e9);
    expect("l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.pct_of_peak_sustained_elapsed", 10);
    expect("gst_throughput", 32e9);
    expect("gld_requested_throughput", 32e9);
    expect("dram_read_throughput", 64e9);
    expect("dram_write_throughput", 32e9);
    expect("dram__bytes.sum.per_second", 96e9);
    expect("dram__throughput.avg.pct_of_peak_sustained_elapsed", 9.6);
    expect("dram_utilization", 1);
    expect("l2_read_throughput", 96e9);
    expect("lts__throughput.avg.pct_of_peak_sustained_elapsed", 7.5);
    expect("l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 12.5);
    expect("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 12.5);
    expect("global_hit_rate", 25);
    expect("l2_tex_hit_rate", 25);
}

TEST_F(PredictedMetrics, Stalls) {
    expect("smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct", 40);
    expect("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 2);
    expect("stall_memory_dependency", 50);
    expect("stall_exec_dependency", 25);
    expect("stall_sync", 10);
    expect("stall_pipe_busy", 5);
    expect("stall_other", 10);
    double sum = 0;
    for (const Metric& metric : metrics())
        if (metric.names[0].starts_with("stall_")) sum += metric.value(counts).value_or(0);
    EXPECT_NEAR(sum, 100, 1e-9) << "nvprof's reasons cover every stall once";
}

TEST_F(PredictedMetrics, ALaunchWithoutAPredictionHasNone) {
    counts.prediction.reset();
    for (const Metric& metric : metrics()) {
        if (metric.kind != Kind::predicted) continue;
        EXPECT_FALSE(metric.value(counts)) << metric.names[0];
    }
}

TEST(Metrics, AShareOfPeakIsAMetric) {
    for (const Metric& metric : metrics()) {
        if (metric.share_of_peak.empty()) continue;
        auto share = select_metrics(metric.share_of_peak);
        ASSERT_TRUE(share) << metric.share_of_peak;
        EXPECT_EQ(share->front().metric->unit, Unit::percent);
        EXPECT_EQ(share->front().metric->names[0], metric.share_of_peak) << "run files know the first name";
    }
}

}  // namespace
}  // namespace lockstep::metrics
