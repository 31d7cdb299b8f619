// Writes docs/validation.md: every recorded launch beside ours, at the sizes that were measured.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "code-report.h"
#include "compile/toolchain.h"
#include "gpu/model.h"
#include "occupancy-check.h"
#include "suite.h"
#include "time-report.h"

namespace lockstep::validation {
namespace {

namespace fs = std::filesystem;

struct Column {
    std::string title, metric;
};

struct Section {
    std::string title;
    std::vector<Column> columns;
};

const std::vector<Section> sections = {
    {"Instructions, branches, registers",
     {{"instructions a warp", "smsp__average_inst_executed_per_warp.ratio"},
      {"threads an instruction", "smsp__thread_inst_executed_per_inst_executed.ratio"},
      {"branches", "smsp__sass_branch_targets.sum"},
      {"divergent", "smsp__sass_branch_targets_threads_divergent.sum"},
      {"uniform %", "smsp__sass_average_branch_targets_threads_uniform.pct"},
      {"registers", "launch__registers_per_thread"}}},
    {"Global memory",
     {{"loads", "smsp__inst_executed_op_global_ld.sum"},
      {"requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
      {"sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
      {"used %", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
      {"stores", "smsp__inst_executed_op_global_st.sum"},
      {"requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
      {"sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
      {"used %", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"}}},
    {"Shared memory",
     {{"loads", "smsp__inst_executed_op_shared_ld.sum"},
      {"wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
      {"conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
      {"stores", "smsp__inst_executed_op_shared_st.sum"},
      {"wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
      {"conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}}},
};

const Requirement& requirement_of(const std::string& metric) {
    for (const Requirement& requirement : requirements())
        if (requirement.metric == metric) return requirement;
    std::abort();
}

std::string number(double value) {
    if (value == std::floor(value) && std::fabs(value) < 1e15) return fmt::format("{:.0f}", value);
    return fmt::format("{:.6g}", value);
}

bool same(const Comparison& comparison) {
    Requirement exact = *comparison.requirement;
    exact.closeness = Closeness::equal;
    return compare(comparison.pair, exact)->close;
}

// The GPU's number alone where ours is the same, else both; a miss is bold.
std::string cell(const Pair& pair, const Requirement& requirement) {
    const auto comparison = compare(pair, requirement);
    if (!comparison) return "–";
    if (same(*comparison)) return number(comparison->recorded);
    const std::string both = fmt::format("{} / {}", number(comparison->recorded), number(comparison->ours));
    return comparison->close ? both : "**" + both + "**";
}

std::string launch_cells(const Row& row) {
    return fmt::format("| {} | `{}` | {} | {} ", row.program, short_name(row.kernel), to_string(row.grid),
                       to_string(row.block));
}

std::string table(const Section& section, const std::vector<Pair>& pairs) {
    std::string text = "| program | kernel | grid | block ";
    for (const Column& column : section.columns) text += fmt::format("| {} ", column.title);
    text += "|\n|---|---|---|---";
    for (std::size_t i = 0; i < section.columns.size(); ++i) text += "|--:";
    text += "|\n";
    for (const Pair& pair : pairs) {
        text += launch_cells(*pair.recorded);
        for (const Column& column : section.columns)
            text += fmt::format("| {} ", cell(pair, requirement_of(column.metric)));
        text += "|\n";
    }
    return text;
}

std::string summary(const Suite& suite) {
    std::string text =
        "| metric | launches | equal | close enough | median error | largest error "
        "|\n|---|--:|--:|--:|--:|--:|\n";
    for (const Requirement& requirement : requirements()) {
        int equal = 0, close = 0;
        std::vector<double> errors;
        for (const Comparison& comparison : suite.comparisons(requirement)) {
            equal += same(comparison);
            close += comparison.close;
            errors.push_back(comparison.relative_error());
        }
        const auto percent = [](double error) {
            return std::isinf(error) ? std::string("(0 on the GPU)") : fmt::format("{:.2f} %", 100 * error);
        };
        if (errors.empty()) {
            text += fmt::format("| `{}` | 0 | – | – | – | – |\n", requirement.metric);
            continue;
        }
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", requirement.metric, errors.size(), equal,
                            close, percent(median(errors)),
                            percent(*std::max_element(errors.begin(), errors.end())));
    }
    return text;
}

// Rows with a number that is not close enough.
std::vector<Pair> misses(const Suite& suite, const Section& section) {
    std::vector<Pair> list;
    for (const Pair& pair : suite.pairs)
        for (const Column& column : section.columns)
            if (const auto comparison = compare(pair, requirement_of(column.metric));
                comparison && !comparison->close) {
                list.push_back(pair);
                break;
            }
    return list;
}

// Launches of programs that miss, and that no exception explains. Registers are an estimate, and need no
// explanation.
std::string unexplained(const Suite& suite, std::span<const Exception> exceptions) {
    std::string text;
    for (const Requirement& requirement : requirements()) {
        if (requirement.closeness == Closeness::registers) continue;
        for (const Comparison& comparison : suite.comparisons(requirement)) {
            const Row& row = *comparison.pair.recorded;
            if (comparison.close || find_exception(exceptions, row)) continue;
            text += fmt::format("- {} `{}` {} {}: `{}` is {} on the GPU, {} here\n", row.program,
                                short_name(row.kernel), to_string(row.grid), to_string(row.block),
                                requirement.metric, number(comparison.recorded), number(comparison.ours));
        }
    }
    return text.empty() ? "None.\n" : text;
}

Result<std::string> occupancy_text() {
    const fs::path root = LOCKSTEP_SOURCE_DIR;
    const auto gpu = gpu::find_model("h200", root / "gpus");
    if (!gpu) return gpu.error();
    std::string text;
    for (const char* file : {"h200.csv", "h200-probes.csv"}) {
        const auto rows = read_recording(root / "tests/validation" / file);
        if (!rows) return rows.error();
        int numbers = 0, different = 0;
        std::string list;
        for (const Row& row : *rows)
            for (const OccupancyNumber& one : occupancy_numbers(row, *gpu)) {
                ++numbers;
                if (std::fabs(one.recorded - one.ours) <= 0.0051) continue;
                ++different;
                list +=
                    fmt::format("- {} `{}`: `{}` is {} on the GPU, {} here\n", row.program,
                                short_name(row.kernel), one.metric, number(one.recorded), number(one.ours));
            }
        text += fmt::format("`{}`: {} launches, {} numbers, {} different.\n\n{}", file, rows->size(), numbers,
                            different, list);
    }
    return text;
}

// Kernels of many kinds, in the order in which they were written (tests/validation/README.md).
struct KernelSet {
    const char *recording, *what;
};
constexpr KernelSet kernel_sets[] = {
    {"h200-varied.csv", "kernels of many kinds: causes of their errors were looked for"},
    {"h200-fresh.csv", "later kernels: rules of instructions and branches were found with them"},
    {"h200-judged.csv", "kernels that judged until those rules were made"},
    {"h200-later.csv", "likewise"},
    {"h200-unseen.csv",
     "kernels that judged until what branches, accesses and loads under way cost was measured"},
    {"h200-blind.csv",
     "kernels that judged until loads were bounded by registers, and atomics by slices of the L2"},
    {"h200-sealed.csv",
     "kernels that judged until stores stayed in the L1 and loads passed exchanges between lanes"},
    {"h200-withheld.csv",
     "kernels that judged until ptxas's stalls, chains of divisions and fetches of code were followed"},
    {"h200-reserved.csv",
     "kernels that judged until lanes that leave loops were told apart, and loads went up over `if`s"},
    {"h200-untried.csv", "kernels that judged until launches ended with their longest blocks"},
    {"h200-spared.csv", "kernels that judged that, and showed the turns of waiting loops"},
    {"h200-unopened.csv", "kernels that judged until branches in expansions ended blocks"},
    {"h200-aside.csv", "kernels that nobody had looked at when all rules stood"},
};

Result<std::string> report() {
    const auto measured = run_suite("h200.csv", DeviceCode::nvcc, Size::measured);
    if (!measured) return measured.error();
    const auto ours = run_suite("h200.csv", DeviceCode::lockstep, Size::measured);
    if (!ours) return ours.error();
    const auto probes = run_suite("h200-probes.csv", DeviceCode::nvcc, Size::measured);
    if (!probes) return probes.error();
    const auto our_probes = run_suite("h200-probes.csv", DeviceCode::lockstep, Size::measured);
    if (!our_probes) return our_probes.error();
    const auto gpu = gpu::find_model("h200", fs::path(LOCKSTEP_SOURCE_DIR) / "gpus");
    if (!gpu) return gpu.error();
    const auto public_programs =
        read_code_file(fs::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/public.csv");
    if (!public_programs) return public_programs.error();
    const auto exceptions = read_exceptions(fs::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/exceptions");
    if (!exceptions) return exceptions.error();
    const auto occupancy = occupancy_text();
    if (!occupancy) return occupancy.error();

    std::optional<CubRun> cub;
    if (compile::find_nvcc()) {
        auto run = run_cub();
        if (!run) return run.error();
        cub = std::move(*run);
    }
    const auto time = time_report(*measured, *ours, cub, *probes);
    if (!time) return time.error();
    std::vector<JudgedLaunches> judged{
        {"programs: rules were held against them", time_errors(measured->pairs)},
        {"probes: rules were found with them", time_errors(probes->pairs)},
    };
    for (const KernelSet& set : kernel_sets) {
        const auto run = run_suite(set.recording, DeviceCode::lockstep, Size::measured);
        if (!run) return run.error();
        judged.push_back({fmt::format("{} (`{}`), from lockstep's code", set.what, set.recording),
                          time_errors(run->pairs)});
    }
    const auto published = run_published_tables(DeviceCode::nvcc),
               our_published = run_published_tables(DeviceCode::lockstep);
    if (!published) return published.error();
    if (!our_published) return our_published.error();
    const BothCodes programs{*measured, *ours};
    const CodeReport code =
        code_report(programs, {*probes, *our_probes}, *public_programs, *published, *our_published);
    fmt::print(
        "programs: {:.0f} s from nvcc's code, {:.0f} s from lockstep's; probes: {:.0f} s, {:.0f} s\n{}",
        measured->seconds, ours->seconds, probes->seconds, our_probes->seconds, validated_table(programs));

    std::string text = R"(# Validation: our counts and times beside a GPU's

Written by `make validation`; do not edit. [tests/validation](../tests/validation/README.md) has the programs, what an NVIDIA
H200 counted for them (Nsight Compute, nvcc 13.0 -O3 for compute capability 9.0), and nvcc's PTX of them. lockstep counted, and
predicted times, from that PTX and from what its own compiler makes of the sources. Where nothing else is said, *ours* is what lockstep found
from nvcc's PTX.

In the tables of counts, a number alone is the GPU's and ours; where they differ, *GPU / ours*; **bold** where ours is not as close as we want:
equal for everything that follows from the program (to the six digits that were recorded); instructions a warp and threads an
instruction within 10 %; registers within 4. Shared wavefronts: on a GPU a wavefront that has to wait for another warp's is counted
again, as a wavefront and as a bank conflict. So the GPU's may be more than ours, if both counters are more by the same number.

)";
    text += code.summary + *time + net_report(judged, gpu->timing.kernel_overhead_us * 1000) +
            published_report(*published);
    text += fmt::format("## Programs: summary\n\n{} launches, at the sizes that were measured.\n\n{}\n",
                        measured->pairs.size(), summary(*measured));
    for (const Section& section : sections)
        text += fmt::format("### {}\n\n{}\n", section.title, table(section, measured->pairs));
    text +=
        "### Occupancy\n\nTheoretical occupancy, what each resource alone would allow, and allocated shared "
        "memory, "
        "from ptxas' registers. " +
        *occupancy + "\n";
    text += "## Explained\n\n";
    for (const Exception& exception : *exceptions) {
        std::vector<std::string> launches;
        for (const auto& [program, kernel] : exception.launches)
            launches.push_back(fmt::format("`{}` of {}", kernel, program));
        text +=
            fmt::format("### {}\n\n{}.\n{}\n", exception.title, fmt::join(launches, ", "), exception.text);
    }
    text += fmt::format("### Misses without an explanation\n\n{}\n", unexplained(*measured, *exceptions));
    text += fmt::format("## Programs, from lockstep's own code: summary\n\n{}\n", summary(*ours));
    text += code.kernels;
    text += fmt::format(
        "## Probes: summary\n\n{} launches of small kernels, each of which asks one question.\n\n{}\n",
        probes->pairs.size(), summary(*probes));
    for (const Section& section : sections)
        text +=
            fmt::format("### {}: misses\n\n{}\n", section.title, table(section, misses(*probes, section)));
    return text;
}

}  // namespace
}  // namespace lockstep::validation

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: write_validation_report FILE\n");
        return 2;
    }
    const auto text = lockstep::validation::report();
    if (!text) {
        fmt::print(stderr, "{}\n", text.error().to_string());
        return 1;
    }
    std::ofstream out(argv[1]);
    out << *text;
    out.close();
    if (!out) {
        fmt::print(stderr, "{}: cannot be written\n", argv[1]);
        return 1;
    }
}
