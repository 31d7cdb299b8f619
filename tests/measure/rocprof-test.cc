// What AMD's tools write, read: tables as rocprofv3's documentation shows them, and rocprof's and omniperf's
// own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "compile/files.h"
#include "gpu/model.h"
#include "measure/amd.h"
#include "measure/measured-metrics.h"
#include "measure/rocprof-csv.h"
#include "measure/rocprof-metrics.h"
#include "measure/rocprof-recording.h"
#include "measure/rocprof-trace.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;
using Extents = std::array<std::uint32_t, 3>;

constexpr const char* counter_names =
    "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\","
    "\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
    "\"End_Timestamp\"\n";
constexpr const char* trace_names =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\","
    "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
    "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\","
    "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n";

std::optional<double> amd_value(const MeasuredLaunch& launch, const std::string& name) {
    const auto values = metric_values(launch);
    for (std::size_t m = 0; m < values.size(); ++m)
        for (const std::string& one : metrics::metrics()[m].names)
            if (one == name && values[m]) return values[m];
    return {};
}

TEST(RocprofCsv, CountersOfEachLaunch) {
    auto read = read_rocprof_csv(
        std::string(counter_names) +
            "1,1,\"Agent 4\",1,70,70,1048576,9,\"_Z3addPf.kd\",64,512,0,8,4,16,\"SQ_WAVES\",16384.000000,"
            "3200098838431081,3200098838483232\n"
            "1,1,\"Agent 4\",1,70,70,1048576,9,\"_Z3addPf.kd\",64,512,0,8,4,16,\"SQ_INSTS\",5.0e+01,"
            "3200098838431081,3200098838483232\n"
            // One of each copy of the block: they add up.
            "1,1,\"Agent 4\",1,70,70,1048576,9,\"_Z3addPf.kd\",64,512,0,8,4,16,\"SQ_INSTS\",25,"
            "3200098838431081,3200098838483232\n"
            "2,2,\"Agent 4\",1,70,70,100,3,\"__amd_rocclr_fillBufferAligned.kd\",64,0,0,8,0,16,\"SQ_WAVES\","
            "2,1,2\n",
        "c.csv");
    ASSERT_TRUE(read) << read.error().to_string();
    EXPECT_FALSE(read->has_shapes);
    ASSERT_EQ(read->all.size(), 1u);
    const MeasuredLaunch& launch = read->all.front();
    EXPECT_EQ(launch.kernel, "add(float *)");
    EXPECT_EQ(launch.device, 4);
    EXPECT_EQ(launch.process, 70u);
    EXPECT_EQ(launch.grid, (Extents{16384, 1, 1}));
    EXPECT_EQ(launch.block, (Extents{64, 1, 1}));
    EXPECT_EQ(launch.values.at("SQ_WAVES"), 16384);
    EXPECT_EQ(launch.values.at("SQ_INSTS"), 75);
    EXPECT_EQ(launch.values.at("Arch_VGPR"), 8);
    EXPECT_EQ(launch.values.at("LDS_Per_Workgroup"), 512);
    EXPECT_EQ(launch.values.at(duration_name), 52151);  // all digits are there
}

TEST(RocprofCsv, TracesInTheOrderOfDispatches) {
    auto read = read_rocprof_csv(
        std::string(trace_names) +
            "\"KERNEL_DISPATCH\",\"Agent "
            "4\",1,2,70,2,9,\"k(int)\",1,1550151853064037,1550151853075237,0,0,12,"
            "4,16,16,16,1,64,32,2\n"
            "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,70,1,9,\"void k<float>(float*)\",1,1550151853029637,"
            "1550151853042437,0,0,8,0,16,64,1,1,1000,1,1\n",
        "t.csv");
    ASSERT_TRUE(read) << read.error().to_string();
    EXPECT_TRUE(read->has_shapes);
    ASSERT_EQ(read->all.size(), 2u);
    EXPECT_EQ(read->all[0].kernel, "void k<float>(float*)");
    EXPECT_EQ(read->all[0].grid, (Extents{16, 1, 1}));  // the last work-group has fewer
    EXPECT_EQ(read->all[0].stream, 1u);
    EXPECT_EQ(read->all[1].grid, (Extents{4, 2, 2}));
    EXPECT_EQ(read->all[1].block, (Extents{16, 16, 1}));
    EXPECT_EQ(read->all[1].stream, 3u);
    EXPECT_EQ(read->all[1].values.at(duration_name), 11200);
}

