// What NVIDIA's tools print, read: recorded on an H200 with ncu 2025.3.1 and CUPTI of CUDA 13.0.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "measure/difference.h"
#include "measure/gpu-trace.h"
#include "measure/likely-cause.h"
#include "measure/measured-metrics.h"
#include "measure/ncu-csv.h"
#include "measure/ncu-metrics.h"
#include "measure/nvidia.h"

namespace lockstep::measure {
namespace {

std::string recorded(const std::string& name) {
    std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/e2e/support/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<double> value(const MeasuredLaunch& launch, const std::string& name) {
    const auto values = metric_values(launch);
    for (std::size_t m = 0; m < values.size(); ++m)
        for (const std::string& one : metrics::metrics()[m].names)
            if (one == name) return values[m];
    return {};
}

TEST(NcuCsv, RecordedLaunches) {
    auto output = read_ncu_csv(recorded("reduce-integer-ncu.csv"), "ncu.csv");
    ASSERT_TRUE(output) << output.error().to_string();
    ASSERT_EQ(output->launches.size(), 18u);
    EXPECT_EQ(output->gpu_name, "NVIDIA H200");
    EXPECT_EQ(output->messages.size(), 2u);
    const MeasuredLaunch& first = output->launches.front();
    EXPECT_EQ(first.kernel, "neighbored(int *, int *, unsigned int)");
    EXPECT_EQ(first.grid, (std::array<std::uint32_t, 3>{8192, 1, 1}));
    EXPECT_EQ(first.block, (std::array<std::uint32_t, 3>{512, 1, 1}));
    EXPECT_EQ(first.stream, 1u);
    EXPECT_EQ(first.compute_capability, "9.0");
    EXPECT_GT(value(first, "gpu__time_duration.sum"), 40'000);
    // nvprof's names, by ncu's figures.
    EXPECT_EQ(value(first, "gld_transactions"),
              first.values.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    EXPECT_DOUBLE_EQ(*value(first, "achieved_occupancy"),
                     first.values.at("sm__warps_active.avg.pct_of_peak_sustained_active") / 100);
    EXPECT_FALSE(value(first, "stall_sync"));
}

TEST(NcuCsv, UnitsWithPrefixes) {
    auto output = read_ncu_csv(
        "a program's line\n\"ID\",\"Kernel Name\",\"Grid Size\",\"Block "
        "Size\",\"gpu__time_duration.sum\",\"dram__bytes.sum\","
        "\"dram__bytes.sum.per_second\",\"sm__cycles_elapsed.avg.per_second\",\"a__word\"\n"
        "\"\",\"\",\"\",\"\",\"us\",\"Mbyte\",\"Gbyte/s\",\"Ghz\",\"\"\n"
        "\"0\",\"void k<int>(int *, A<B<int> >)\",\"(2, 3, 4)\",\"(64, 1, "
        "1)\",\"2.5\",\"1,024.5\",\"3\",\"1.98\",\"all\"\n"
        "more of the program's\n",
        "ncu.csv");
    ASSERT_TRUE(output) << output.error().to_string();
    const MeasuredLaunch& launch = output->launches.at(0);
    EXPECT_EQ(spelled(launch.kernel), "void k<int>(int*,A<B<int>>)");
    EXPECT_EQ(launch.grid, (std::array<std::uint32_t, 3>{2, 3, 4}));
    EXPECT_DOUBLE_EQ(launch.values.at("gpu__time_duration.sum"), 2500);
    EXPECT_DOUBLE_EQ(launch.values.at("dram__bytes.sum"), 1024.5e6);
    EXPECT_DOUBLE_EQ(launch.values.at("dram__bytes.sum.per_second"), 3e9);
    EXPECT_DOUBLE_EQ(launch.values.at("sm__cycles_elapsed.avg.per_second"), 1.98e9);
    EXPECT_FALSE(launch.values.contains("a__word"));
}

TEST(NcuCsv, WhatIsNone) {
    EXPECT_FALSE(read_ncu_csv("", "f"));
    EXPECT_FALSE(read_ncu_csv("\"ID\",\"Section Name\"\n\"0\",\"x\"\n", "f"));
    auto cut = read_ncu_csv(
        "\"ID\",\"Kernel Name\",\"Grid Size\",\"Block Size\"\n\"\",\"\",\"\",\"\"\n\"0\",\"k\",\"(1, 1", "f");
    ASSERT_FALSE(cut);
    auto shapeless = read_ncu_csv(
        "\"ID\",\"Kernel Name\",\"Grid Size\",\"Block "
        "Size\"\n\"\",\"\",\"\",\"\"\n\"7\",\"k\",\"1\",\"(1,1,1)\"\n",
        "f");
    ASSERT_FALSE(shapeless);
    EXPECT_EQ(shapeless.error().to_string(), "f: launch 7 has no shape");
}

TEST(MeasuredMetrics, OnlyWhatGpusHave) {
    const auto names = ncu_names(*metrics::select_metrics("all"));
    EXPECT_GT(names.size(), 150u);
    for (const std::string& name : names) {
        EXPECT_NE(name.find("__"), std::string::npos) << name;
        EXPECT_FALSE(name.starts_with("lockstep__")) << name;
    }
    const auto two = ncu_names(*metrics::select_metrics("gld_transactions_per_request"));
    EXPECT_EQ(two, (std::vector<std::string>{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                             "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}));
}

TEST(Nvidia, Gpus) {
    auto gpus = parse_nvidia_gpus("NVIDIA H200, 580.95.05, 9.0\nNVIDIA GeForce RTX 3090, 580.95.05, 8.6\n");
    ASSERT_TRUE(gpus);
    ASSERT_EQ(gpus->size(), 2u);
    EXPECT_EQ(gpus->at(0).capability(), 90);
    EXPECT_EQ(gpus->at(1).name, "NVIDIA GeForce RTX 3090");
    EXPECT_EQ(gpus->at(1).capability(), 86);
    EXPECT_EQ(model_of(gpus->at(0), std::string(LOCKSTEP_SOURCE_DIR) + "/gpus"), "h200");
    EXPECT_EQ(model_of({"NVIDIA None", "", "9.9"}, std::string(LOCKSTEP_SOURCE_DIR) + "/gpus"), "");
    auto none = parse_nvidia_gpus("No devices were found\n");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("No devices were found"), std::string::npos);
}

TEST(GpuTrace, RecordedStreams) {
    auto timeline = read_trace(recorded("streams-overlap-cupti.txt"), "trace", {});
    ASSERT_TRUE(timeline) << timeline.error().to_string();
    EXPECT_FALSE(timeline->incomplete);
    ASSERT_EQ(timeline->operations.size(), 30u);
    std::size_t kernels = 0;
    for (const timing::Placement& one : timeline->operations) {
        EXPECT_LT(one.begin, one.end);
        EXPECT_LE(one.submitted, one.begin);
        if (one.operation.kind != timing::OperationKind::kernel) {
            EXPECT_TRUE(one.operation.kind == timing::OperationKind::copy_to_device ||
                        one.operation.kind == timing::OperationKind::copy_to_host);
            continue;
        }
        ++kernels;
        EXPECT_EQ(one.operation.name, "iterate(float *, int)");
        EXPECT_EQ(one.operation.trace->block[0], 256u);
        EXPECT_EQ(one.operation.trace->registers, 16u);
    }
    EXPECT_EQ(kernels, 10u);
    EXPECT_GT(timeline->streams.size(), 1u);
    // Nanoseconds since 1970 keep their digits.
    EXPECT_LT(timeline->operations.front().end - timeline->operations.front().begin, 1e6);
    EXPECT_FALSE(timeline->host_calls.empty());
}

TEST(GpuTrace, CutAndWrong) {
    auto cut = read_trace("fill\t100\t200\t0\t7\t3\t4096\nkernel\t300", "trace", {});
    ASSERT_TRUE(cut);
    EXPECT_TRUE(cut->incomplete);
    ASSERT_EQ(cut->operations.size(), 1u);
    EXPECT_EQ(cut->operations[0].operation.bytes, 4096u);
    EXPECT_EQ(cut->operations[0].operation.stream, timing::legacy_stream);
    auto wrong = read_trace("fill\t1\t2\t0\t7\t3\t4096\nwhat\n", "trace", {});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().to_string(), "trace:2: this line is none of a trace");
}

KernelDifference kernel_of(double predicted, double measured,
                           const std::vector<std::tuple<std::string, double, double>>& figures) {
    KernelDifference kernel;
    kernel.launches = 1;
    kernel.predicted_time = predicted, kernel.measured_time = measured;
    for (const auto& [name, p, m] : figures)
        kernel.metrics.push_back({metrics::select_metrics(name)->front().metric, name, p, m});
    return kernel;
}

TEST(LikelyCause, OfAmd) {
    EXPECT_TRUE(likely_cause(kernel_of(150, 100, {{"SQ_INSTS", 150, 100}, {"L2CacheHit", 20, 60}}))
                    .starts_with("instructions: the compilers differ"));
    EXPECT_TRUE(likely_cause(kernel_of(150, 100, {{"SQ_INSTS", 100, 100}, {"L2CacheHit", 20, 60}}))
                    .starts_with("the L2 cache"));
    EXPECT_TRUE(likely_cause(kernel_of(50, 100, {{"SQ_INSTS", 100, 100}, {"L2CacheHit", 20, 60}}))
                    .starts_with("the bounds that make the predicted time"));
    EXPECT_TRUE(
        likely_cause(kernel_of(50, 100, {{"Arch_VGPR", 8, 8}})).starts_with("counters were not measured"));
}

TEST(LikelyCause, InTheOrderOfCauses) {
    EXPECT_EQ(likely_cause(kernel_of(102, 100, {{"smsp__inst_executed.sum", 200, 100}})), "");
    EXPECT_TRUE(likely_cause(kernel_of(150, 100,
                                       {{"smsp__inst_executed.sum", 150, 100},
                                        {"lts__t_sector_hit_rate.pct", 20, 60}}))
                    .starts_with("instructions: "));
    // Fewer instructions make no longer time, and a few more none that is half as long again.
    EXPECT_TRUE(likely_cause(
                    kernel_of(150, 100,
                              {{"smsp__inst_executed.sum", 80, 100}, {"lts__t_sector_hit_rate.pct", 20, 60}}))
                    .starts_with("the L2 cache"));
    EXPECT_TRUE(
        likely_cause(kernel_of(150, 100,
                               {{"smsp__inst_executed.sum", 112, 100},
                                {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 9, 3}}))
            .starts_with("waiting, with counts that agree: Barrier"));
    EXPECT_TRUE(likely_cause(kernel_of(50, 100, {})).starts_with("latencies or rates"));
}

TEST(Difference, SmallFiguresCountLess) {
    const KernelDifference kernel = kernel_of(1, 1,
                                              {{"dram__bytes_write.sum", 0, 256},
                                               {"dram__bytes_read.sum", 100 << 20, 80 << 20},
                                               {"lts__t_sector_hit_rate.pct", 50, 60}});
    EXPECT_LT(kernel.metrics[0].badness(), 0.01);
    EXPECT_DOUBLE_EQ(*kernel.metrics[0].error(), -1);
    EXPECT_DOUBLE_EQ(kernel.metrics[1].badness(), 0.25);
    EXPECT_DOUBLE_EQ(*kernel.metrics[2].error(), -10);
    EXPECT_DOUBLE_EQ(kernel.metrics[2].badness(), 0.1);
}

}  // namespace
}  // namespace lockstep::measure
