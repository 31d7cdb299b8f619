#include "cli/lab-grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/paths.h"
#include "base/pattern.h"
#include "base/read-file.h"
#include "cli/environment.h"
#include "compile/files.h"
#include "compile/process.h"

namespace lockstep::cli {
namespace {

using Kind = Requirement::Kind;

// Seconds for a kernel: an exercise's own sizes take far less, and a loop without end is a usual mistake.
constexpr const char* time_limit = "10";
// … and for a whole program, with what its host does.
constexpr std::chrono::seconds program_limit{60};
constexpr int wrong_command_line = 2;

class Grader {
  public:
    Grader(const Requirements& requirements, std::filesystem::path file, std::filesystem::path scratch)
        : requirements_(requirements), file_(std::move(file)), scratch_(std::move(scratch)) {}

    Result<Grading> grade() {
        auto ran = on_program({"run"});
        if (!ran) return ran.error();
        Grading grading;
        if (!ran->status.ok()) {
            grading.failure = fmt::format("{}{}it {}", ran->output, ran->errors, ran->status.to_string());
            return grading;
        }
        output_ = ran->output;
        for (const Requirement& requirement : requirements_.list) {
            auto one = grade(requirement);
            if (!one) return one.error();
            grading.grades.push_back(std::move(*one));
        }
        return grading;
    }

  private:
    Result<compile::Finished> lockstep(compile::Arguments arguments) const {
        arguments.insert(arguments.begin(), base::module_file().string());
        const compile::Redirections caught{scratch_ / "output", scratch_ / "errors"};
        auto child = compile::Child::start(arguments, caught, {.own_group = true, .dies_with_parent = true});
        if (!child) return child.error();
        using Clock = std::chrono::steady_clock;
        const auto latest = Clock::now() + program_limit;
        std::optional<compile::ExitStatus> status;
        while (!(status = child->poll()) && Clock::now() < latest)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const bool too_long = !status;
        if (too_long) {
            child->kill();
            status = child->wait();
        }
        return compile::Finished{
            *status, base::read_file(caught.output).value_or(""),
            base::read_file(caught.errors).value_or("") +
                (too_long ? fmt::format("still running after {} seconds\n", program_limit.count()) : "")};
    }

    // A command with its options, on the learner's program.
    Result<compile::Finished> on_program(compile::Arguments arguments) const {
        if (!requirements_.gpu.empty()) arguments.insert(arguments.end(), {"--gpu", requirements_.gpu});
        arguments.insert(arguments.end(), {"--timeout", time_limit, file_.string(), "--"});
        arguments.insert(arguments.end(), requirements_.arguments.begin(), requirements_.arguments.end());
        return lockstep(std::move(arguments));
    }

    Result<Grade> grade(const Requirement& requirement) {
        switch (requirement.kind) {
            case Kind::output: return grade_output(requirement);
            case Kind::check: return grade_check(requirement);
            case Kind::profile: return grade_expectation(requirement, "profile");
            case Kind::explain: return grade_expectation(requirement, "explain");
        }
        return Grade{&requirement};
    }

    // What the program printed is told once, however many lines are missing there.
    Result<Grade> grade_output(const Requirement& requirement) {
        auto pattern = base::Pattern::create(requirement.text);
        if (!pattern) return Error{fmt::format("'{}': {}", requirement.text, pattern.error().message), {}};
        std::istringstream lines(output_);
        for (std::string line; std::getline(lines, line);)
            if (pattern->found_in(line)) return Grade{&requirement, true, ""};
        const std::string printed =
            output_.empty() ? "it prints nothing" : fmt::format("it prints\n{}", output_);
        return Grade{&requirement, false, std::exchange(output_told_, true) ? "" : printed};
    }

    Result<Grade> grade_check(const Requirement& requirement) const {
        auto checked = on_program({"check"});
        if (!checked) return checked.error();
        return Grade{&requirement, checked->status.ok(), checked->output + checked->errors};
    }

    // The program is watched once, for all expectations.
    Result<Grade> grade_expectation(const Requirement& requirement, const std::string& command) {
        const std::filesystem::path run = scratch_ / "run.lockstep";
        if (!watched_) {
            const bool explained =
                std::any_of(requirements_.list.begin(), requirements_.list.end(),
                            [](const Requirement& one) { return one.kind == Kind::explain; });
            auto watched = on_program({explained ? "explain" : "profile", "-o", run.string()});
            if (!watched) return watched.error();
            if (!watched->status.ok()) return Grade{&requirement, false, watched->errors};
            watched_ = true;
        }
        auto held = lockstep({command, "--from", run.string(), "--expect", requirement.text});
        if (!held) return held.error();
        if (held->status.code == wrong_command_line) return Error{held->errors, {}};
        return Grade{&requirement, held->status.ok(), first_finding(held->errors)};
    }

    // "lockstep: KERNEL: METRIC is VALUE (expected …)", without the command's name and its summary.
    static std::string first_finding(const std::string& errors) {
        constexpr std::string_view prefix = "lockstep: ";
        const std::string line = errors.substr(0, errors.find('\n'));
        return line.starts_with(prefix) ? line.substr(prefix.size()) : line;
    }

    const Requirements& requirements_;
    std::filesystem::path file_, scratch_;
    std::string output_;
    bool output_told_ = false, watched_ = false;
};

}  // namespace

Result<Grading> grade(const Requirements& requirements, const std::filesystem::path& file) {
    if (auto readable = compile::check_input(file); !readable) return readable.error();
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    set_variables({{"LOCKSTEP_GPU", ""}});  // requirements hold for the GPU that they were written for
    return Grader(requirements, file, scratch->path()).grade();
}

}  // namespace lockstep::cli
