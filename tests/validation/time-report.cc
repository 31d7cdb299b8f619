#include "time-report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "percent.h"

namespace lockstep::validation {
namespace {

constexpr const char* occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* l1_hit_rate = "l1tex__t_sector_hit_rate.pct";
constexpr const char* long_scoreboard =
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";

// Without the parameters of CUB's templates, which fill lines.
std::string launch_name(const Row& row) {
    std::string kernel = short_name(row.kernel);
    if (kernel.starts_with("cub::")) kernel = kernel.substr(0, kernel.find('<'));
    return fmt::format("`{}` {} {}", kernel, to_string(row.grid), to_string(row.block));
}

// "GPU / ours" of a metric, in its unit or a multiple of it.
std::string both(const Pair& pair, const std::string& metric, int decimals, double unit = 1) {
    const auto cell = [&](const Row& row) {
        const auto value = row.values.find(metric);
        return value == row.values.end() ? "–" : fmt::format("{:.{}f}", value->second / unit, decimals);
    };
    return cell(*pair.recorded) + " / " + cell(*pair.ours);
}

std::vector<std::string> programs_of(std::span<const TimeError> errors) {
    std::vector<std::string> names;
    for (const TimeError& error : errors)
        if (std::ranges::find(names, error.pair.recorded->program) == names.end())
            names.push_back(error.pair.recorded->program);
    return names;
}

std::string summary_line(const std::string& title, std::span<const TimeError> errors) {
    const TimeSummary summary = summarize(errors);
    return fmt::format("| {} | {} | {} | {} | {} | {}: {} |\n", title, summary.launches,
                       percent(summary.mean), summary.within_10, summary.within_20,
                       launch_name(*summary.worst.pair.recorded), signed_percent(summary.worst.relative()));
}

std::string summary_table(std::span<const TimeError> errors, std::span<const TimeError> cub) {
    std::string text =
        "| program | launches | mean error | within 10 % | within 20 % | worst "
        "|\n|---|--:|--:|--:|--:|---|\n";
    for (const std::string& program : programs_of(errors))
        text += summary_line(program, of_program(errors, program));
    text += summary_line("**all**", errors);
    if (!cub.empty())
        text += summary_line("cub::DeviceReduce, from what nvcc makes here; not part of *all*", cub);
    return text;
}

// What we want of the times, and whether it is so.
std::string goal_table(std::span<const TimeError> errors, bool found_slower_step) {
    std::string text = "| wanted | is | |\n|---|--:|---|\n";
    const auto line = [&](const std::string& wanted, const std::string& is, bool met) {
        text += fmt::format("| {} | {} | {} |\n", wanted, is, met ? "met" : "**missed**");
    };
    const TimeSummary summary = summarize(errors);
    line("mean error at most 20 %", percent(summary.mean), summary.mean <= 0.20);
    line("none wrong by more than a factor of 2", fmt::format("{:.2f}", summary.worst.factor()),
         summary.worst.factor() <= 2);
    for (const char* program : {"sum_matrix", "reduce_int", "reduce_shared"}) {
        const auto ladder = of_program(errors, program);
        const double tau = order(ladder);
        line(fmt::format("Kendall's tau at least 0.8 over the {} launches of {}", ladder.size(), program),
             fmt::format("{:.2f}", tau), tau >= 0.8);
    }
    line("`unrolling<8>` faster than `unrollWarps8`", found_slower_step ? "yes" : "no", found_slower_step);
    return text;
}

// `ours` are the same launches.
std::string launch_table(std::span<const TimeError> errors, std::span<const TimeError> ours) {
    std::string text =
        "| program | kernel | grid | block | time (µs) | error | occupancy (%) | DRAM read (MB) | DRAM "
        "written (MB) | from lockstep's code: time (µs) | error "
        "|\n|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n";
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const TimeError& error = errors[i];
        const Row& row = *error.pair.recorded;
        text += fmt::format("| {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {} |\n", row.program,
                            short_name(row.kernel), to_string(row.grid), to_string(row.block),
                            both(error.pair, duration, 2, 1e3), signed_percent(error.relative()),
                            both(error.pair, occupancy, 1), both(error.pair, "dram__bytes_read.sum", 2, 1e6),
                            both(error.pair, "dram__bytes_write.sum", 2, 1e6), ours[i].predicted / 1e3,
                            signed_percent(ours[i].relative()));
    }
    return text;
}

// The step of the ladder of integer reductions that is slower than the one before it.
struct SlowerStep {
    const TimeError *before = nullptr, *step = nullptr;

