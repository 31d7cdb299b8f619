// What our compiler makes of a kernel beside what nvcc makes of it: the same counts of both, by lockstep, and
// where there is one, the GPU's, which ran nvcc's.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite.h"
#include "time-error.h"

namespace lockstep::validation {

// What is compared: one number a kernel, over all its launches.
struct CodeMetric {
    const char* name;    // in public.csv, before _nvcc and _lockstep
    const char* metric;  // as lockstep knows it
    bool is_mean;        // over the launches; else their sum
    bool is_memory;      // must be equal
};
inline constexpr std::array<CodeMetric, 12> code_metrics = {{
    {"instructions", "smsp__average_inst_executed_per_warp.ratio", true, false},
    {"branches", "smsp__sass_branch_targets.sum", false, false},
    {"registers", "launch__registers_per_thread", true, false},
    {"time", duration, false, false},
    {"global_loads", "smsp__inst_executed_op_global_ld.sum", false, true},
    {"global_stores", "smsp__inst_executed_op_global_st.sum", false, true},
    {"shared_loads", "smsp__inst_executed_op_shared_ld.sum", false, true},
    {"shared_stores", "smsp__inst_executed_op_shared_st.sum", false, true},
    {"local_loads", "smsp__inst_executed_op_local_ld.sum", false, true},
    {"local_stores", "smsp__inst_executed_op_local_st.sum", false, true},
    {"load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", false, true},
    {"store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", false, true},
}};

// In the order of code_metrics; nothing where a number is not known.
using CodeCounts = std::array<std::optional<double>, code_metrics.size()>;

struct KernelCode {
    std::string program, kernel;
    int launches = 0;
    CodeCounts nvcc, ours, gpu;

    static constexpr std::size_t instructions = 0, time = 3;
    double difference(std::size_t metric) const;  // of ours from nvcc's, as a ratio
    bool memory_is_equal() const;
};

// Of two runs of one recording, whose counts are scaled to its number of blocks. A time that is of fewer
// blocks is none.
std::vector<KernelCode> compare_code(const Suite& nvcc, const Suite& ours);

// The launches of one program, from each compiler's code. Without the GPU's counts.
std::vector<KernelCode> compare_code(std::span<const Row> nvcc, std::span<const Row> ours);

// public.csv: kernels of programs that are not here.
Result<std::vector<KernelCode>> read_code_file(const std::filesystem::path& file);
std::string code_file_header();
std::string code_file_line(const KernelCode& kernel);

struct CodeSummary {
    std::size_t kernels = 0;
    double near = 0;          // the part of kernels with instructions a warp within 10 % of nvcc's
    double median = 0;        // difference of instructions a warp
    double equal_memory = 0;  // the part of kernels
    double mean_time = 0, most_time = 0;  // difference of predicted times
};

// Of at least one kernel.
CodeSummary summarize(std::span<const KernelCode> kernels);

// What is wanted of our compiler's code.
namespace wanted {
constexpr double near = 0.90, median = 0.03, equal_memory = 0.95;  // of CodeSummary
constexpr double mean_error = 0.06, most_error = 0.15;             // of the time on the programs' launches
constexpr double order = 0.8;                                      // Kendall's tau of a ladder
}  // namespace wanted

// The programs whose launches are steps of a ladder, or points of a plane, that ought to be in the right
// order.
inline constexpr const char* ladders[] = {"sum_matrix", "reduce_int", "reduce_shared"};

}  // namespace lockstep::validation
