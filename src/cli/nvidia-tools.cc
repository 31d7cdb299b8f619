// NVIDIA's: Nsight Compute reads counters, CUPTI times.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/gpu-tools.h"
#include "compile/toolchain.h"
#include "measure/ask-tool.h"
#include "measure/gpu-trace.h"
#include "measure/measured-run.h"
#include "measure/ncu-csv.h"
#include "measure/ncu-metrics.h"
#include "measure/nvidia.h"

namespace lockstep::cli {
namespace nvidia_tools {

namespace fs = std::filesystem;

// What ncu is told of the launches that are wanted.
std::vector<std::string> ncu_selection(const LaunchSelection& selection) {
    std::vector<std::string> words;
    if (!selection.kernels.empty()) {
        words.insert(words.end(), {"--kernel-name", "regex:" + selection.kernels, "--kernel-name-base",
                                   selection.names.empty() ? "demangled" : selection.names});
    }
    if (selection.launch_skip)
        words.insert(words.end(), {"--launch-skip", std::to_string(selection.launch_skip)});
    if (selection.launch_count)
        words.insert(words.end(), {"--launch-count", std::to_string(*selection.launch_count)});
    if (selection.skip_before_match)
        words.insert(words.end(),
                     {"--launch-skip-before-match", std::to_string(selection.skip_before_match)});
    if (!selection.from_start) words.insert(words.end(), {"--profile-from-start", "off"});
    const auto ranges = [&](const char* option, const std::string& patterns) {
        for (std::size_t at = 0; at < patterns.size();) {
            const std::size_t end = std::min(patterns.find('\n', at), patterns.size());
            if (end > at) words.insert(words.end(), {"--nvtx", option, patterns.substr(at, end - at)});
            at = end + 1;
        }
    };
    ranges("--nvtx-include", selection.nvtx_include);
    ranges("--nvtx-exclude", selection.nvtx_exclude);
    return words;
}

// "==ERROR== Failed to find metric regex:^NAME\.(sum|…)$": this ncu, or this GPU, has no such metric.
std::vector<std::string> unknown_metrics(const std::string& log) {
    constexpr std::string_view mark = "Failed to find metric ", regex = "regex:^";
    std::vector<std::string> names;
    for (std::size_t at = log.find(mark); at != std::string::npos; at = log.find(mark, at)) {
        at += mark.size();
        std::string_view name = std::string_view(log).substr(at, log.find('\n', at) - at);
        if (name.starts_with(regex)) name.remove_prefix(regex.size());
        names.emplace_back(name.substr(0, name.find_first_of("\\.( ")));
    }
    return names;
}

constexpr const char* no_permission = "ERR_NVGPUCTRPERM";
constexpr const char* about_permission =
    "counters may not be read here (ERR_NVGPUCTRPERM): NVIDIA's driver gives them to root alone unless an "
    "administrator loads it with NVreg_RestrictProfilingToAdminUsers=0 (a line \"options nvidia "
    "NVreg_RestrictProfilingToAdminUsers=0\" in /etc/modprobe.d, then a restart; in a container "
    "--cap-add=SYS_ADMIN)";

struct Counted {
    compile::ExitStatus ended;
    std::string log;
};

// Runs it under ncu, again without metrics that this ncu does not have.
Result<Counted> run_under_ncu(const StartableProgram& program, const ProfileRequest& request,
                              const fs::path& ncu, std::vector<std::string> metrics,
                              const fs::path& scratch) {
    constexpr int most_tries = 40;
    for (int tries = 0;; ++tries) {
        const fs::path log = scratch / "ncu.csv";
        StartableProgram profiler{ncu, ncu.string(), ncu_arguments(metrics), {}};
        const auto add = [&](const std::vector<std::string>& words) {
            profiler.arguments.insert(profiler.arguments.end(), words.begin(), words.end());
        };
        add({"--log-file", log.string(), "-f"});
        add(ncu_selection(request.selection));
        add({program.file.string()});
        add(program.arguments);
        if (request.program.verbose) fmt::print(stderr, "#$ {}\n", profiler.command_line());
        auto ended = run_and_wait(profiler,
                                  [&](pid_t started) {
                                      if (request.before && tries == 0)
                                          request.before(started, program.command_line());
                                  },
                                  {});
        if (!ended) return ended.error();
        Counted counted{*ended, compile::read_file(log).value_or("")};
        const auto unknown = unknown_metrics(counted.log);
        const std::size_t before = metrics.size();
        std::erase_if(metrics, [&](const std::string& metric) {
            return std::ranges::find(unknown, metric.substr(0, metric.find('.'))) != unknown.end();
        });
        if (metrics.size() == before || metrics.empty() || tries == most_tries) return counted;
        fmt::print(stderr,
                   "lockstep: this ncu, or this GPU, has no {}: the program is started again without\n",
                   fmt::join(unknown, ", "));
    }
}

class Tools : public GpuTools {
  public:
    std::string compiler() const override {
        const auto nvcc = compile::find_cuda_program("nvcc");
        return nvcc ? measure::name_and_version(*nvcc, "release ", ", \n") : "";
    }

