#include "cli/profiled-run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>

#include "cli/models.h"
#include "compile/version.h"
#include "report/file-limit.h"
#include "report/run-info.h"
#include "report/run-writer.h"
#include "report/table.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

Result<void> begin_run(const fs::path& file, const ProfileRequest& request, const StartableProgram& program) {
    auto model = chosen_model_for_code(request.program.gpu, request.program.settings);
    if (!model) return model.error();
    const report::RunInfo info = report::describe_run(*model, compile::version(), program.command_line());
    auto writer = report::RunWriter::open(file, info, counters::metrics());
    if (!writer) return writer.error();
    return {};
}

// A line on the terminal that is written over, from the third second on.
class Progress {
  public:
    explicit Progress(fs::path file) : file_(std::move(file)), on_(isatty(STDERR_FILENO)) {}
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

}  // namespace

ProfiledRun run_profiled(const ProfileRequest& request, const Context& context) {
    ProfiledRun result;
    fs::path file = request.run_file;
    if (file.empty()) {
        auto made = compile::TempDir::create();
        if (!made) {
            result.status = fail(made.error().to_string());
            return result;
        }
        result.temporary = std::move(*made);
        file = result.temporary->path() / "run.lockstep";
    } else if (auto removed = report::remove_run_file(file); !removed) {
        result.status = fail(removed.error().to_string());
        return result;
    }
    Prepared prepared = prepare_program(request.command, request.program, request.rest, context);
    if (!prepared.program) {
        result.status = prepared.status;
        return result;
    }
    const StartableProgram& program = *prepared.program;
    if (auto begun = begin_run(file, request, program); !begun) {
        result.status = fail(begun.error().to_string());
        return result;
    }
    set_variables(profile_variables(file, request.selection));

    Result<compile::ExitStatus> ended = compile::ExitStatus{};
    {
        Progress progress(file);
        ended = run_and_wait(
            program,
            [&](pid_t process) {
                if (request.before) request.before(process, program.command_line());
            },
            [&] { progress.tick(); });
    }
    if (!ended) {
        result.status = fail(ended.error().to_string());
        return result;
    }
    if (request.after) request.after(program.command_line());
    result.status = exit_status(*ended);
    if (ended->signal) fail(fmt::format("{} {}", program.name, ended->to_string()));

    auto run = report::RunFile::open(file);
    if (!run) {
        const int status = fail(run.error().to_string());
        if (result.status == 0) result.status = status;
        return result;
    }
    result.run = std::move(*run);
    if (result.run->kernels.empty()) {
        const LaunchSelection& asked = request.selection;
        const bool filtered = !asked.kernels.empty() || asked.launch_skip != 0 || asked.launch_count;
        std::vector<std::string> others;
        for (const report::LeftOut& one : result.run->left_out) others.push_back(one.kernel);
        const int status = fail(fmt::format(
            "{}: nothing to show, no kernel was launched{}{}", program.name,
            filtered ? " that --kernels, --launch-skip and --launch-count let through" : "",
            filtered && !others.empty() ? fmt::format("; there were {}", fmt::join(others, ", ")) : ""));
        if (result.status == 0) result.status = status;
    }
    if (result.run->incomplete && result.status == 0) result.status = 1;
    return result;
}

Variables profile_variables(const fs::path& file, const LaunchSelection& selection) {
    std::error_code ignored;
    return {
        {"LOCKSTEP_PROFILE", fs::absolute(file, ignored).string()},
        {"LOCKSTEP_KERNELS", selection.kernels},
        {"LOCKSTEP_LAUNCH_SKIP", selection.launch_skip == 0 ? "" : std::to_string(selection.launch_skip)},
        {"LOCKSTEP_LAUNCH_COUNT", selection.launch_count ? std::to_string(*selection.launch_count) : ""},
    };
}

Result<void> check_regex(const std::string& option, const std::string& regex) {
    try {
        (void)std::regex(regex);
        return {};
    } catch (const std::regex_error& error) {
        return Error{fmt::format("{} {}: not a regular expression ({})", option, regex, error.what()), {}};
    }
}

int write_output(const std::string& file, const std::string& text) {
    if (file == "-") {
        const bool good =
            std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
        return good ? 0 : fail("cannot write to the standard output");
    }
    const report::FileLimitIsAnError guard;
    auto written = compile::write_file(file, text);
    return written ? 0 : fail(written.error().to_string());
}

}  // namespace lockstep::cli