    bool found() const { return before->predicted < step->predicted; }
};

Result<SlowerStep> find_slower_step(std::span<const TimeError> errors) {
    SlowerStep result;
    for (const TimeError& error : errors) {
        if (error.pair.recorded->program != "reduce_int") continue;
        if (short_name(error.pair.recorded->kernel) == "unrolling<8>") result.before = &error;
        if (short_name(error.pair.recorded->kernel) == "unrollWarps8") result.step = &error;
    }
    if (!result.before || !result.step) return Error{"no times of unrolling<8> and unrollWarps8", {}};
    return result;
}

std::string slower_step_text(const SlowerStep& pair) {
    const TimeError *plain = pair.before, *warps = pair.step;
    std::string text = fmt::format(
        "`unrolling<8>` ends with a loop of six rounds and barriers; `unrollWarps8` does the same rounds in "
        "the last warp alone, "
        "without a barrier, and on older GPUs it is the faster one. On an H200 it is slower, by {} in the "
        "measurement. "
        "Predicted: {} by {}.\n\n",
        percent(warps->measured / plain->measured - 1), pair.found() ? "slower, too," : "**faster**",
        percent(std::fabs(warps->predicted / plain->predicted - 1)));
    text +=
        "| kernel | time (µs) | L1 hit rate (%) | occupancy (%) | warps that wait for memory, for each "
        "issued instruction "
        "|\n|---|--:|--:|--:|--:|\n";
    for (const TimeError* one : {plain, warps})
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", short_name(one->pair.recorded->kernel),
                            both(one->pair, duration, 2, 1e3), both(one->pair, l1_hit_rate, 1),
                            both(one->pair, occupancy, 1), both(one->pair, long_scoreboard, 1));
    text += R"(
Why: the last warp reads through `volatile`. Such loads are not served by the L1, which the hit rate shows; each goes to the L2, and
each of the six rounds has to wait for the one before it. The other 15 warps of the block have ended by then, but the block keeps its
place on the SM until its last warp ends. So occupancy falls: fewer blocks are reading from memory at any time, and the whole takes
longer. The loop with barriers executes more instructions, but its loads hit the L1.
)";
    return text;
}