    Result<Measured> measure(const StartableProgram& program, const ProfileRequest& request,
                             const fs::path& scratch) const override {
        const auto ncu = measure::find_ncu();
        if (!ncu) {
            fail("ncu (Nsight Compute) is not installed: times alone are measured");
            return time(program, scratch);
        }
        auto counted =
            run_under_ncu(program, request, ncu->file, measure::ncu_names(request.metrics), scratch);
        if (!counted) return counted.error();
        if (counted->log.find(no_permission) != std::string::npos) {
            fail(fmt::format("{}; times alone are measured", about_permission));
            return time(program, scratch);
        }
        Measured measured{counted->ended, {}, "ncu " + ncu->version};
        auto read = measure::read_ncu_csv(counted->log, "ncu's output");
        // Without a table nothing was launched, or ncu failed: it says which.
        if (!read) {
            std::string said;
            for (const std::string& line : measure::ncu_messages(counted->log))
                if (line.starts_with("==ERROR==")) said += "\n" + line;
            if (!said.empty()) return Error{fmt::format("ncu did not measure {}:{}", program.name, said), {}};
        } else {
            measured.launches = std::move(read->launches);
        }
        return measured;
    }

    Result<TracedProgram> trace(const StartableProgram& program, report::TimelineInfo info,
                                const fs::path& scratch) const override {
        auto nvcc = compile::find_nvcc();
        if (!nvcc) return nvcc.error();
        const fs::path library = scratch / "trace.so", records = scratch / "records";
        if (auto built = measure::build_trace_library(*nvcc, library); !built) return built.error();
        set_variables({{measure::TraceVariables::library, library.string()},
                       {measure::TraceVariables::file, records.string()}});
        auto ended = run_and_wait(program, {}, {});
        set_variables({{measure::TraceVariables::library, ""}, {measure::TraceVariables::file, ""}});
        if (!ended) return ended.error();
        TracedProgram traced{*ended, {}};
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(scratch))
            if (entry.path().stem() == records.filename()) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        info.measured_by = "CUPTI";
        for (const fs::path& one : files) {
            auto timeline = measure::read_trace(compile::read_file(one).value_or(""), one.string(), info);
            if (!timeline) return timeline.error();
            traced.timelines.push_back(std::move(*timeline));
        }
        return traced;
    }

  private:
    Result<Measured> time(const StartableProgram& program, const fs::path& scratch) const {
        auto traced = trace(program, {}, scratch);
        if (!traced) return traced.error();
        Measured measured{traced->ended, {}, "CUPTI, times alone"};
        for (const report::Timeline& one : traced->timelines)
            for (measure::MeasuredLaunch& launch : measure::timed_launches(one.operations))
                measured.launches.push_back(std::move(launch));
        return measured;
    }
};

}  // namespace nvidia_tools

std::vector<std::string> ncu_arguments(const std::vector<std::string>& metrics) {
    return {"--target-processes",
            "all",
            "--clock-control",
            "none",
            "--csv",
            "--page",
            "raw",
            "--print-units",
            "base",
            "--metrics",
            fmt::format("{}", fmt::join(metrics, ","))};
}

const GpuTools& tools_of_nvidia() {
    static const nvidia_tools::Tools tools;
    return tools;
}

}  // namespace lockstep::cli
