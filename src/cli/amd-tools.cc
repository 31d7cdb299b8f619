// AMD's: rocprofv3, or the rocprof before it. They count as many counters as the GPU has registers for in one
// run of the program, and the program is run again for the others.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>

#include "base/demangle.h"
#include "base/has-word.h"
#include "base/pattern.h"
#include "base/trimmed.h"
#include "cli/gpu-tools.h"
#include "compile/toolchain.h"
#include "measure/amd.h"
#include "measure/ask-tool.h"
#include "measure/rocprof-metrics.h"
#include "measure/rocprof-recording.h"
#include "measure/rocprof-trace.h"
#include "report/metric-text.h"

namespace lockstep::cli {
namespace amd_tools {

namespace fs = std::filesystem;

constexpr const char* nothing_to_measure_with =
    "neither rocprofv3 nor rocprof, which come with ROCm, is installed (looked in PATH, $ROCM_PATH, "
    "$HIP_PATH and /opt/rocm): a program can be run on the AMD GPU, and not be measured";

// The program under a profiler that leaves its tables in a folder.
StartableProgram under(const measure::Rocprof& rocprof, const StartableProgram& program,
                       compile::Arguments options) {
    if (rocprof.is_v3) options.push_back("--");
    options.push_back(fs::absolute(program.file).string());
    options.insert(options.end(), program.arguments.begin(), program.arguments.end());
    return {rocprof.file, rocprof.file.string(), std::move(options), {}};
}

compile::Arguments v3_options(const fs::path& folder, compile::Arguments what) {
    // Mangled names become the same as those of simulated kernels; another format than CSV is newer versions'
    // own choice.
    what.insert(what.end(),
                {"--mangled-kernels", "--output-format", "csv", "--output-directory", folder.string()});
    return what;
}

compile::Arguments timing_options(const measure::Rocprof& rocprof, const fs::path& folder) {
    if (rocprof.is_v3) return v3_options(folder, {"--kernel-trace"});
    return {"--stats", "-o", (folder / "results.csv").string()};
}

// `pmc: A B` is a line of both tools' files.
std::string counter_line(const std::vector<std::string>& counters) {
    return fmt::format("pmc: {}\n", fmt::join(counters, " "));
}

Result<compile::Arguments> counting_options(const measure::Rocprof& rocprof, const fs::path& folder,
                                            const std::vector<std::string>& counters) {
    if (rocprof.is_v3) {
        compile::Arguments words{"--pmc"};
        words.insert(words.end(), counters.begin(), counters.end());
        return v3_options(folder, std::move(words));
    }
    const fs::path input = folder / "input.txt";
    if (auto written = compile::write_file(input, counter_line(counters)); !written) return written.error();
    return compile::Arguments{"-i", input.string(), "-o", (folder / "results.csv").string()};
}

// Of these, those that the tool says it has on this machine; all where it does not say.
std::vector<std::string> known_to(const measure::Rocprof& rocprof, std::vector<std::string> counters) {
    // -L lists them in every version of rocprofv3; what it prints differs.
    const auto told = measure::ask_tool(
        rocprof.is_v3 ? compile::Arguments{rocprof.file.string(), "-L"}
                      : compile::Arguments{rocprof.file.string(), "--list-basic", "--list-derived"});
    if (!told || !told->status.ok()) return counters;
    const std::string text = told->output + told->errors;
    const auto is_listed = [&](const std::string& name) { return base::has_word(text, name); };
    // A list without the one that every GPU has is none.
    if (!is_listed("SQ_WAVES")) return counters;
    std::erase_if(counters, [&](const std::string& name) { return !is_listed(name); });
    return counters;
}

// What lines of a log say why something failed: its last ones.
std::string last_lines(const std::string& log) {
    constexpr std::size_t most = 4;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t end = std::min(log.find('\n', at), log.size());
        if (const std::string line = base::trimmed(log.substr(at, end - at)); !line.empty())
            lines.push_back(line);
        at = end + 1;
    }
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - most);
    return fmt::format("{}", fmt::join(lines, "\n"));
}

bool has_tables(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
        if (entry.path().extension() == ".csv" &&
            measure::is_rocprof_csv(compile::read_file(entry.path()).value_or("")))
            return true;
    return false;
}

// The runs of a program that read its counters. Each leaves its tables in a folder of its own below `folder`.
class Passes {
  public:
    Passes(const measure::Rocprof& rocprof, const StartableProgram& program, fs::path folder, bool verbose)
        : rocprof_(rocprof), program_(program), folder_(std::move(folder)), verbose_(verbose) {}

