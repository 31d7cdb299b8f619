#include <fstream>
#include <nlohmann/json.hpp>

#include "report/compare-table.h"
#include "report/export.h"
#include "report/kernel-table.h"
#include "report/metric-text.h"
#include "report/ncu-summary.h"
#include "report/nvprof-table.h"
#include "report/nvprof-time.h"
#include "report/run-info.h"
#include "report/source-export.h"
#include "report/source-view.h"
#include "report/text-printer.h"
#include "report/time-table.h"
#include "report/time-words.h"
#include "sample.h"

namespace lockstep::report {
namespace {

struct Printers : testing::Test {
    Folder folder;
    RunFile run = open_run(sample_run(folder));
    std::vector<Shown> shown = find_metrics(run, select({"inst_executed", "gld_efficiency", "time.sum"}));
};

TEST_F(Printers, KernelTable) {
    EXPECT_EQ(to_text(kernel_table(run, shown)),
              R"(Invocations  Metric Name     Metric Description                Min     Max     Avg
    Kernel: neighbored(int *, unsigned int)
          2  inst_executed   Instructions Executed            1000    3000    2000
          2  gld_efficiency  Global Memory Load Efficiency  25.00%  25.50%  25.25%
          2  time.sum        Time                              n/a     n/a     n/a  predicted
    Kernel: void unrolling<2>(int *)
          1  inst_executed   Instructions Executed             500     500     500
          1  gld_efficiency  Global Memory Load Efficiency     n/a     n/a     n/a
          1  time.sum        Time                              n/a     n/a     n/a  predicted
)");
}

TEST_F(Printers, LaunchTable) {
    auto table = launch_table(run, shown);
    ASSERT_TRUE(table);
    EXPECT_EQ(to_text(*table),
              R"(launch  kernel        grid      block      inst_executed  gld_efficiency  time.sum
     1  neighbored    (32,2,1)  (512,1,1)           1000          25.00%       n/a
     2  unrolling<2>  (32,2,1)  (512,1,1)            500             n/a       n/a
     3  neighbored    (32,2,1)  (512,1,1)           3000          25.50%       n/a
)");
}

TEST_F(Printers, LongNamesBecomeLetters) {
    std::vector<Shown> many;
    for (int i = 0; i < 9; ++i) many.insert(many.end(), shown.begin(), shown.end());
    auto table = launch_table(run, many);
    ASSERT_TRUE(table);
    const std::string text = to_text(*table);
    EXPECT_EQ(text.rfind(" a  inst_executed   Instructions Executed\n", 0), 0u) << text;
    EXPECT_NE(text.find("launch  kernel        grid      block         a       b    c"), std::string::npos);
}

TEST_F(Printers, LaunchesJson) {
    auto text = launches_json(run, shown);
    ASSERT_TRUE(text);
    const auto json = nlohmann::json::parse(*text);
    EXPECT_EQ(json["complete"], true);
    ASSERT_EQ(json["launches"].size(), 3u);
    EXPECT_EQ(
        json["launches"][0],
        nlohmann::json::parse(
            R"json({"kernel": "neighbored(int *, unsigned int)", "device": 0, "grid": [32, 2, 1], "block": [512, 1, 1], "executed_blocks": 64,
                      "parent": null, "depth": 0, "fault": null, "metrics": {"inst_executed": 1000, "gld_efficiency": 25, "time.sum": null}})json"));
    EXPECT_EQ(json["launches"][2]["metrics"]["gld_efficiency"], 25.5);
}

TEST_F(Printers, KernelsJson) {
    const auto json = nlohmann::json::parse(*kernels_json(run, shown));
    EXPECT_EQ(json["run"]["gpu"], "h200");
    EXPECT_EQ(json["run"]["complete"], true);
    EXPECT_EQ(json["run"]["missing"].size(), 0u);
    run.gaps = {"process 7 was not seen to end"};
    run.failures = {{"add(int *)", FailureKind::fault, "out of bounds", 2}};
    for (const std::string& text : {*kernels_json(run, shown), *launches_json(run, shown)}) {
        const auto all = nlohmann::json::parse(text);
        const auto& end = all.contains("run") ? all["run"] : all;
        EXPECT_EQ(end["complete"], false);
        EXPECT_EQ(end["missing"][0], "process 7 was not seen to end");
        EXPECT_EQ(end["failures"][0]["kernel"], "add(int *)");
        EXPECT_EQ(end["failures"][0]["kind"], "fault");
        EXPECT_EQ(end["failures"][0]["launches"], 2);
    }
    const auto code = nlohmann::json::parse(
        R"({"compiler": "nvcc 13.0", "optimised": true, "validated": "mean error 12 %"})");
    EXPECT_EQ(json["run"]["code"], nlohmann::json::array({code}));
    EXPECT_EQ(json["kernels"][0]["compiler"], "nvcc 13.0");
    EXPECT_EQ(json["kernels"][0]["validated"], "mean error 12 %");
    EXPECT_EQ(json["kernels"][0]["bound"], "dram_bandwidth");
    EXPECT_EQ(json["kernels"][0]["warp_cycles"],
              nlohmann::json::parse(R"({"selected": 400, "long_scoreboard": 1200, "wait": 400})"));
    EXPECT_EQ(json["kernels"][0]["invocations"], 2);
    EXPECT_EQ(json["kernels"][0]["metrics"]["inst_executed"]["avg"], 2000);
    EXPECT_TRUE(json["kernels"][1]["metrics"]["gld_efficiency"]["min"].is_null());
}

TEST_F(Printers, Csv) {
    auto text = launches_csv(run, shown);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, R"csv(kernel,grid,block,inst_executed,gld_efficiency,time.sum,device
"neighbored(int *, unsigned int)","(32,2,1)","(512,1,1)",1000,25,,0
void unrolling<2>(int *),"(32,2,1)","(512,1,1)",500,,,0
"neighbored(int *, unsigned int)","(32,2,1)","(512,1,1)",3000,25.5,,0
)csv");
    EXPECT_NE(kernels_csv(run, shown)
                  .find("\"neighbored(int *, unsigned int)\",2,gld_efficiency,Global Memory Load "
                        "Efficiency,%,25,25.5,25.25,counted,,0\n"),
              std::string::npos);
}

TEST_F(Printers, NvprofLayout) {
    const std::string text = nvprof_table(run, shown);
    EXPECT_EQ(
        text.substr(0, text.find('\n')),
        "Invocations                               Metric Name                        Metric Description"
        "         Min         Max         Avg");
    EXPECT_NE(text.find("\nDevice \"NVIDIA H200 (0)\"\n    Kernel: neighbored(int*, unsigned int)\n"),
              std::string::npos);
    EXPECT_NE(
        text.find("\n          2                            gld_efficiency             Global Memory Load "
                  "Efficiency      25.00%      25.50%      25.25%\n"),
        std::string::npos);
    EXPECT_NE(nvprof_csv(run, shown)
                  .find("\"NVIDIA H200 (0)\",\"neighbored(int*, unsigned int)\",2,"
                        "\"gld_efficiency\",\"Global Memory Load Efficiency\",25.00%,25.50%,25.25%"),
              std::string::npos);
}

TEST_F(Printers, NvprofEvents) {
    const auto events = find_metrics(run, select({"inst_executed"}));
    EXPECT_EQ(
        nvprof_event_table(run, events),
        R"text(Invocations                                Event Name         Min         Max         Avg       Total
Device "NVIDIA H200 (0)"
    Kernel: neighbored(int*, unsigned int)
          2                             inst_executed        1000        3000        2000        4000
    Kernel: void unrolling<2>(int*)
          1                             inst_executed         500         500         500         500
)text");
    EXPECT_NE(
        nvprof_event_csv(run, events)
            .find("\"NVIDIA H200 (0)\",\"neighbored(int*, unsigned int)\",2,\"inst_executed\",1000,3000,"
                  "2000.000000,4000\n"),
        std::string::npos);
    const std::string trace = *nvprof_value_trace(run, events, true);
    EXPECT_TRUE(
        trace.starts_with("\"Device\",\"Context\",\"Stream\",\"Kernel\",\"inst_executed\"\n"
                          "\"NVIDIA H200 (0)\",\"1\",\"7\",\"neighbored(int*, unsigned int)\",1000\n"))
        << trace;
}

TEST(NvprofName, AsNvprofWritesIt) {
    EXPECT_EQ(nvprof_name("scale(const float *, float *, int)"), "scale(float const *, float*, int)");
    EXPECT_EQ(nvprof_name("void f<const T1 *, 8>(T1 &)"), "void f<T1 const *, 8>(T1&)");
    EXPECT_EQ(nvprof_name("k(const S<int>, const S<int> *, constant *)"),
              "k(const S<int>, S<int> const *, constant*)");
    EXPECT_EQ(nvprof_name("k()"), "k()");
}

TEST_F(Printers, NcuSummaryPutsLaunchesOfAShapeTogether) {
    NcuView view;
    view.program = "app";
    view.tables = {NcuTable{"S", {{"Instructions", "inst.sum", &sample_metrics()[0]}}}};
    const std::string text = *ncu_summary(run, view);
    EXPECT_NE(
        text.find(
            "  neighbored(int *, unsigned int) (32, 2, 1)x(512, 1, 1), Device 0, CC 9.0, Invocations 2\n"
            "    Section: S\n"
            "    ------------ ----------- -------- -------- --------\n"
            "    Metric Name  Metric Unit  Minimum  Maximum  Average\n"
            "    ------------ ----------- -------- -------- --------\n"
            "    Instructions             1,000.00 3,000.00 2,000.00\n"),
        std::string::npos)
        << text;
    EXPECT_NE(ncu_summary_csv(run, view)->find("\"9.0\",\"2\",\"S\",\"Instructions\",\"\",\"1,000.00\","),
              std::string::npos);
    view.function_names = true;
    view.skip = 1;
    view.count = 1;
    EXPECT_NE(ncu_text(run, view)->find(
                  "  unrolling (32, 2, 1)x(512, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n"),
              std::string::npos);
    EXPECT_EQ(ncu_text(run, view)->find("neighbored"), std::string::npos);
}

TEST_F(Printers, NotesSayWhatIsMissing) {
    const auto lines = notes(run, shown, false);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0], "n/a: time.sum has no value for these launches on NVIDIA H200");
    run.kernels[0].faults = 1;
    run.kernels[0].launches = 5000;
    run.gaps = {"process 7 was not seen to end"};
    EXPECT_EQ(notes(run, shown, true).size(), 4u);
    EXPECT_EQ(notes(run, shown, false).size(), 3u);
}

