#include "compile/nvcc-driver.h"

#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <set>
#include <utility>

#include "base/elf-symbols.h"
#include "compile/architectures.h"
#include "compile/blocked-signals.h"
#include "compile/cache.h"
#include "compile/depfile.h"
#include "compile/device-symbols.h"
#include "compile/fatbin.h"
#include "compile/files.h"
#include "compile/link.h"
#include "compile/nvcc-plan.h"
#include "compile/output-file.h"
#include "compile/precompiled.h"
#include "compile/toolkit.h"
#include "compile/version.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* help_text =
    "lockstep nvcc takes nvcc's command line and makes programs that run on the simulated GPU.\n\n"
    "    lockstep nvcc -O3 -arch=sm_80 -o saxpy saxpy.cu        an executable\n"
    "    lockstep nvcc -c kernels.cu && lockstep nvcc main.cpp kernels.o -o prog\n"
    "    lockstep nvcc -ptx kernel.cu                           PTX\n"
    "    make NVCC=\"lockstep nvcc\"                              a project that has a Makefile\n\n"
    "Options that it knows:\n";

void print_help() {
    fmt::print("{}", help_text);
    for (const NvccOption& option : nvcc_options()) {
        if (option.long_name.empty()) continue;
        const bool same = option.long_name == option.short_name;
        fmt::print("    --{}{}{}\n", option.long_name, option.value == NvccValue::none ? "" : " VALUE",
                   same ? "" : fmt::format("  (-{})", option.short_name));
    }
}

// Build systems look for the words up to "driver", and take the version from behind the last "V".
void print_version() {
    fmt::print(
        "nvcc: NVIDIA (R) Cuda compiler driver: lockstep {} in its place\nCuda compilation tools, release "
        "{}, "
        "V{}\nBuild lockstep-{}\n",
        version(), cuda_release, cuda_version, version());
}

class Driver {
  public:
    Driver(NvccPlan plan, Toolchain toolchain, const AssemblerReport& report, fs::path scratch)
        : plan_(std::move(plan)),
          toolchain_(std::move(toolchain)),
          report_(report),
          scratch_(std::move(scratch)) {}

    Result<int> run() {
        if (!plan_.executable.empty()) return run_later(plan_.executable);
        if (plan_.inputs.empty()) return Error{"no input files", {}};
        for (const NvccInput& input : plan_.inputs) {
            std::error_code ignored;
            if (!fs::exists(input.file, ignored)) return Error{input.file.string() + ": no such file", {}};
        }
        if (auto good = check_output(); !good) return good.error();
        if (plan_.dry_run) return dry_run();
        switch (plan_.mode) {
            case NvccMode::preprocess:
            case NvccMode::dependencies:
                return each([this](const NvccInput& input) { return preprocess(input); });
            case NvccMode::ptx:
                return each([this](const NvccInput& input) { return ptx(input, output_for(input, ".ptx")); });
            case NvccMode::fatbin:
                return each([this](const NvccInput& input) { return fatbin(input, ".fatbin"); });
            case NvccMode::cubin:
                return each([this](const NvccInput& input) { return fatbin(input, ".cubin"); });
            case NvccMode::compile:
                return each(
                    [this](const NvccInput& input) { return object(input, output_for(input, ".o")); });
            case NvccMode::device_link: return device_link();
            case NvccMode::library: return library();
            case NvccMode::link: return link();
            case NvccMode::version:
            case NvccMode::help:
            case NvccMode::list_architectures:
            case NvccMode::list_code: break;
        }
        return 0;
    }

    // What is to be run when all is done: nothing, or a program and its arguments.
    const Arguments& program() const { return program_; }

  private:
    template <class F>
    Result<int> each(F f) {
        std::size_t sources = 0;
        for (const NvccInput& input : plan_.inputs) sources += input.language != Language::linkable;
        if (sources > 1 && !plan_.output.empty() && plan_.mode != NvccMode::preprocess)
            return Error{"-o cannot name the output of several inputs that are not linked", {}};
        for (const NvccInput& input : plan_.inputs) {
            if (input.language == Language::linkable) continue;
            if (auto done = f(input); !done) return done.error();
        }
        return 0;
    }

