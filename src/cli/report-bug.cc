// lockstep report-bug: what somebody needs who is to find out why a program does not work, in one file.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <sstream>
#include <utility>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/device-code.h"
#include "cli/models.h"
#include "cli/option-checks.h"
#include "cli/start-program.h"
#include "compile/files.h"
#include "compile/hipcc-plan.h"
#include "compile/output-file.h"
#include "compile/process.h"
#include "gpu/model-settings.h"

extern char** environ;

namespace lockstep::cli {
namespace report_bug_command {

namespace fs = std::filesystem;

struct Options {
    std::string gpu, output = "lockstep-bug.tar.gz";
    std::vector<std::string> settings;
    bool with_sources = false, with_output = false, no_run = false;
};

constexpr const char* synopsis =
    "lockstep report-bug [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep report-bug [OPTIONS] EXECUTABLE [ARGUMENTS]\n\n";
constexpr const char* footer =
    "The program is compiled and run once, and these go into the file: what lockstep and the compiler say of "
    "it, how it "
    "ended, its\n"
    "device code as PTX (or AMD's assembly), the GPU model, versions and settings. Its sources and its own "
    "output stay here "
    "unless\n"
    "--with-sources and --with-output allow it. PTX holds the names of functions, variables and files, and "
    "constant strings: "
    "look\n"
    "at the file before you send it.\n"
    "Example:\n"
    "  lockstep report-bug --gpu gtx1650 -O3 reduce.cu -- 1024";

constexpr int most_seconds = 120;

// Lines that name a place and what is wrong there; the lines of the source that compilers show stay out.
std::string without_sources(const std::string& messages) {
    std::string kept;
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == ' ' || line[0] == '\t') continue;
        for (const char* mark : {"error:", ": warning:", ": note:", "lockstep:", "undefined reference"})
            if (line.find(mark) != std::string::npos) {
                kept += line + "\n";
                break;
            }
    }
    return kept;
}

class Report {
  public:
    Report(const Options& options, fs::path folder, fs::path scratch)
        : options_(options), folder_(std::move(folder)), scratch_(std::move(scratch)) {}

    Result<void> collect(const std::vector<std::string>& rest, const std::vector<std::string>& arguments) {
        const std::string self = base::module_file().string();
        if (auto done = keep("doctor.json", run({self, "doctor", "--json", "-"}).output); !done) return done;
        if (auto done = keep("settings.txt", settings()); !done) return done;
        if (auto done = keep_model(); !done) return done;
        if (!options_.gpu.empty()) setenv("LOCKSTEP_GPU", model_setting(options_.gpu).c_str(), 1);
        if (!options_.settings.empty())
            setenv("LOCKSTEP_SET", gpu::join_settings(options_.settings).c_str(), 1);
        std::string command = compile::command_line(rest);
        if (!arguments.empty()) command += " -- " + compile::command_line(arguments);
        if (auto done = keep("command.txt", command + "\n"); !done) return done;
        const fs::path program = is_program(rest[0]) ? fs::path(rest[0]) : scratch_ / "program";
        if (program != rest[0])
            if (auto done = build(self, rest, program); !done) return done;
        std::error_code ignored;
        if (fs::exists(program, ignored)) {
            if (auto done = keep_code(self, rest, program); !done) return done;
            if (!options_.no_run)
                if (auto done = run_program(self, program, arguments); !done) return done;
        }
        return options_.with_sources ? keep_sources(rest) : Result<void>();
    }

    const std::vector<std::string>& names() const { return names_; }

  private:
    compile::Finished run(const compile::Arguments& command) {
        auto finished = compile::run(command, scratch_);
        return finished ? std::move(*finished)
                        : compile::Finished{{127, 0}, "", finished.error().to_string()};
    }

    Result<void> keep(const std::string& name, const std::string& text) {
        if (text.empty()) return {};
        names_.push_back(name);
        return compile::write_file(folder_ / name, text);
    }

    static std::string settings() {
        std::string text;
        for (char** one = environ; *one; ++one) {
            const std::string variable = *one;
            for (const char* begin : {"LOCKSTEP_", "CUDA_", "HIP_", "LD_LIBRARY_PATH=", "LD_PRELOAD="})
                if (variable.starts_with(begin)) text += variable + "\n";
        }
        return text.empty() ? "no variables of lockstep's or CUDA's are set\n" : text;
    }

    Result<void> keep_model() {
        auto model = chosen_model(options_.gpu, options_.settings);
        if (!model) return model.error();
        std::string text = compile::read_file(model->file).value_or("");
        for (const std::string& change : model->changes) text += fmt::format("# --set {}\n", change);
        return keep("gpu.toml", text);
    }