TEST(RocprofCsv, AColumnACounter) {
    // rocprof's.
    auto first = read_rocprof_csv(
        "Index,KernelName,gpu-id,queue-id,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,"
        "obj,"
        "SQ_INSTS,FetchSize,DispatchNs,BeginNs,EndNs,CompleteNs\n"
        "0,\"k(double*, int) [clone .kd]\",2,0,7,7,1024,256,0,0,8,8,16,64,0x0,0x7febef7c8ec0,12.0,16,1,10,30,"
        "40\n",
        "results.csv");
    ASSERT_TRUE(first) << first.error().to_string();
    const MeasuredLaunch& launch = first->all.at(0);
    EXPECT_EQ(launch.kernel, "k(double*, int)");
    EXPECT_EQ(launch.values.at("SQ_INSTS"), 12);
    EXPECT_EQ(launch.values.at("FetchSize"), 16384);
    EXPECT_EQ(launch.values.at(duration_name), 20);
    EXPECT_FALSE(launch.values.contains("obj"));
    // omniperf's, whose times a spreadsheet has rounded.
    auto second = read_rocprof_csv(
        "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Arch_VGPR,Kernel_Name,SQ_INSTS,TCC_HIT[0],Start_"
        "Timestamp,"
        "End_Timestamp\n1,2,1024,256,4,\"k(double*, int) (.kd)\",12,,8.1097E+14,8.1097E+14\n",
        "pmc_perf.csv");
    ASSERT_TRUE(second) << second.error().to_string();
    EXPECT_EQ(second->all.at(0).kernel, "k(double*, int)");
    EXPECT_FALSE(second->all.at(0).values.contains(duration_name));
    EXPECT_FALSE(second->all.at(0).values.contains("TCC_HIT[0]"));
}

TEST(RocprofCsv, WhatIsWrong) {
    const auto message = [](const std::string& text) {
        auto read = read_rocprof_csv(text, "f.csv");
        return read ? std::string("read") : read.error().to_string();
    };
    EXPECT_EQ(message(""), "f.csv is empty");
    EXPECT_EQ(message("a,b\n1,2\n"), "f.csv:1: this table has no column Kernel_Name or KernelName");
    EXPECT_EQ(message("Kernel_Name,Dispatch_Id,Agent_Id,Grid_Size,Workgroup_Size,Counter_Name\n"),
              "f.csv:1: this table has no column Counter_Value");
    const std::string names =
        "Kernel_Name,Dispatch_Id,Agent_Id,Grid_Size,Workgroup_Size,Counter_Name,Counter_Value\n";
    EXPECT_EQ(message(names + "k,1,1,64,64,SQ_WAVES,1\nk,2,1,64,"), "f.csv:3: 5 cells, 7 names");
    EXPECT_EQ(message(names + "k,1,1,64,64,SQ_WAVES,many\n"), "f.csv:2: Counter_Value: 'many' is no number");
    EXPECT_EQ(message(names + "k,1,1,64,64,SQ_WAVES,\n"), "f.csv:2: this counter has no value");
    EXPECT_EQ(message(names + "k,one,1,64,64,SQ_WAVES,1\n"),
              "f.csv:2: Dispatch_Id: 'one' is no whole number");
    EXPECT_EQ(message(names + "k,1,1,64,0,SQ_WAVES,1\n"), "f.csv:2: a grid of 64 work-items in groups of 0");
    EXPECT_EQ(message(names + ",1,1,64,64,SQ_WAVES,1\n"), "f.csv:2: this launch has no kernel");
    EXPECT_EQ(message("Index,KernelName,gpu-id,grd,wgr,SQ_WAVES\n0,k,1,64,64,lost\n"),
              "f.csv:2: SQ_WAVES: 'lost' is no number");
    EXPECT_TRUE(is_rocprof_csv(names));
    EXPECT_FALSE(is_rocprof_csv("\"ID\",\"Kernel Name\",\"Grid Size\"\n"));
}