TEST_F(Printers, Compare) {
    const Side a{run, {}, "a"}, b{run, {}, "b"};
    const auto selected = select({"inst_executed", "time.sum"});
    auto same = compare(a, b, selected);
    ASSERT_TRUE(same);
    ASSERT_EQ(same->size(), 2u);
    EXPECT_NE(to_text(compare_report(a, b, *same)).find("2000  2000  same"), std::string::npos);

    const Side first{run, "neighbored", "a"}, second{run, "unrolling<2>", "b"};
    auto kernels = compare(first, second, selected);
    ASSERT_TRUE(kernels);
    ASSERT_EQ(kernels->size(), 1u);
    EXPECT_EQ(to_text(compare_report(first, second, *kernels)),
              R"(A: a
B: b
Metric Name    Metric Description        A    B     B/A
    Kernel: neighbored(int *, unsigned int) | void unrolling<2>(int *)
inst_executed  Instructions Executed  2000  500  0.250x
time.sum       Time                    n/a  n/a       -  predicted
)");
    const auto json = nlohmann::json::parse(compare_json(first, second, *kernels));
    EXPECT_EQ(json["kernels"][0]["metrics"]["inst_executed"]["ratio"], 0.25);
    EXPECT_NE(compare_csv(*kernels).find("inst_executed,2000,500,0.25\n"), std::string::npos);

    auto unknown = compare(Side{run, "nobody", "a"}, b, selected);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("it has neighbored, unrolling<2>"), std::string::npos);
}

