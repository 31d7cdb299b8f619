#include "compile/nvcc-compiler.h"

#include <fmt/format.h>

#include <cstdio>

#include "compile/architectures.h"
#include "compile/depfile.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

Arguments base_command(const fs::path& nvcc, const ProgramRequest& request) {
    Arguments command = {nvcc.string()};
    if (!request.on_hardware || !request.launch_source.empty())
        command.insert(command.end(), {"-cudart", "shared"});
    for (const int architecture : request.flags.architectures) {
        const std::string name = architecture_name(architecture, request.flags.specific);
        const std::string code =
            request.on_hardware ? fmt::format("[sm_{0},compute_{0}]", name) : "compute_" + name;
        command.push_back(fmt::format("-gencode=arch=compute_{},code={}", name, code));
    }
    command.insert(command.end(), request.native.begin(), request.native.end());
    return command;
}

Result<Finished> attempt(const Arguments& command, const Flags& flags, const fs::path& scratch) {
    if (flags.verbose) fmt::print(stderr, "#$ {}\n", command_line(command));
    auto finished = run(command, scratch);
    if (finished && !finished->status.ok()) {
        // A model may be older than any GPU that this nvcc knows.
        const bool too_old = finished->errors.find("Unsupported gpu architecture") != std::string::npos;
        return Error{
            finished->output + finished->errors + "lockstep: nvcc cannot compile the program" +
                (too_old ? " for this GPU: clang can; or make PTX with -arch, and give it with --ptx" : ""),
            {}};
    }
    return finished;
}

}  // namespace

Result<Compiled> nvcc_build(const fs::path& nvcc, const Toolchain& toolchain, const ProgramRequest& request,
                            const fs::path& scratch, const fs::path& output) {
    Compiled result;
    Arguments command = base_command(nvcc, request);
    for (const fs::path& source : request.sources) {
        command.push_back(source.string());
        if (auto language = language_of(source); language && *language == Language::linkable) {
            result.dependencies.push_back(source);
            continue;
        }
        Arguments dependencies = base_command(nvcc, request);
        dependencies.insert(dependencies.end(), {"-M", source.string()});
        auto listed = attempt(dependencies, request.flags, scratch);
        if (!listed) return listed.error();
        add_dependencies(result.dependencies, listed->output);
    }
    command.insert(command.end(), request.native_link.begin(), request.native_link.end());
    if (!request.on_hardware)
        command.insert(command.end(), {"-Xlinker", "-rpath=" + toolchain.library.string()});
    else if (!request.launch_source.empty()) {
        std::error_code ignored;
        const fs::path toolkit = fs::canonical(nvcc, ignored).parent_path().parent_path();
        command.insert(command.end(), {request.launch_source.string(), "-Xlinker",
                                       fmt::format("-rpath={}", (toolkit / "lib64").string())});
    }
    command.insert(command.end(), {"-o", output.string()});
    auto built = attempt(command, request.flags, scratch);
    // Kernels that launch kernels: clang needs no option for them, so nvcc gets it.
    if (!built && built.error().message.find("requires separate compilation mode") != std::string::npos) {
        command.insert(command.end(), {"-rdc=true", "-lcudadevrt"});
        built = attempt(command, request.flags, scratch);
    }
    if (!built) return built.error();
    result.messages = built->output + built->errors;
    return result;
}

}  // namespace lockstep::compile