Result<std::string> event_table(std::span<const TimeError> errors) {
    const auto rows =
        read_recording(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation/h200-times.csv");
    if (!rows) return rows.error();
    std::string text =
        "| program | kernel | grid | block | events (µs) | ncu (µs) | predicted (µs) "
        "|\n|---|---|---|---|--:|--:|--:|\n";
    for (const Row& row : *rows) {
        const auto same = std::ranges::find_if(errors, [&](const TimeError& error) {
            const Row& one = *error.pair.recorded;
            return one.program == row.program && one.kernel == row.kernel && one.grid == row.grid &&
                   one.block == row.block;
        });
        if (same == errors.end())
            return Error{fmt::format("h200-times.csv: no launch of {} of {}", row.kernel, row.program), {}};
        text += fmt::format("| {} | `{}` | {} | {} | {:.1f} | {:.1f} | {:.1f} |\n", row.program,
                            short_name(row.kernel), to_string(row.grid), to_string(row.block),
                            1e3 * row.values.at("elapsed_ms"), same->measured / 1e3, same->predicted / 1e3);
    }
    return text;
}

// How far the numbers that explain a time are from the GPU's.
std::string difference_table(const Suite& suite) {
    std::string text =
        "| metric | launches | mean on the GPU | mean here | mean difference | median difference "
        "|\n|---|--:|--:|--:|--:|--:|\n";
    for (const std::string& metric : predicted_metrics()) {
        if (metric == duration) continue;
        double gpu = 0, here = 0, difference = 0;
        std::vector<double> differences;
        for (const Pair& pair : suite.pairs) {
            const auto recorded = pair.recorded->values.find(metric), ours = pair.ours->values.find(metric);
            if (recorded == pair.recorded->values.end() || ours == pair.ours->values.end()) continue;
            if (metric.ends_with(".pct") && recorded->second > 100) continue;
            gpu += recorded->second;
            here += ours->second;
            differences.push_back(std::fabs(recorded->second - ours->second));
            difference += differences.back();
        }
        if (differences.empty()) continue;
        const auto n = static_cast<double>(differences.size());
        text += fmt::format("| `{}` | {} | {:.4g} | {:.4g} | {:.4g} | {:.4g} |\n", metric, differences.size(),
                            gpu / n, here / n, difference / n, median(differences));
    }
    return text;
}

std::string worst_table(std::vector<TimeError> errors, std::size_t count) {
    std::ranges::stable_sort(errors, std::greater<>(), [](const TimeError& error) { return error.factor(); });
    errors.resize(std::min(count, errors.size()));
    std::string text = "| program | kernel | grid | block | time (µs) | error |\n|---|---|---|---|--:|--:|\n";
    for (const TimeError& error : errors) {
        const Row& row = *error.pair.recorded;
        text += fmt::format("| {} | `{}` | {} | {} | {} | {} |\n", row.program, short_name(row.kernel),
                            to_string(row.grid), to_string(row.block), both(error.pair, duration, 2, 1e3),
                            signed_percent(error.relative()));
    }
    return text;
}

}  // namespace

Result<std::string> time_report(const Suite& measured, const Suite& ours, const std::optional<CubRun>& cub,
                                const Suite& probes) {
    const auto errors = time_errors(measured.pairs);
    const auto probe_errors = time_errors(probes.pairs);
    const auto our_errors = time_errors(ours.pairs);
    if (errors.size() != measured.pairs.size() || our_errors.size() != errors.size() ||
        probe_errors.size() != probes.pairs.size())
        return Error{"launches without a predicted or a measured time", {}};
    const auto slower_step = find_slower_step(errors);
    if (!slower_step) return slower_step.error();
    const auto events = event_table(errors);
    if (!events) return events.error();
    const auto cub_errors = cub ? time_errors(cub->pairs) : std::vector<TimeError>();
    std::string text = R"(## Predicted time, from nvcc's code

`gpu__time_duration.sum` of every recorded launch, and what lockstep predicts with `--gpu h200`. An error is *predicted / measured - 1*;
a mean error is the mean of their sizes. The model's figures come from microbenchmarks
([bench/hardware](../bench/hardware/README.md)) and publications, not from these launches; `gpus/h200.toml` names the source of each. Pairs in tables are *GPU / ours*.

)";
    text += summary_table(errors, cub_errors) + "\n";
    text += fmt::format(
        "### What was wanted\n\nKendall's tau says whether the launches of a program are in the right order "
        "by "
        "time: 1 is the same order, -1 the opposite one.\n\n{}\n",
        goal_table(errors, slower_step->found()));
    text +=
        fmt::format("### A slower step of the ladder: unrollWarps8\n\n{}\n", slower_step_text(*slower_step));
    text += fmt::format(
        "### Every launch\n\nThe last columns are from lockstep's own code; all others from nvcc's.\n\n{}\n",
        launch_table(errors, our_errors));
    text += fmt::format(
        "### Beside CUDA events\n\nThe same launches without a profiler, timed with CUDA events: the median "
        "of 9 to 15 runs. Events "
        "include about 2 to 5 µs of a launch that Nsight Compute leaves out, and caches keep what the run "
        "before has left in them, "
        "while Nsight Compute flushes them. The prediction is for flushed caches.\n\n{}\n",
        *events);
    text += fmt::format(
        "### Caches and stall reasons\n\nWhat explains the times, over all launches of the programs. Stall "
        "reasons are warps that wait for each "
        "instruction issued; this is large where few instructions are issued. Hit rates over 100 %, which "
        "Nsight Compute gives for "
        "some small launches, are left out.\n\n{}\n",
        difference_table(measured));
    text += fmt::format(
        "## Predicted time of the probes\n\nSmall kernels, a few µs each, from which no figure of the "
        "model comes.\n\n"
        "| probes | launches | mean error | within 10 % | within 20 % | worst "
        "|\n|---|--:|--:|--:|--:|---|\n");
    for (const std::string& program : programs_of(probe_errors))
        text += summary_line(program, of_program(probe_errors, program));
    text += summary_line("**all**", probe_errors);
    text += fmt::format("\n### The ten worst\n\n{}\n### Caches and stall reasons of the probes\n\n{}\n",
                        worst_table(probe_errors, 10), difference_table(probes));
    return text;
}