TEST_F(Printers, SourceView) {
    const std::filesystem::path source = folder / "a.cu";
    std::ofstream(source)
        << "__global__ void k(int *x, int *y) {\n    int v = y[threadIdx.x];\n\tif (v) x[0] = 1;\n}\n";
    const RunFile with_source = open_run(source_run(folder, source));
    auto view = source_view(with_source, with_source.kernels[0], {true, 120});
    ASSERT_TRUE(view);
    const std::string text = to_text(*view);
    const std::string head = "Kernel: k(int *, int *), 1 launch\n";
    EXPECT_EQ(text.substr(0, head.size()), head);
    for (const char* part :
         {"    2  70 memory     100  50 32.0 16.0               800   400       !    int v = "
          "y[threadIdx.x];\n",
          "!  LDG.E      ld.global.u32 %r1, [%rd1];\n",
          "    3  30 latency    100  50 32.0 32.0   100    25                   !    if (v) x[0] = 1;\n",
          "bound by memory bandwidth: device memory moves bytes about as fast as it can (predicted)\n",
          "a.cu:2: 70 % of the warps' cycles, of which 86 % waiting for global or local memory, 14 % "
          "issuing\n",
          "a.cu:2: 800 sectors moved where 400 would do (2.0 x)\n",
          "a.cu:3: 25 of 100 branches part their warp (25.0 %)\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    auto lines = lines_json(with_source, with_source.kernels[0]);
    ASSERT_TRUE(lines);
    const auto json = nlohmann::json::parse(*lines);
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["line"], 2);
    EXPECT_EQ(json[0]["sectors"], 800);
    EXPECT_EQ(json[0]["warp_cycles"], nlohmann::json::parse(R"({"selected": 100, "long_scoreboard": 600})"));
    auto csv = lines_csv(with_source);
    ASSERT_TRUE(csv);
    EXPECT_NE(csv->find(source.string() + ",3,100,3200,3200,100,25,0,0,0,0,0,300,100,0,0,0,0,200,"),
              std::string::npos)
        << *csv;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        EXPECT_LE(end - begin, 120u);
        begin = end + 1;
    }
}