TEST(RocprofMetrics, ByCounters) {
    auto model = gpu::find_model("mi100", std::string(LOCKSTEP_SOURCE_DIR) + "/gpus", {});
    ASSERT_TRUE(model);
    MeasuredLaunch launch;
    launch.compute_capability = "gfx908";
    launch.values = {{"SQ_WAVES", 100},
                     {"SQ_INSTS_VALU", 1000},
                     {"TCC_HIT_sum", 30},
                     {"TCC_MISS_sum", 10},
                     {"TCC_EA_RDREQ_sum", 20},
                     {"TCC_EA_RDREQ_32B_sum", 4},
                     {"SQ_WAVE_CYCLES", 1000},
                     {"SQ_BUSY_CU_CYCLES", 200},
                     {"SQ_ACTIVE_INST_VALU", 240},
                     {"GRBM_GUI_ACTIVE", 20},
                     {"SQ_LDS_IDX_ACTIVE", 0},
                     {"SQ_LDS_BANK_CONFLICT", 0},
                     {"SQ_THREAD_CYCLES_VALU", 7680}};
    add_gpu_figures(*model, launch);
    EXPECT_EQ(amd_value(launch, "VALUInsts"), 10);
    EXPECT_EQ(amd_value(launch, "L2CacheHit"), 75);
    EXPECT_EQ(amd_value(launch, "FetchSize"), 20 * 64 - 4 * 32);
    EXPECT_EQ(amd_value(launch, "sm__warps_active.avg.pct_of_peak_sustained_active"), 50);  // 20 of 40
    EXPECT_EQ(amd_value(launch, "VALUBusy"), 10);
    EXPECT_EQ(amd_value(launch, "VALUUtilization"), 50);
    EXPECT_FALSE(amd_value(launch, "LDS Bank Conflict"));  // nothing to divide by
    EXPECT_FALSE(amd_value(launch, "WriteSize"));
    EXPECT_FALSE(amd_value(launch, "gld_transactions"));
    // On the newest some requests are of 128 bytes.
    launch.values.erase("TCC_EA_RDREQ_sum");
    launch.values.insert({{"TCC_EA0_RDREQ_sum", 20}, {"TCC_BUBBLE_sum", 5}, {"TCC_EA0_RDREQ_32B_sum", 0}});
    EXPECT_EQ(amd_value(launch, "FetchSize"), 25 * 64);
}

TEST(RocprofMetrics, CountersAndPasses) {
    const auto has = [](const std::vector<std::string>& list, const char* name) {
        return std::ranges::find(list, name) != list.end();
    };
    const auto all = metrics_of(Vendor::amd);
    const auto first = rocprof_counters(all, "gfx908"), last = rocprof_counters(all, "gfx942"),
               other = rocprof_counters(all, "gfx1100");
    EXPECT_TRUE(has(first, "TCC_EA_RDREQ_sum") && !has(first, "TCC_EA0_RDREQ_sum"));
    EXPECT_TRUE(!has(last, "TCC_EA_RDREQ_sum") && has(last, "TCC_EA0_RDREQ_sum"));
    EXPECT_TRUE(!has(first, "SQ_INSTS_VALU_MFMA_F16") && has(last, "SQ_INSTS_VALU_MFMA_F16"));
    EXPECT_TRUE(has(other, "SQ_WAVES") && !has(other, "TCC_HIT_sum"));
    for (const std::string& name : last) EXPECT_TRUE(is_rocprof_counter(name)) << name;
    EXPECT_FALSE(is_rocprof_counter("CU_NUM") || is_rocprof_counter("TCC_REQ_max") ||
                 is_rocprof_counter("SQ_LEVEL_WAVES") || is_rocprof_counter("gpu__time_duration.sum"));
    std::size_t count = 0;
    for (const auto& pass : counter_passes(last)) {
        std::map<std::string, int> of_block;
        for (const std::string& name : pass) {
            const std::string block = name.substr(0, name.find('_'));
            ++of_block[block == "SQC" ? "SQ" : block];
        }
        EXPECT_LE(of_block["SQ"], 8);
        EXPECT_LE(of_block["TCC"], 4);
        EXPECT_LE(of_block["TCP"], 4);
        EXPECT_LE(of_block["TA"], 2);
        EXPECT_LE(of_block["GRBM"], 2);
        count += pass.size();
    }
    EXPECT_EQ(count, last.size());
}