    // What does not fit into one run, though it should, is divided.
    Result<void> count(const std::vector<std::string>& counters) {
        if (signal_ != 0 || refused_ || counters.empty()) return {};
        constexpr int most_tries = 60;
        if (tries_ == most_tries) {
            missing_.insert(missing_.end(), counters.begin(), counters.end());
            return {};
        }
        auto done = run(counters);
        if (!done) return done.error();
        if (*done) {
            ++succeeded_;
            return {};
        }
        if (succeeded_ == 0 && !probed_) {
            // The one that every GPU has, alone: without it there are none.
            probed_ = true;
            auto any = run({"SQ_WAVES"});
            if (!any) return any.error();
            refused_ = !*any;
            if (refused_) return {};
        }
        if (counters.size() == 1) {
            missing_.push_back(counters.front());
            return {};
        }
        const auto middle = counters.begin() + static_cast<std::ptrdiff_t>(counters.size() / 2);
        if (auto first = count({counters.begin(), middle}); !first) return first;
        return count({middle, counters.end()});
    }

    int succeeded() const { return succeeded_; }
    int signal() const { return signal_; }  // that has ended a run from without
    const std::vector<std::string>& missing() const { return missing_; }
    const std::string& log() const { return log_; }  // of the last run that failed
    bool inaccurate() const { return inaccurate_; }

  private:
    // Whether it left its table.
    Result<bool> run(const std::vector<std::string>& counters) {
        const fs::path folder = folder_ / fmt::format("counters-{}", ++tries_);
        std::error_code failed;
        fs::create_directories(folder, failed);
        if (failed) return Error{failed.message(), {folder.string()}};
        auto options = counting_options(rocprof_, folder, counters);
        if (!options) return options.error();
        const StartableProgram profiled = under(rocprof_, program_, std::move(*options));
        if (verbose_) fmt::print(stderr, "#$ {}\n", profiled.command_line());
        // The program has said what it has to say in its first run.
        auto ended = run_and_wait(profiled, {}, {}, folder_ / "log.txt");
        if (!ended) return ended.error();
        const std::string log = compile::read_file(folder_ / "log.txt").value_or("");
        inaccurate_ |= log.find("could not be locked for profiling") != std::string::npos;
        if (ended->signal == SIGINT || ended->signal == SIGTERM) signal_ = ended->signal;
        if (has_tables(folder)) return true;
        log_ = log.empty() ? fmt::format("it {}", ended->to_string()) : log;
        fs::remove_all(folder, failed);
        return false;
    }

    const measure::Rocprof& rocprof_;
    const StartableProgram& program_;
    fs::path folder_;
    bool verbose_ = false;
    int tries_ = 0, succeeded_ = 0, signal_ = 0;
    std::vector<std::string> missing_;
    std::string log_;
    bool probed_ = false, refused_ = false, inaccurate_ = false;
};

Result<void> check_selection(const LaunchSelection& selection) {
    if (selection.streams.empty() && selection.invocations.empty() && selection.nvtx_include.empty() &&
        selection.nvtx_exclude.empty() && selection.from_start)
        return {};
    return Error{"on an AMD GPU launches are chosen by --kernels, --launch-skip and --launch-count alone",
                 {}};
}

// As ncu counts: what is skipped first is of all kernels, the rest of those that match.
void keep_selected(const LaunchSelection& selection, std::vector<measure::MeasuredLaunch>& launches) {
    const base::Pattern kernels = *base::Pattern::create(selection.kernels);
    const base::KernelNames names = *base::kernel_names(selection.names);
    std::uint64_t seen = 0, matched = 0;
    std::erase_if(launches, [&](const measure::MeasuredLaunch& launch) {
        if (seen++ < selection.skip_before_match) return true;
        if (!kernels.found_in(base::chosen_name(launch.kernel, names))) return true;
        const std::uint64_t number = matched++;
        return number < selection.launch_skip ||
               (selection.launch_count && number - selection.launch_skip >= *selection.launch_count);
    });
}

class Tools : public GpuTools {
  public:
    std::string compiler() const override {
        const auto hipcc = compile::find_rocm_program("hipcc");
        return hipcc ? measure::name_and_version(*hipcc, "HIP version: ", "- \n") : "";
    }