struct Times : testing::Test {
    Folder folder;
    RunFile run = open_run(timed_run(folder));
};

TEST_F(Times, TableHasTheLongestFirst) {
    EXPECT_EQ(to_text(time_table(run).value()),
              R"(Time(%)      Time  Calls       Avg       Min       Max  Name (times are predicted)
 75.00%  6.0000us      2  3.0000us  1.5000us  4.5000us  sum(int *)
         bound by memory latency in 1 of 2 launches: warps wait for data, and too few accesses are in flight to keep memory busy
         warps: 60 % waiting for global or local memory, 20 % issuing, 20 % in the fixed latency of instructions
 25.00%  2.0000us      1  2.0000us  2.0000us  2.0000us  copy(int *)
         bound by memory bandwidth: device memory moves bytes about as fast as it can
         warps: 60 % waiting for global or local memory, 20 % issuing, 20 % in the fixed latency of instructions
)");
}

TEST_F(Times, NoTableWithoutTimes) { EXPECT_FALSE(time_table(open_run(sample_run(folder)))); }

TEST_F(Times, ThroughputHasItsShareOfPeakBeside) {
    const auto shown = find_metrics(run, select({"dram.per_second"}));
    const std::string text = to_text(kernel_table(run, shown));
    EXPECT_NE(text.find("2.4000TB/s   50.00%  predicted\n"), std::string::npos) << text;
    const auto json = nlohmann::json::parse(*kernels_json(run, shown));
    EXPECT_EQ(json["kernels"][0]["metrics"]["dram.per_second"]["of_peak"], 50);
    EXPECT_NE(kernels_csv(run, shown).find(",2400000000000,predicted,50,0\n"), std::string::npos);
    EXPECT_EQ(prediction_note(run, shown),
              "predicted for NVIDIA H200 (h200; code of nvcc 13.0; predictions: mean error 12 %), not "
              "counted: dram.per_second");
    EXPECT_EQ(prediction_note(run, find_metrics(run, select({"inst_executed"}))), "");
}

