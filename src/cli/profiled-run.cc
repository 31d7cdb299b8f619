#include "cli/profiled-run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "cli/measured-program.h"
#include "cli/models.h"
#include "cli/run-file-lock.h"
#include "compile/output-file.h"
#include "compile/version.h"
#include "report/file-limit.h"
#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/run-writer.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

Result<void> begin_run(const fs::path& file, const ProfileRequest& request, const StartableProgram& program) {
    auto models = device_models(request.program);
    if (!models) return models.error();
    std::vector<const gpu::GpuModel*> devices;
    for (const gpu::GpuModel& model : *models) devices.push_back(&model);
    const report::RunInfo info = report::describe_run(devices, compile::version(), program.command_line());
    return report::make_run_file(file, info, metrics::metrics());
}

// The run, complete in itself, takes the place of what was there.
Result<void> keep_run(const fs::path& from, const fs::path& file) {
    const report::FileLimitIsAnError guard;
    auto replacement = compile::Replacement::create(file);
    if (!replacement) return replacement.error();
    std::error_code error;
    fs::copy_file(from, replacement->path(), fs::copy_options::overwrite_existing, error);
    if (error) return Error{fmt::format("cannot write {}: {}", file.string(), error.message()), {}};
    // A journal of the earlier file would be taken for the new one's.
    for (const fs::path& old : report::run_file_remains(file)) fs::remove(old, error);
    if (fs::exists(report::incomplete_mark(from), error))
        if (auto marked = compile::write_file(report::incomplete_mark(file), "\n"); !marked) return marked;
    return replacement->commit();
}

// A line on the terminal that is written over, from the third second on.
class Progress {
  public:
    Progress(fs::path file, bool wanted) : file_(std::move(file)), on_(wanted && isatty(STDERR_FILENO)) {}
    ~Progress() {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }
    void tick() {
        if (!on_ || ++ticks_ < 3) return;
        if (const auto launches = report::launches_so_far(file_)) {
            fmt::print(stderr, "\r\033[Klockstep: {} profiled\r",
                       report::plural(*launches, "launch", "launches"));
            std::fflush(stderr);
            shown_ = true;
        }
    }

  private:
    fs::path file_;
    bool on_ = false, shown_ = false;
    int ticks_ = 0;
};

Result<compile::ExitStatus> simulate(const StartableProgram& program, const ProfileRequest& request,
                                     const fs::path& file) {
    if (auto begun = begin_run(file, request, program); !begun) return begun.error();
    set_variables(profile_variables(file, request.selection));
    Progress progress(file, !request.program.no_progress);
    pid_t process = 0;
    auto ended = run_and_wait(
        program,
        [&](pid_t started) {
            process = started;
            if (request.before) request.before(process, program.command_line());
        },
        [&] { progress.tick(); });
    // Where it cannot be written any more, the run is not complete, and says so.
    if (ended) (void)report::note_end(file, process, ended->code, ended->signal);
    return ended;
}

}  // namespace

int print_failures(const std::vector<report::Failure>& failures) {
    constexpr std::size_t most = 10;
    for (std::size_t f = 0; f < std::min(failures.size(), most); ++f) {
        const report::Failure& one = failures[f];
        fail(fmt::format("{}{} failed: {}", one.kernel.empty() ? "" : one.kernel + ": ",
                         report::plural(one.launches, "launch", "launches"), one.reason));
    }
    if (failures.size() > most)
        fail(fmt::format("… and launches failed for {} more reasons", failures.size() - most));
    return failures.empty() ? 0 : 1;
}

