#include "compile/hipcc-driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

#include "compile/blocked-signals.h"
#include "compile/cache.h"
#include "compile/depfile.h"
#include "compile/files.h"
#include "compile/hipcc-plan.h"
#include "compile/link.h"
#include "compile/offload-bundle.h"
#include "compile/output-file.h"
#include "compile/precompiled.h"
#include "compile/toolkit.h"
#include "compile/version.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* hipcc_help =
    "lockstep hipcc takes hipcc's command line and makes programs that run on a simulated AMD GPU.\n\n"
    "    lockstep hipcc -O3 --offload-arch=gfx908 -o saxpy saxpy.hip   an executable\n"
    "    lockstep hipcc -c kernels.hip && lockstep hipcc main.cpp kernels.o -o prog\n"
    "    lockstep hipcc --emit-static-lib kernels.hip -o libkernels.a  a static library\n"
    "    lockstep hipcc --genco kernel.hip -o kernel.co               device code for hipModuleLoad\n"
    "    lockstep hipcc --offload-device-only -S kernel.hip           the GPU's assembly\n"
    "    make HIPCC=\"lockstep hipcc\"                                 a project that has a Makefile\n"
    "    lockstep hipcc -fgpu-rdc -c a.hip && lockstep hipcc -fgpu-rdc --hip-link a.o b.o   device code of "
    "several "
    "files\n\n"
    "What it does not know goes to clang.\n";

int hipcc_fail(const Error& error) {
    const std::string text = error.to_string();
    const bool compilers = text.find('\n') != std::string::npos || text.starts_with("lockstep:");
    fmt::print(stderr, "{}{}\n", compilers ? "" : "lockstep hipcc: ", text);
    return 1;
}

class HipccDriver {
  public:
    HipccDriver(HipccPlan plan, Toolchain toolchain, fs::path scratch)
        : plan_(std::move(plan)), toolchain_(std::move(toolchain)), scratch_(std::move(scratch)) {}

    Result<void> run() {
        if (plan_.inputs.empty()) return Error{"no input files", {}};
        std::vector<fs::path> files;
        for (const HipccInput& input : plan_.inputs) {
            std::error_code ignored;
            if (!fs::exists(input.file, ignored)) return Error{input.file.string() + ": no such file", {}};
            files.push_back(input.file);
        }
        const std::array outputs = {Output{"-o", plan_.output, Output::Kind::binary},
                                    Output{"-MF", plan_.dependency_file, Output::Kind::translation}};
        if (auto good = check_outputs(outputs, files); !good) return good;
        if (plan_.mode == HipccMode::link) return link();
        if (plan_.mode == HipccMode::archive) return archive();
        for (const HipccInput& input : plan_.inputs) {
            if (input.language == Language::linkable) continue;
            if (auto made = translate(input); !made) return made;
        }
        return {};
    }

  private:
    Result<void> translate(const HipccInput& input) {
        switch (plan_.mode) {
            case HipccMode::preprocess: return preprocess(input);
            case HipccMode::code: return code(input);
            case HipccMode::assembly: return assembly(input);
            default: return object(input, output_for(input, ".o"));
        }
    }

    fs::path output_for(const HipccInput& input, const char* extension) const {
        return plan_.output.empty() ? input.file.filename().replace_extension(extension) : plan_.output;
    }

    Result<void> preprocess(const HipccInput& input) {
        Arguments command = host_command(toolchain_, input.file, plan_.flags, input.language, {});
        command.push_back("-E");
        if (!plan_.output.empty()) command.insert(command.end(), {"-o", plan_.output.string()});
        auto child = Child::start(command, {});
        if (!child) return child.error();
        if (const ExitStatus status = child->wait(); !status.ok())
            return Error{fmt::format("{}: the preprocessor {}", input.file.string(), status.to_string()), {}};
        return {};
    }

    Result<std::string> bundle(const HipccInput& input) {
        if (input.language != Language::hip)
            return Error{input.file.string() + ": only HIP has device code", {}};
        std::string messages;
        auto made = compile_hip_code(toolchain_, input.file, plan_.flags, messages);
        if (made) fmt::print(stderr, "{}", messages);
        return made;
    }

    Result<void> code(const HipccInput& input) {
        auto made = bundle(input);
        if (!made) return made.error();
        return write_file(output_for(input, ".co"), *made);
    }

    Result<void> assembly(const HipccInput& input) {
        if (plan_.flags.targets.size() != 1) return Error{"-S: for one GPU (--offload-arch)", {}};
        auto made = bundle(input);
        if (!made) return made.error();
        auto entries = read_offload_bundle(made->data(), made->size());
        if (!entries) return entries.error();
        if (plan_.output == "-") {
            fmt::print("{}", entries->at(0).code);
            return {};
        }
        return write_file(output_for(input, ".s"), entries->at(0).code);
    }

    // Once for all inputs.
    void take_headers() {
        if (std::exchange(took_headers_, true)) return;
        plan_.flags.precompiled =
            precompiled_for(toolchain_, plan_.flags, Language::hip, true, usable_cache());
    }

    Result<void> object(const HipccInput& input, const fs::path& output) {
        if (input.language == Language::hip) take_headers();
        auto compiled = compile_to_object(toolchain_, input.file, input.language, plan_.flags, output);
        if (!compiled) return compiled.error();
        fmt::print(stderr, "{}", compiled->messages);
        return plan_.write_dependencies ? write_dependencies(*compiled, input, output) : Result<void>();
    }