TEST_F(Times, NvprofSummary) {
    // Without the simulated clock there are the kernels' times alone.
    EXPECT_EQ(*nvprof_summary(run, {.api = false}),
              R"(            Type  Time(%)      Time     Calls       Avg       Min       Max  Name
 GPU activities:   75.00%  6.0000us         2  3.0000us  1.5000us  4.5000us  sum(int*)
                   25.00%  2.0000us         1  2.0000us  2.0000us  2.0000us  copy(int*)
)");
    EXPECT_NE(
        nvprof_summary(run, {.csv = true})
            ->find("\"GPU activities\",75.000000,0.006000,2,0.003000,0.001500,0.004500,\"sum(int*)\"\n"),
        std::string::npos);
    EXPECT_EQ(nvprof_time_notes(run, {}, false)->front(),
              "copies and API calls have times on the simulated clock only, which was off");
    const RunFile traced = open_run(traced_run(folder));
    EXPECT_EQ(*nvprof_summary(traced, {}),
              R"(            Type  Time(%)      Time     Calls       Avg       Min       Max  Name
 GPU activities:   80.00%  8.0000us         5  1.6000us  1.0000us  2.0000us  scale(float const *, float*)
                   20.00%  2.0000us         1  2.0000us  2.0000us  2.0000us  [CUDA memcpy HtoD]
      API calls:   54.55%  3.0000us         1  3.0000us  3.0000us  3.0000us  cudaMemcpy
                   45.45%  2.5000us         5     500ns     500ns     500ns  cudaLaunchKernel
                        -         -         1         -         -         -  cudaMalloc
)");
    EXPECT_EQ(*nvprof_time_notes(traced, {}, true),
              (std::vector<std::string>{"8 more have no row: there is one for the first 2000 of each name",
                                        "calls that lockstep gives no time: cudaMalloc"}));
}

TEST_F(Times, NvprofTrace) {
    const RunFile traced = open_run(traced_run(folder));
    const std::string head =
        "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  "
        "Throughput"
        "  SrcMemType  DstMemType           Device   Context    Stream  Name\n";
    const std::string copy =
        "1.0000us  2.0000us                    -               -         -         -         -  4.0000KB  "
        "1.9073GB/s"
        "    Pageable      Device  NVIDIA H200 (0)         1         7  [CUDA memcpy HtoD]\n";
    const std::string kernel =
        "5.0000us  1.0000us              (8 1 1)       (128 1 1)        16  1.0000KB        0B         -     "
        "      -"
        "           -           -  NVIDIA H200 (0)         1         7  scale(float const *, float*) [2]\n";
    const std::string text = *nvprof_trace(traced, {.api = false});
    EXPECT_TRUE(text.starts_with(head + copy + kernel)) << text;
    EXPECT_NE(text.find("NVIDIA H200 (0)         1        13  scale"), std::string::npos) << text;
    EXPECT_EQ(
        *nvprof_trace(traced, {.gpu = false, .unit = TimeUnit::us}),
        "   Start  Duration  Name\n0.0000us  3.0000us  cudaMemcpy\n4.0000us  0.500000us  cudaLaunchKernel\n");
    const std::string csv = *nvprof_trace(traced, {.csv = true});
    EXPECT_NE(csv.find("\nms,ms,,,,,,,,B,B,KB,GB/s,,,,,,,\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("\n0.005000,0.001000,8,1,1,128,1,1,16,1024,0,,,,,\"NVIDIA H200 (0)\",\"1\",\"7\","
                       "\"scale(float const *, float*) [2]\",2\n"),
              std::string::npos)
        << csv;
    EXPECT_NE(csv.find("\n0.004000,0.000500,,,,,,,,,,,,,,,,,\"cudaLaunchKernel\",2\n"), std::string::npos)
        << csv;
    const std::size_t at = csv.find("\n0.001000,");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(csv.substr(at + 1, csv.find('\n', at + 1) - at - 1),
              "0.001000,0.002000,,,,,,,,,,4.000000,1.907349,\"Pageable\",\"Device\",\"NVIDIA H200 "
              "(0)\",\"1\",\"7\","
              "\"[CUDA memcpy HtoD]\",1");
}