std::string net_report(std::span<const JudgedLaunches> sets, double overhead) {
    std::string text = fmt::format(
        "## What was fitted, and what judges\n\nEvery launch takes {:.2f} µs, even of an empty kernel, and "
        "most of the small ones' time is that. *Net* is without it: it is taken from both times, and "
        "launches "
        "that measured at most 0.3 µs longer are left out.\n\n"
        "| launches | how many | mean error | median | within 20 % | net: how many | mean error | median | "
        "within 20 % |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        overhead / 1e3);
    for (const JudgedLaunches& set : sets) {
        const auto cells = [](std::span<const TimeError> errors) {
            const TimeSummary summary = summarize(errors);
            return fmt::format(
                "{} | {} | {} | {:.0f} %", summary.launches, percent(summary.mean), percent(summary.median),
                100.0 * static_cast<double>(summary.within_20) / static_cast<double>(summary.launches));
        };
        text += fmt::format("| {} | {} | {} |\n", set.title, cells(set.errors),
                            cells(net_of(set.errors, overhead)));
    }
    return text + "\n";
}

std::string published_report(const std::vector<PublishedTable>& tables) {
    std::string text = R"(## Predicted time on other GPUs

Times that others published for the same kernels and sizes, and what lockstep predicts with their GPU's model. These models' figures are published ones, or
assumed; what memory reaches at best comes from the fastest launches of some of these tables (`gpus/*.toml` says so), all else only judges. The programs are
compiled from the same PTX as above, not by the authors' compilers. The times are as published: by a timer of the host, from a bandwidth, or where it says so from
nvprof's throughput of loads and the bytes that the kernel loads. `streams` is executed in part ([--sample](sample.md)). Ratios are to the fastest launch of the table.

The P2000's two tables are one author's, of the same kernels: the host's timer says 2.0 to 2.4 times as long as nvprof's throughput. Such a factor, nearly the same for a kernel that diverges
and for one that does not, is what clocks that have not come up yet would give. Predictions are for the largest clock.

)";
    for (const PublishedTable& table : tables) {
        text += fmt::format(
            "### {}: {}\n\nFrom \"{}\"{}. Kendall's tau: {:.2f}; mean error of time: {}.\n\n"
            "| kernel | block | published (ms) | predicted (ms) | ratio published | ratio predicted | "
            "occupancy published (%) | "
            "predicted (%) |\n|---|---|--:|--:|--:|--:|--:|--:|\n",
            table.gpu, table.program, table.source, table.from_throughput ? "; times from throughput" : "",
            table.order(), percent(table.mean_error()));
        for (const PublishedLine& line : table.lines) {
            const auto occupancy_of = [](const Row& row) {
                const auto value = row.values.find("achieved_occupancy");
                return value == row.values.end() ? std::string("–")
                                                 : fmt::format("{:.1f}", 100 * value->second);
            };
            text += fmt::format("| `{}` | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {} |\n",
                                short_name(line.theirs.kernel), to_string(line.theirs.block), line.their_ms,
                                line.our_ms, line.their_ms / table.fastest(&PublishedLine::their_ms),
                                line.our_ms / table.fastest(&PublishedLine::our_ms),
                                occupancy_of(line.theirs), occupancy_of(line.ours));
        }
        text += "\n";
    }
    return text;
}

}  // namespace lockstep::validation