// A folder with files of these names and texts.
compile::TempDir folder_of(const std::vector<std::pair<std::string, std::string>>& files) {
    auto folder = compile::TempDir::create();
    for (const auto& [name, text] : files) {
        fs::create_directories((folder->path() / name).parent_path());
        std::ofstream(folder->path() / name) << text;
    }
    return std::move(*folder);
}

constexpr const char* two_agents =
    "\"Node_Id\",\"Agent_Type\",\"Name\",\"Product_Name\"\n0,\"CPU\",\"EPYC\",\"EPYC\"\n"
    "4,\"GPU\",\"gfx90a\",\"AMD Instinct MI210\"\n5,\"GPU\",\"gfx90a\",\"AMD Instinct MI210\"\n";
const std::string one_counter =
    "Kernel_Name,Dispatch_Id,Agent_Id,Process_Id,Grid_Size,Workgroup_Size,Counter_Name,Counter_Value,"
    "Start_Timestamp,End_Timestamp\n";

TEST(RocprofRecording, RunsAreOne) {
    const auto folder = folder_of({
        {"times/h/1_agent_info.csv", two_agents},
        {"times/h/1_kernel_trace.csv",
         std::string(trace_names) +
             "\"KERNEL_DISPATCH\",5,1,0,1,1,9,\"k(int)\",1,100,300,0,0,12,4,16,8,8,1,16,8,1\n"
             "\"KERNEL_DISPATCH\",5,1,0,1,2,9,\"k(int)\",1,400,500,0,0,12,4,16,8,8,1,16,8,1\n"},
        {"times/h/1_kernel_stats.csv", "\"Name\",\"Calls\"\n\"k\",2\n"},
        {"counters/pmc_1/h/2_counter_collection.csv",
         one_counter + "k(int),1,5,2,128,64,SQ_WAVES,2,0,9\nk(int),2,5,2,128,64,SQ_WAVES,3,0,9\n"},
        {"counters/pmc_2/h/3_counter_collection.csv",
         one_counter + "k(int),1,5,3,128,64,SQ_INSTS,20,0,9\nk(int),2,5,3,128,64,SQ_INSTS,30,0,9\n"
                       "k(int),3,5,3,128,64,SQ_INSTS,40,0,9\nother(int),4,5,3,128,64,SQ_INSTS,50,0,9\n"},
    });
    auto read = read_rocprof_recording(folder.path());
    ASSERT_TRUE(read) << read.error().to_string();
    ASSERT_EQ(read->launches.size(), 2u);
    EXPECT_EQ(read->left_over, 2u);
    ASSERT_EQ(read->gpus.size(), 2u);
    const MeasuredLaunch& second = read->launches[1];
    EXPECT_EQ(second.device, 1);
    EXPECT_EQ(second.compute_capability, "gfx90a");
    EXPECT_EQ(second.grid, (Extents{2, 1, 1}));
    EXPECT_EQ(second.block, (Extents{8, 8, 1}));
    EXPECT_EQ(second.values.at("SQ_WAVES"), 3);
    EXPECT_EQ(second.values.at("SQ_INSTS"), 30);
    EXPECT_EQ(second.values.at(duration_name), 100);  // the one that no counter disturbs
    EXPECT_EQ(model_of(read->gpus[0], std::string(LOCKSTEP_SOURCE_DIR) + "/gpus"), "mi210");
}

TEST(RocprofRecording, ProcessesOfOneRun) {
    const auto folder =
        folder_of({{"1_counter_collection.csv", one_counter + "k(int),1,5,1,128,64,SQ_WAVES,2,0,9\n"},
                   {"2_counter_collection.csv", one_counter + "k(int),1,6,2,128,64,SQ_WAVES,3,0,9\n"}});
    auto read = read_rocprof_recording(folder.path());
    ASSERT_TRUE(read) << read.error().to_string();
    ASSERT_EQ(read->launches.size(), 2u);
    EXPECT_TRUE(read->gpus.empty());
    EXPECT_EQ(read->launches[0].device, 0);
    EXPECT_EQ(read->launches[1].device, 1);
}

