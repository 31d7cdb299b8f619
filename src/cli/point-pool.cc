#include "cli/point-pool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "base/paths.h"
#include "cli/models.h"
#include "gpu/model-settings.h"
#include "report/run-writer.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_output = 16u << 10;

// The end of what a program has written: the reason of a failure stands there.
std::string tail_of(const fs::path& file) {
    std::string text = compile::read_file(file).value_or("");
    if (text.size() > most_output) text = "…" + text.substr(text.size() - most_output);
    return text;
}

std::string last_line(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n');
    std::string line(begin == std::string_view::npos ? text : text.substr(begin + 1));
    constexpr std::size_t most = 120;
    if (line.size() > most) line = line.substr(0, most) + "…";
    return line;
}

sweep::Outcome outcome_of(const fs::path& folder, pid_t process, const compile::ExitStatus& status,
                          const LaunchSelection& selection) {
    sweep::Outcome outcome;
    const fs::path file = folder / "run.lockstep";
    std::error_code ignored;
    // Without a single call of CUDA there is no run file.
    if (fs::exists(file, ignored)) {
        // Where it cannot be written any more, its process has left a mark that says so.
        (void)report::note_end(file, process, status.code, status.signal);
        auto run = report::RunFile::open(file);
        auto read = run ? sweep::read_outcome(*run) : Result<sweep::Outcome>(run.error());
        if (read)
            outcome = std::move(*read);
        else
            outcome.failure = read.error().message;
    }
    const std::string output = tail_of(folder / "stdout"), errors = tail_of(folder / "stderr");
    if (!status.ok() && outcome.failure.empty()) {
        const std::string last = last_line(errors.empty() ? output : errors);
        outcome.failure = fmt::format("{}{}{}", status.to_string(), last.empty() ? "" : ": ", last);
    }
    if (!outcome.failure.empty()) {
        outcome.output = output;
        outcome.errors = errors;
    } else if (outcome.kernels.empty()) {
        outcome.failure = outcome.left_out.empty()
                              ? "no kernel was launched"
                              : fmt::format("no kernel matches {}; there were {}", selection.kernels,
                                            fmt::join(outcome.left_out, ", "));
    }
    return outcome;
}

}  // namespace

compile::Arguments PointPool::command(const std::vector<std::string>& arguments,
                                      const fs::path& run_file) const {
    const StartableProgram& program = settings_.program;
    compile::Arguments words{program.name};
    if (settings_.on_hardware) {
        const LaunchSelection& selection = settings_.selection;
        words = {"lockstep", "profile", "--on", "gpu", "-o", run_file.string(), "--log", "/dev/null"};
        const auto add = [&](const char* option, const std::string& value) {
            words.insert(words.end(), {option, value});
        };
        if (settings_.hip) words.emplace_back("--hip");
        if (!selection.kernels.empty()) add("--kernels", selection.kernels);
        if (selection.launch_skip) add("--launch-skip", std::to_string(selection.launch_skip));
        if (selection.launch_count) add("--launch-count", std::to_string(*selection.launch_count));
        words.push_back(program.file.string());
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

Variables PointPool::variables(const sweep::Point& point, const fs::path& run_file) const {
    Variables result = profile_variables(run_file, settings_.selection);
    result.emplace_back("LOCKSTEP_THREADS", std::to_string(settings_.threads));
    const std::vector<sweep::Axis>& axes = settings_.axes;
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axes[a].kind == sweep::Axis::Kind::block) result.emplace_back("LOCKSTEP_BLOCK", point[a]);
    if (const std::string gpu = sweep::gpu_at(axes, point); !gpu.empty())
        result.emplace_back("LOCKSTEP_GPU", model_setting(gpu));
    if (const auto changed = sweep::settings_at(axes, point); !changed.empty())
        result.emplace_back("LOCKSTEP_SET", gpu::join_settings(changed));
    return result;
}

Result<void> PointPool::start(std::size_t number, const sweep::Point& point) {
    const StartableProgram& program = settings_.program;
    auto arguments = sweep::arguments_at(settings_.axes, point, program.arguments);
    if (!arguments) return arguments.error();
    const fs::path folder = settings_.scratch / std::to_string(number);
    std::error_code failed;
    fs::create_directory(folder, failed);
    if (failed) return Error{failed.message(), {folder.string()}};

    compile::Surroundings surroundings;
    surroundings.file = settings_.on_hardware ? base::module_file() : program.file;
    surroundings.input = "/dev/null";
    // A point is a program of its own, not a rank of the sweep.
    surroundings.environment =
        environment_with(variables(point, folder / "run.lockstep"), {"OMPI_", "PMIX_"});
    surroundings.own_group = true;
    surroundings.dies_with_parent = true;
    auto child = compile::Child::start(command(*arguments, folder / "run.lockstep"),
                                       {folder / "stdout", folder / "stderr"}, surroundings);
    if (!child) return child.error();
    running_.push_back({number, folder, *child});
    return {};
}

std::vector<std::pair<std::size_t, sweep::Outcome>> PointPool::collect() {
    std::vector<std::pair<std::size_t, sweep::Outcome>> ended;
    for (auto it = running_.begin(); it != running_.end();) {
        const auto status = it->child.poll();
        if (!status) {
            ++it;
            continue;
        }
        ended.emplace_back(it->number, outcome_of(it->folder, it->child.id(), *status, settings_.selection));
        std::error_code ignored;
        fs::remove_all(it->folder, ignored);
        it = running_.erase(it);
    }
    return ended;
}

void PointPool::kill() {
    for (Running& running : running_) running.child.kill();
    for (Running& running : running_) running.child.wait();
    running_.clear();
}

}  // namespace lockstep::cli