    Result<void> write_dependencies(const Compiled& compiled, const HipccInput& input,
                                    const fs::path& output) {
        DependencyRule rule{plan_.dependency_target.empty() ? output.string() : plan_.dependency_target,
                            input.file, plan_.phony_targets};
        for (const fs::path& file : compiled.dependencies) {
            const std::string name = file.string();
            const bool system = name.starts_with("/usr/") || name.starts_with(toolchain_.include.string());
            if (!system || plan_.system_dependencies) rule.files.push_back(file);
        }
        return write_file(
            plan_.dependency_file.empty() ? fs::path(output).replace_extension(".d") : plan_.dependency_file,
            to_depfile(rule));
    }

    // Compiled, where they are sources.
    Result<std::vector<fs::path>> objects() {
        std::vector<fs::path> parts;
        for (const HipccInput& input : plan_.inputs) {
            if (input.language == Language::linkable) {
                parts.push_back(input.file);
                continue;
            }
            parts.push_back(scratch_ / fmt::format("{}-{}.o", parts.size(), input.file.stem().string()));
            if (auto made = object(input, parts.back()); !made) return made.error();
        }
        return parts;
    }

    Result<void> archive() {
        auto parts = objects();
        if (!parts) return parts.error();
        auto made = make_archive(*parts, {}, plan_.output.empty() ? "a.a" : plan_.output, scratch_);
        if (!made) return made.error();
        fmt::print(stderr, "{}", *made);
        return {};
    }

    Result<void> link() {
        auto parts = objects();
        if (!parts) return parts.error();
        LinkFlags flags{plan_.link, plan_.shared, plan_.flags.verbose};
        flags.hip = true;
        auto linked = link_program(toolchain_, *parts, flags, plan_.output.empty() ? "a.out" : plan_.output);
        if (!linked) return linked.error();
        fmt::print(stderr, "{}", *linked);
        return {};
    }

    HipccPlan plan_;
    Toolchain toolchain_;
    fs::path scratch_;
    bool took_headers_ = false;
};

}  // namespace

int hipcc_main(const std::vector<std::string>& arguments, const std::string& target) {
    auto plan = plan_hipcc(arguments, {target});
    if (!plan) return hipcc_fail(plan.error());
    if (plan->mode == HipccMode::help) {
        fmt::print("{}", hipcc_help);
        return 0;
    }
    auto toolchain = find_toolchain();
    if (plan->mode == HipccMode::version) {
        // Build systems take the version from behind the colon, and look for the word clang.
        fmt::print("HIP version: {}-lockstep {}\n", hip_version, version());
        std::fflush(stdout);
        if (toolchain)
            if (auto child = Child::start({toolchain->clang.string(), "--version"}, {}))
                return child->wait().code;
        return 0;
    }
    if (!toolchain) return hipcc_fail(toolchain.error());
    const BlockedSignals signals;
    TempDir::remove_abandoned();
    auto scratch = TempDir::create();
    if (!scratch) return hipcc_fail(scratch.error());
    plan->flags.colour = isatty(STDERR_FILENO);
    HipccDriver driver(std::move(*plan), std::move(*toolchain), scratch->path());
    if (auto done = driver.run(); !done) return hipcc_fail(done.error());
    return 0;
}

int hipconfig_main(const std::vector<std::string>& arguments) {
    const auto root = toolkit_root();
    const std::string path = root ? root->string() : "";
    const std::string cpp =
        fmt::format(" -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I{}/include", path);
    std::string options;
    for (const std::string& argument : arguments) {
        const std::string option =
            argument.substr(std::min(argument.find_first_not_of('-'), argument.size()));
        if (option == "version" || option == "v")
            fmt::print("{}", hip_version);
        else if (option == "path" || option == "p" || option == "rocmpath" || option == "R")
            fmt::print("{}", path);
        else if (option == "platform" || option == "P")
            fmt::print("amd");
        else if (option == "compiler" || option == "c")
            fmt::print("clang");
        else if (option == "runtime" || option == "r")
            fmt::print("rocclr");
        else if (option == "cpp_config" || option == "C")
            fmt::print("{}", cpp);
        else if (option == "hipclangpath" || option == "l") {
            // A clang that is hipcc: what CMake's HIP language compiles with.
            fmt::print("{}", path + "/llvm/bin");
        } else if (option == "newline" || option == "n")
            fmt::print("\n");
        else if (option != "full" && option != "f") {
            fmt::print(stderr,
                       "lockstep hipconfig: unknown option {}: --version, --path, --rocmpath, --platform, "
                       "--compiler, --runtime, --cpp_config and --hipclangpath are known\n",
                       argument);
            return 1;
        }
    }
    if (arguments.empty() || arguments[0] == "--full")
        fmt::print(
            "HIP version  : {}\n\n== hipconfig\nHIP_PATH     : {}\nROCM_PATH    : {}\nHIP_COMPILER : clang\n"
            "HIP_PLATFORM : amd\nHIP_RUNTIME  : rocclr\nCPP_CONFIG   : {}\n",
            hip_version, path, path, cpp);
    return 0;
}

}  // namespace lockstep::compile