TEST(RocprofTrace, KernelsCopiesAndCalls) {
    const auto folder = folder_of({
        {"h/1_agent_info.csv", two_agents},
        {"h/1_kernel_trace.csv", std::string(trace_names) +
                                     "\"KERNEL_DISPATCH\",\"Agent 5\",1,3,1,1,9,\"_Z1kPi.kd\",12,"
                                     "1550151853029637,1550151853042437,64,0,12,4,16,64,1,1,1024,2,1\n"},
        {"h/1_memory_copy_trace.csv",
         "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\","
         "\"Start_Timestamp\",\"End_Timestamp\"\n"
         "\"MEMORY_COPY\",\"HOST_TO_DEVICE\",0,5,11,1550151853000000,1550151853001000\n"
         "\"MEMORY_COPY\",\"MEMORY_COPY_DEVICE_TO_DEVICE\",4,5,13,1550151853050000,1550151853051000\n"},
        {"h/1_hip_api_trace.csv",
         "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\","
         "\"End_Timestamp\"\n"
         "\"HIP_RUNTIME_API\",\"hipMemcpyAsync\",1,1,11,1550151852999000,1550151852999500\n"
         "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,1,12,1550151853020000,1550151853021000\n"
         "\"HIP_RUNTIME_API\",\"hipDeviceSynchronize\",1,1,14,1550151853022000,1550151853060000\n"},
    });
    auto read = read_rocprof_traces(folder.path(), {});
    ASSERT_TRUE(read) << read.error().to_string();
    ASSERT_EQ(read->size(), 1u);
    const report::Timeline& timeline = read->front();
    ASSERT_EQ(timeline.operations.size(), 3u);
    EXPECT_EQ(timeline.operations[0].operation.kind, timing::OperationKind::copy_to_device);
    EXPECT_DOUBLE_EQ(timeline.operations[0].submitted, 0);
    EXPECT_DOUBLE_EQ(timeline.operations[0].begin, 1000);
    const timing::Placement& kernel = timeline.operations[1];
    EXPECT_EQ(kernel.operation.name, "k(int *)");
    EXPECT_EQ(kernel.device, 1);
    EXPECT_EQ(kernel.operation.stream, 4u);
    EXPECT_EQ(kernel.operation.trace->grid, (Extents{16, 2, 1}));
    EXPECT_DOUBLE_EQ(kernel.end - kernel.begin, 12800);
    EXPECT_EQ(timeline.operations[2].operation.kind, timing::OperationKind::copy_to_peer);
    ASSERT_EQ(timeline.host_calls.size(), 1u);
    EXPECT_EQ(timeline.host_calls[0].what, "hipDeviceSynchronize");
    const auto bad = folder_of({{"1_kernel_trace.csv", std::string(trace_names) + "\"KERNEL_DISPATCH\"\n"}});
    auto wrong = read_rocprof_traces(bad.path(), {});
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().to_string().find("1_kernel_trace.csv:2: 1 cells, 22 names"), std::string::npos);
}

TEST(Amd, Gpus) {
    const std::string models = std::string(LOCKSTEP_SOURCE_DIR) + "/gpus";
    auto gpus = parse_rocminfo(
        "*******\nAgent 1\n*******\n  Name:  AMD EPYC\n  Marketing Name:  AMD EPYC\n  Device Type:  CPU\n"
        "*******\nAgent 2\n*******\n  Name:  gfx90a\n  Marketing Name:  AMD Instinct MI250X / MI250\n"
        "  Device Type:  GPU\n  ISA 1\n    Name:  amdgcn-amd-amdhsa--gfx90a\n");
    ASSERT_TRUE(gpus) << gpus.error().to_string();
    ASSERT_EQ(gpus->size(), 1u);
    EXPECT_EQ(gpus->front().compute_capability, "gfx90a");
    EXPECT_EQ(gpus->front().vendor(), Vendor::amd);
    EXPECT_EQ(model_of(gpus->front(), models), "mi250");
    EXPECT_EQ(model_of({"AMD Instinct MI250X", "", "gfx90a"}, models), "");
    auto listed = parse_agent_list("gfx000\ngfx1100\n");
    ASSERT_TRUE(listed);
    EXPECT_EQ(listed->at(0).compute_capability, "gfx1100");
    EXPECT_FALSE(parse_agent_list("gfx000\n"));
    auto locked =
        parse_rocminfo("ROCk module is loaded\nUnable to open /dev/kfd read-write: Permission denied\n");
    ASSERT_FALSE(locked);
    EXPECT_NE(locked.error().message.find("render,video"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::measure