    Result<void> check_output() const {
        std::vector<fs::path> inputs;
        for (const NvccInput& input : plan_.inputs) inputs.push_back(input.file);
        const bool text = plan_.mode == NvccMode::preprocess || plan_.mode == NvccMode::dependencies ||
                          plan_.mode == NvccMode::ptx;
        const std::array outputs = {
            Output{"-o", plan_.output, text ? Output::Kind::translation : Output::Kind::binary},
            Output{"-MF", plan_.dependency_file, Output::Kind::translation}};
        return check_outputs(outputs, inputs);
    }

    fs::path output_for(const NvccInput& input, const char* extension) const {
        if (!plan_.output.empty()) return plan_.output;
        return plan_.directory / input.file.filename().replace_extension(extension);
    }

    Result<void> preprocess(const NvccInput& input) {
        Arguments command = host_command(toolchain_, input.file, plan_.flags, input.language, {});
        if (plan_.mode == NvccMode::preprocess) {
            command.push_back("-E");
        } else {
            command.push_back(plan_.system_dependencies ? "-M" : "-MM");
            command.insert(command.end(),
                           {"-MT", target(input, input.file.filename().replace_extension(".o"))});
            if (plan_.phony_targets) command.push_back("-MP");
        }
        const fs::path file = !plan_.dependency_file.empty() && plan_.mode == NvccMode::dependencies
                                  ? plan_.dependency_file
                                  : plan_.output;
        if (!file.empty()) command.insert(command.end(), {"-o", file.string()});
        auto child = Child::start(command, {});
        if (!child) return child.error();
        if (const ExitStatus status = child->wait(); !status.ok())
            return Error{fmt::format("{}: the preprocessor {}", input.file.string(), status.to_string()), {}};
        return {};
    }

    std::string target(const NvccInput&, const fs::path& output) const {
        return plan_.dependency_target.empty() ? output.string() : plan_.dependency_target;
    }

    Result<void> finish(const Result<Compiled>& compiled, const NvccInput& input, const fs::path& output) {
        if (!compiled) return compiled.error();
        fmt::print(stderr, "{}", compiled->messages);
        if (plan_.ptxas_report && !compiled->device_code.empty())
            fmt::print(stderr, "{}", report_(compiled->device_code));
        if (plan_.write_dependencies) return write_dependencies(*compiled, input, output);
        return {};
    }

    Result<void> write_dependencies(const Compiled& compiled, const NvccInput& input,
                                    const fs::path& output) {
        fs::path file = plan_.dependency_file;
        if (file.empty()) file = fs::path(output).replace_extension(".d");
        DependencyRule rule{target(input, output), input.file, plan_.phony_targets};
        for (const fs::path& dependency : compiled.dependencies) {
            const std::string name = dependency.string();
            const bool system =
                name.rfind("/usr/", 0) == 0 || name.rfind(toolchain_.include.string(), 0) == 0;
            if (!system || plan_.system_dependencies) rule.files.push_back(dependency);
        }
        return write_file(file, to_depfile(rule));
    }

    Result<void> ptx(const NvccInput& input, const fs::path& output) {
        if (input.language != Language::cuda)
            return Error{input.file.string() + ": only .cu files give PTX", {}};
        take_headers(false);
        const bool to_stdout = output == "-";
        const fs::path file = to_stdout ? scratch_ / "stdout.ptx" : output;
        auto finished = finish(compile_to_ptx(toolchain_, input.file, plan_.flags, file), input, output);
        if (finished && to_stdout) fmt::print("{}", read_file(file).value_or(""));
        return finished;
    }

    Result<void> fatbin(const NvccInput& input, const char* extension) {
        const fs::path file = scratch_ / "device.ptx";
        if (auto made = ptx(input, file); !made) return made;
        const FatbinPtx entry{read_file(file).value_or(""), plan_.flags.architectures.back(),
                              plan_.flags.relocatable, ptx::to_string(plan_.flags.assembler)};
        if (plan_.ptxas_report) fmt::print(stderr, "{}", report_({entry}));
        return write_file(output_for(input, extension), write_fatbin(std::span(&entry, 1)));
    }