    Result<Measured> measure(const StartableProgram& program, const ProfileRequest& request,
                             const fs::path& scratch) const override {
        if (auto good = check_selection(request.selection); !good) return good.error();
        const auto rocprof = measure::find_rocprof();
        if (!rocprof) return Error{nothing_to_measure_with, {}};
        const fs::path folder = scratch / "rocprof";
        auto ended = time(program, request, *rocprof, folder / "times");
        if (!ended) return ended.error();
        Measured measured{*ended, {}, rocprof->name()};
        if (!has_tables(folder)) return measured;  // nothing was launched
        if (ended->ok()) {
            auto counted = count(program, request, *rocprof, folder);
            if (!counted) return counted.error();
            if (*counted == 0) measured.by += ", times alone";
        }
        auto read = measure::read_rocprof_recording(folder);
        if (!read) return read.error();
        if (read->left_over != 0)
            fail(
                fmt::format("the program's runs differ: {} of a later one the first had not, and have no "
                            "counters",
                            report::plural(read->left_over, "launch", "launches")));
        measured.launches = std::move(read->launches);
        keep_selected(request.selection, measured.launches);
        return measured;
    }

    Result<TracedProgram> trace(const StartableProgram& program, report::TimelineInfo info,
                                const fs::path& scratch) const override {
        const auto rocprof = measure::find_rocprof();
        if (!rocprof || !rocprof->is_v3)
            return Error{"a timeline of an AMD GPU needs rocprofv3, which comes with ROCm 6.2 and later", {}};
        const fs::path folder = scratch / "rocprof";
        const StartableProgram profiled =
            under(*rocprof, program,
                  v3_options(folder, {"--kernel-trace", "--memory-copy-trace", "--hip-runtime-trace"}));
        auto ended = run_and_wait(profiled, {}, {});
        if (!ended) return ended.error();
        info.measured_by = rocprof->name();
        auto timelines = measure::read_rocprof_traces(folder, info);
        if (!timelines) return timelines.error();
        return TracedProgram{*ended, std::move(*timelines)};
    }

  private:
    // The first run, which the user sees.
    static Result<compile::ExitStatus> time(const StartableProgram& program, const ProfileRequest& request,
                                            const measure::Rocprof& rocprof, const fs::path& folder) {
        std::error_code failed;
        fs::create_directories(folder, failed);
        if (failed) return Error{failed.message(), {folder.string()}};
        const StartableProgram profiled = under(rocprof, program, timing_options(rocprof, folder));
        if (request.program.verbose) fmt::print(stderr, "#$ {}\n", profiled.command_line());
        return run_and_wait(profiled,
                            [&](pid_t started) {
                                if (request.before) request.before(started, program.command_line());
                            },
                            {});
    }

    // How many runs left counters. Where none did, the reason has been printed.
    static Result<int> count(const StartableProgram& program, const ProfileRequest& request,
                             const measure::Rocprof& rocprof, const fs::path& folder) {
        const auto wanted =
            measure::rocprof_counters(request.metrics, request.program.hardware.front().compute_capability);
        if (wanted.empty()) return 0;
        const auto counters = known_to(rocprof, wanted);
        Passes passes(rocprof, program, folder, request.program.verbose);
        for (const std::vector<std::string>& pass : measure::counter_passes(counters))
            if (auto done = passes.count(pass); !done) return done.error();
        if (passes.signal() != 0) return Error{"the program was stopped while its counters were read", {}};
        const std::string tool = rocprof.file.filename().string();
        if (passes.succeeded() == 0 && !counters.empty()) {
            fail(fmt::format("{} has read no counter, times alone are measured: it says\n{}", tool,
                             last_lines(passes.log())));
            return 0;
        }
        std::vector<std::string> missing = passes.missing();
        for (const std::string& name : wanted)
            if (std::ranges::find(counters, name) == counters.end()) missing.push_back(name);
        if (!missing.empty())
            fmt::print(stderr, "lockstep: this {}, or this GPU, has no {}\n", tool, fmt::join(missing, ", "));
        if (passes.inaccurate())
            fail(
                fmt::format("{} could not lock the GPU's clocks and counters for this user (capability "
                            "CAP_PERFMON): counters may be inaccurate",
                            tool));
        return passes.succeeded();
    }
};

}  // namespace amd_tools

const GpuTools& tools_of_amd() {
    static const amd_tools::Tools tools;
    return tools;
}

std::string rocprof_commands(const std::vector<std::string>& counters) {
    std::string lines;
    for (const std::vector<std::string>& pass : measure::counter_passes(counters))
        lines += amd_tools::counter_line(pass);
    return fmt::format(
        "cat > counters.txt <<'END'\n{}END\n"
        "rocprofv3 --kernel-trace --mangled-kernels --output-format csv -d measured/times -- ./program\n"
        "rocprofv3 -i counters.txt --mangled-kernels --output-format csv -d measured/counters -- ./program\n",
        lines);
}

}  // namespace lockstep::cli