    // A program that does not compile is what the report is about.
    Result<void> build(const std::string& self, const std::vector<std::string>& rest,
                       const fs::path& program) {
        compile::Arguments command = {self, compile::is_hip(rest) ? "hipcc" : "nvcc"};
        command.insert(command.end(), rest.begin(), rest.end());
        command.insert(command.end(), {"-o", program.string()});
        const compile::Finished finished = run(command);
        const std::string said = finished.output + finished.errors;
        return keep("compiler.txt", fmt::format("{} {}\n{}", command[1], finished.status.to_string(),
                                                options_.with_sources ? said : without_sources(said)));
    }

    Result<void> keep_code(const std::string& self, const std::vector<std::string>& rest,
                           const fs::path& program) {
        if (compile::is_hip(rest)) {
            compile::Arguments command = {self, "hipcc", "--offload-device-only", "-S"};
            command.insert(command.end(), rest.begin(), rest.end());
            const fs::path assembly = folder_ / "device.s";
            command.insert(command.end(), {"-o", assembly.string()});
            if (run(command).status.ok()) names_.push_back("device.s");
            return {};
        }
        auto texts = device_texts(program, {});
        if (!texts) return keep("device-code.txt", texts.error().to_string() + "\n");
        for (std::size_t i = 0; i < texts->size(); ++i)
            if (auto done = keep(fmt::format("device-{}.ptx", i), (*texts)[i].ptx); !done) return done;
        return {};
    }

    Result<void> run_program(const std::string& self, const fs::path& program,
                             const std::vector<std::string>& arguments) {
        // One that hangs is worth a report, too.
        compile::Arguments command = {"timeout", fmt::format("{}", most_seconds), self, "run",
                                      program.string()};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const compile::Finished finished = run(command);
        const std::string said =
            options_.with_output ? finished.output + finished.errors : without_sources(finished.errors);
        constexpr int ended_by_timeout = 124;
        const std::string how = finished.status.code == ended_by_timeout
                                    ? fmt::format("did not end within {} s", most_seconds)
                                    : finished.status.to_string();
        return keep("run.txt", fmt::format("the program {}\n{}", how, said));
    }

    Result<void> keep_sources(const std::vector<std::string>& rest) {
        std::error_code ignored;
        for (const std::string& word : rest) {
            if (!fs::is_regular_file(word, ignored) || is_program(word)) continue;
            const fs::path name = fs::path("sources") / fs::path(word).filename();
            fs::create_directories(folder_ / "sources", ignored);
            if (auto done = keep(name.string(), compile::read_file(word).value_or("")); !done) return done;
        }
        return {};
    }

    const Options& options_;
    fs::path folder_, scratch_;
    std::vector<std::string> names_;
};

int report_bug(const Options& options, const std::vector<std::string>& rest, const Context& context) {
    if (rest.empty())
        return fail(
            "report-bug needs a program: a .cu file or an executable (see lockstep report-bug --help)", 2);
    std::vector<fs::path> inputs;
    std::error_code ignored;
    for (const std::string& word : rest)
        if (fs::is_regular_file(word, ignored)) inputs.emplace_back(word);
    if (inputs.empty()) return fail(fmt::format("{}: no such file", rest.back()));
    const compile::Output output{"-o", options.output};
    if (auto good = compile::check_outputs({&output, 1}, inputs); !good)
        return fail(good.error().to_string(), 2);
    auto scratch = compile::TempDir::create();
    if (!scratch) return fail(scratch.error().to_string());
    const fs::path folder = scratch->path() / "lockstep-bug";
    fs::create_directory(folder, ignored);
    Report report(options, folder, scratch->path());
    if (auto done = report.collect(rest, context.after_dashes); !done) return fail(done.error().to_string());
    auto packed = compile::run(
        {"tar", "-czf", options.output, "-C", scratch->path().string(), "lockstep-bug"}, scratch->path());
    if (!packed) return fail(packed.error().to_string());
    if (!packed->status.ok()) return fail(fmt::format("cannot write {}: {}", options.output, packed->errors));
    fmt::print("{} holds:\n", options.output);
    for (const std::string& name : report.names()) fmt::print("  {}\n", name);
    fmt::print("Look at it (tar -xzf {}) before you send it{}.\n", options.output,
               options.with_sources ? "" : "; the program's sources are not in it");
    return 0;
}

}  // namespace report_bug_command

void add_report_bug(CommandLine& line, Context& context) {
    using namespace report_bug_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command(
        "report-bug", "Put what is needed to find out why a program does not work into one file");
    command.footer(fmt::format("{}{}", synopsis, footer));
    command.allow_rest();
    add_model_options(command, options->gpu, options->settings);
    command.add_option("-o,--output", options->output, "The file (default: lockstep-bug.tar.gz)")
        .check(file_name);
    command.add_flag("--with-sources", options->with_sources,
                     "The program's sources too, and the compiler's messages in full");
    command.add_flag("--with-output", options->with_output, "What the program prints, too");
    command.add_flag("--no-run", options->no_run, "Compile it, but do not run it");
    command.callback(
        [command, options, &context] { context.status = report_bug(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