ProfiledRun run_profiled(const ProfileRequest& request, const Context& context) {
    ProfiledRun result;
    const auto give_up = [&](const Error& error) -> ProfiledRun {
        result.status = fail(error.to_string());
        return std::move(result);
    };
    std::optional<RunFileLock> lock;
    if (!request.run_file.empty()) {
        if (auto good = report::check_run_file(request.run_file); !good) return give_up(good.error());
        auto taken = RunFileLock::take(request.run_file);
        if (!taken) return give_up(taken.error());
        lock.emplace(std::move(*taken));
    }
    compile::TempDir::remove_abandoned();
    auto made = compile::TempDir::create();
    if (!made) return give_up(made.error());
    result.temporary = std::move(*made);
    const fs::path file = result.temporary->path() / "run.lockstep";
    Prepared prepared = prepare_program(request.command, request.program, request.rest, context);
    if (!prepared.program) {
        result.status = prepared.status;
        return result;
    }
    const StartableProgram& program = *prepared.program;
    const auto ended = request.program.hardware.empty() ? simulate(program, request, file)
                                                        : measure_program(program, request, file);
    if (!ended) return give_up(ended.error());
    if (request.after) request.after(program.command_line());
    result.status = exit_status(*ended);
    if (ended->signal) fail(fmt::format("{} {}", program.name, ended->to_string()));

    const auto also = [&](int status) {
        if (result.status == 0) result.status = status;
    };
    auto run = report::RunFile::open(file);
    if (run && !request.run_file.empty()) {
        auto kept = keep_run(file, request.run_file);
        if (kept)
            run = report::RunFile::open(request.run_file);
        else
            also(fail(kept.error().to_string()));
    }
    if (!run) {
        also(fail(run.error().to_string()));
        return result;
    }
    result.run = std::move(*run);
    also(print_failures(result.run->failures));
    if (request.needs_kernels && result.run->kernels.empty() && result.run->failures.empty()) {
        const bool filtered = request.selection.chooses();
        std::vector<std::string> others;
        for (const report::LeftOut& one : result.run->left_out) others.push_back(one.kernel);
        also(fail(fmt::format(
            "{}: nothing to show, no kernel was launched{}{}", program.name,
            filtered ? " that --kernels, --launch-skip and --launch-count let through" : "",
            filtered && !others.empty() ? fmt::format("; there were {}", fmt::join(others, ", ")) : "")));
    }
    if (result.run->launches_missing) also(1);
    return result;
}

ProfiledRun open_earlier(const std::string& file, const char* does, const std::vector<std::string>& rest,
                         const std::string& run_file, const LaunchSelection& selection) {
    ProfiledRun earlier;
    const auto refuse = [&](const char* why) {
        earlier.status = fail(fmt::format("--from {} an earlier run: {}", does, why), 2);
        return std::move(earlier);
    };
    if (!rest.empty()) return refuse("no program goes with it");
    if (!run_file.empty()) return refuse("-o has none to keep");
    auto run = report::RunFile::open(file);
    if (!run) {
        earlier.status = fail(run.error().to_string());
        return earlier;
    }
    run->keep_kernels(selection.kernels, *base::kernel_names(selection.names));
    earlier.status = print_failures(run->failures);
    earlier.run = std::move(*run);
    return earlier;
}

Variables profile_variables(const fs::path& file, const LaunchSelection& selection) {
    std::error_code ignored;
    Variables variables = selection_variables(selection);
    variables.emplace_back("LOCKSTEP_PROFILE", fs::absolute(file, ignored).string());
    return variables;
}

std::optional<int> check_tool_outputs(const std::string& tool, const ProfileRequest& profile,
                                      const Context& program, const std::string& log_file, bool overwrite) {
    std::error_code ignored;
    for (const std::string& file : {profile.run_file.string(), log_file})
        if (!file.empty() && !overwrite && std::filesystem::exists(file, ignored))
            return fail(fmt::format("{}: {} exists; -f overwrites it", tool, file), 2);
    using compile::Output;
    const std::array outputs = {Output{"--log-file", log_file},
                                Output{"-o", profile.run_file, Output::Kind::run_file}};
    const auto inputs = input_files(profile.program, profile.rest, program);
    if (auto good = compile::check_outputs(outputs, inputs); !good)
        return fail(tool + ": " + good.error().to_string(), 2);
    return {};
}

}  // namespace lockstep::cli