    Result<void> object(const NvccInput& input, const fs::path& output) {
        if (input.language == Language::cuda) take_headers(true);
        return finish(compile_to_object(toolchain_, input.file, input.language, plan_.flags, output), input,
                      output);
    }

    // Once for all inputs.
    void take_headers(bool host) {
        if (std::exchange(took_headers_, true)) return;
        plan_.flags.precompiled =
            precompiled_for(toolchain_, plan_.flags, Language::cuda, host, usable_cache());
    }

    // Every input as an object: sources are compiled into `scratch_`.
    Result<std::vector<fs::path>> objects() {
        std::vector<fs::path> result;
        for (const NvccInput& input : plan_.inputs) {
            if (input.language == Language::linkable) {
                result.push_back(input.file);
                continue;
            }
            result.push_back(scratch_ / fmt::format("{}-{}.o", result.size(), input.file.stem().string()));
            if (auto made = object(input, result.back()); !made) return made.error();
        }
        return result;
    }

    // What nvlink would refuse of these objects. Libraries by name may be shared ones, which have no part in
    // it: the last link tells then.
    Result<void> check_device_code(const std::vector<fs::path>& parts) {
        if (!plan_.link.empty() &&
            std::any_of(plan_.link.begin(), plan_.link.end(),
                        [](const std::string& option) { return option.starts_with("-l"); }))
            return {};
        const fs::path joined = scratch_ / "joined.o";
        Arguments command = {toolchain_.clang.string(), "-r", "-nostdlib", "-o", joined.string()};
        for (const fs::path& part : parts)
            if (part.string().find(".so") == std::string::npos) command.push_back(part.string());
        auto finished = compile::run(command, scratch_);
        if (!finished) return finished.error();
        if (!finished->status.ok())
            return Error{explain_device_symbols(finished->errors) + "lockstep: the device code does not link",
                         {}};
        const std::string bytes = read_file(joined).value_or("");
        std::string missing;
        for (const base::ElfSymbol& symbol : base::elf_symbols(bytes))
            if (!symbol.defined && symbol.name.ends_with(device_symbol_suffix))
                missing += fmt::format("undefined reference to `{}'\n", symbol.name);
        if (missing.empty()) return {};
        return Error{explain_device_symbols(missing) + "lockstep: the device code does not link", {}};
    }

    // Device code is linked when the program starts (fatbin.h), so an object to stand for nvcc's link step is
    // empty.
    Result<int> device_link() {
        auto parts = objects();
        if (!parts) return parts.error();
        if (auto good = check_device_code(*parts); !good) return good.error();
        const fs::path output = plan_.output.empty() ? fs::path("a_dlink.o") : plan_.output;
        auto finished = compile::run(
            {toolchain_.clang.string(), "-c", "-x", "c", "/dev/null", "-o", output.string()}, scratch_);
        if (!finished) return finished.error();
        if (!finished->status.ok()) return Error{finished->errors, {}};
        return 0;
    }

    Result<int> library() {
        auto parts = objects();
        if (!parts) return parts.error();
        auto made =
            make_archive(*parts, plan_.archive, plan_.output.empty() ? "a.a" : plan_.output, scratch_);
        if (!made) return made.error();
        fmt::print(stderr, "{}", *made);
        return 0;
    }

    fs::path program_file() const { return plan_.output.empty() ? fs::path("a.out") : plan_.output; }

    LinkFlags link_flags() const {
        return {plan_.link, plan_.shared, plan_.flags.verbose, false, toolkit_root().value_or("")};
    }

    Result<int> link() {
        auto parts = objects();
        if (!parts) return parts.error();
        const fs::path output = program_file();
        auto linked = link_program(toolchain_, *parts, link_flags(), output);
        if (!linked) return linked.error();
        fmt::print(stderr, "{}", *linked);
        return plan_.run ? run_later(output) : 0;
    }

    int run_later(const fs::path& program) {
        program_ = {fs::absolute(program).string()};
        program_.insert(program_.end(), plan_.run_arguments.begin(), plan_.run_arguments.end());
        return 0;
    }