TEST(TimeWords, EveryBoundAndStateHasWords) {
    for (std::size_t b = 0; b <= static_cast<std::size_t>(timing::Bound::tail); ++b) {
        EXPECT_FALSE(bound_text(static_cast<timing::Bound>(b)).empty()) << b;
        EXPECT_FALSE(bound_explanation(static_cast<timing::Bound>(b)).empty()) << b;
    }
    for (std::size_t s = 0; s < timing::warp_states; ++s) {
        const auto state = static_cast<timing::WarpState>(s);
        EXPECT_FALSE(state_text(state).empty()) << s;
        EXPECT_FALSE(state_word(state).empty()) << s;
        EXPECT_LE(state_word(state).size(), 8u) << s;
        EXPECT_EQ(timing::find_state(timing::state_name(state)), state);
    }
}

// By the compiler of the code, since each compiler's is other code.
TEST(RunInfoText, SaysHowFarPredictionsWereCompared) {
    RunInfo info = sample_info();
    std::vector<KernelResult> kernels(3);
    EXPECT_EQ(gpu_text(info, {}), "NVIDIA H200 (h200)");
    for (KernelResult& kernel : kernels) kernel.code = sample_origin();
    EXPECT_EQ(gpu_text(info, kernels), "NVIDIA H200 (h200; code of nvcc 13.0; predictions: mean error 12 %)");
    kernels[1].code = {"LLVM", true, ""};
    kernels[2].code = {"nvcc 13.0 -G", false, ""};
    EXPECT_EQ(
        gpu_text(info, kernels),
        "NVIDIA H200 (h200; code of nvcc 13.0; predictions: mean error 12 %; code of LLVM; predictions not "
        "validated for this compiler; code of nvcc 13.0 -G; predictions not validated for unoptimised code)");
    info.devices[0].validated = false;
    EXPECT_EQ(gpu_text(info, std::span(kernels).subspan(1, 1)),
              "NVIDIA H200 (h200; code of LLVM; predictions not compared with a real one)");
}

TEST(MetricText, Values) {
    using metrics::Unit;
    EXPECT_EQ(value_text(25.0234, Unit::percent), "25.02%");
    EXPECT_EQ(value_text(117.8125, Unit::ratio), "117.812500");
    EXPECT_EQ(value_text(39.495e9, Unit::bytes_per_second), "39.495GB/s");
    EXPECT_EQ(value_text(123.77e9, Unit::bytes_per_second), "123.77GB/s");
    EXPECT_EQ(value_text(4096, Unit::count), "4096");
    EXPECT_EQ(value_text(4096.5, Unit::count), "4096.50");
    EXPECT_EQ(value_text(512, Unit::bytes), "512B");
    EXPECT_EQ(value_text({}, Unit::bytes), "n/a");
    EXPECT_EQ(value_text(960, Unit::nanoseconds), "960ns");
    EXPECT_EQ(value_text(2'560, Unit::nanoseconds), "2.5600us");
    EXPECT_EQ(value_text(72'345'678, Unit::nanoseconds), "72.346ms");
    EXPECT_EQ(value_text(3.5e12, Unit::nanoseconds), "3500.0s");
    EXPECT_EQ(exact_text(0.1), "0.1");
    EXPECT_EQ(exact_text(16777216), "16777216");
    EXPECT_EQ(short_count(999'999), "999999");
    EXPECT_EQ(short_count(12'345'678), "12.3M");
    EXPECT_EQ(short_count(1'000'000), "1.00M");
}

}  // namespace
}  // namespace lockstep::report