    Result<int> dry_run() {
        std::vector<fs::path> parts;
        for (const NvccInput& input : plan_.inputs) {
            parts.push_back(input.file);
            if (input.language == Language::linkable) continue;
            parts.back() = input.file.filename().replace_extension(".o");
            if (input.language == Language::cuda)
                for (const int architecture : plan_.flags.architectures) {
                    fmt::print(
                        stderr, "#$ {}\n#$ {}\n",
                        command_line(device_command(toolchain_, input.file, plan_.flags, architecture)),
                        command_line(
                            ptx_command(toolchain_, plan_.flags, architecture, "device.bc", "device.ptx")));
                }
            fmt::print(stderr, "#$ {}\n",
                       command_line(host_command(toolchain_, input.file, plan_.flags, input.language,
                                                 "device.fatbin")));
        }
        if (plan_.mode == NvccMode::link)
            fmt::print(stderr, "#$ {}\n",
                       command_line(link_command(toolchain_, parts, link_flags(), program_file())));
        return 0;
    }

    NvccPlan plan_;
    Toolchain toolchain_;
    const AssemblerReport& report_;
    fs::path scratch_;
    Arguments program_;
    bool took_headers_ = false;
};

}  // namespace

namespace {

int fail(const Error& error) {
    const std::string text = error.to_string();
    // A compiler's own message stands as it is; only the last line is ours.
    fmt::print(
        stderr, "{}{}\n",
        text.find('\n') == std::string::npos && text.rfind("lockstep:", 0) != 0 ? "lockstep nvcc: " : "",
        text);
    return 1;
}

bool is_verbose(const NvccCommandLine& line) {
    return std::any_of(line.arguments.begin(), line.arguments.end(), [](const NvccArgument& argument) {
        return argument.option && (argument.option->action == NvccAction::verbose ||
                                   argument.option->action == NvccAction::dry_run);
    });
}

// The exit status; `program`: what is to be run then.
int build(const std::vector<std::string>& arguments, int capability, const AssemblerReport& report,
          Arguments& program) {
    auto line = parse_nvcc(arguments);
    if (!line) return fail(line.error());
    auto plan = plan_nvcc(*line, {capability});
    // Build systems ask with `-v` and a file that is not there: the surroundings are told first.
    if (is_verbose(*line))
        if (const auto root = toolkit_root())
            fmt::print(stderr, "{}",
                       toolkit_variables(*root, plan ? plan->flags.architectures
                                                     : std::vector{clang_architecture(capability)}));
    if (!plan) return fail(plan.error());
    if (plan->mode == NvccMode::help) {
        print_help();
        return 0;
    }
    if (plan->mode == NvccMode::version) {
        print_version();
        return 0;
    }
    if (plan->mode == NvccMode::list_architectures || plan->mode == NvccMode::list_code) {
        for (const int number : listed_architectures())
            fmt::print("{}_{}\n", plan->mode == NvccMode::list_code ? "sm" : "compute", number);
        return 0;
    }
    for (const std::string& warning : plan->warnings)
        fmt::print(stderr, "lockstep nvcc: warning: {}\n", warning);
    auto toolchain = find_toolchain();
    if (!toolchain) return fail(toolchain.error());
    TempDir::remove_abandoned();
    auto scratch = TempDir::create();
    if (!scratch) return fail(scratch.error());
    plan->flags.colour = isatty(STDERR_FILENO);
    Driver driver(std::move(*plan), std::move(*toolchain), report, scratch->path());
    auto status = driver.run();
    if (!status) return fail(status.error());
    program = driver.program();
    return *status;
}

}  // namespace

int nvcc_main(const std::vector<std::string>& arguments, int capability, const AssemblerReport& report) {
    Arguments program;
    {
        // What ends the command comes when the temporary folders are gone. A compiler gets it from the
        // terminal at once.
        const BlockedSignals signals;
        if (const int status = build(arguments, capability, report, program); status != 0 || program.empty())
            return status;
    }
    std::vector<char*> argv;
    for (std::string& argument : program) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::fflush(nullptr);
    execv(argv[0], argv.data());
    return fail(Error{fmt::format("cannot start {}: {}", program[0], strerror(errno)), {}});
}

}  // namespace lockstep::compile
