#include "compile/nvcc-compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "compile/depfile.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

Arguments base_command(const fs::path& nvcc, const ProgramRequest& request) {
    const Flags& flags = request.flags;
    Arguments command = {nvcc.string(), "-cudart", "shared", fmt::format("-O{}", flags.host_level)};
    for (const int architecture : flags.architectures)
        command.push_back(fmt::format("-gencode=arch=compute_{0},code=compute_{0}", architecture));
    command.push_back(flags.device_debug ? "-G" : "-lineinfo");
    if (flags.debug) command.push_back("-g");
    if (flags.flush_denormals) command.push_back("-ftz=true");
    if (!flags.precise_division) command.push_back("-prec-div=false");
    if (!flags.precise_sqrt) command.push_back("-prec-sqrt=false");
    if (!flags.contract) command.push_back("-fmad=false");
    if (flags.thread_stream) command.push_back("--default-stream=per-thread");
    if (flags.relocatable) command.push_back("-rdc=true");
    if (request.all_cuda) command.insert(command.end(), {"-x", "cu"});
    if (flags.no_warnings) command.push_back("-w");
    command.insert(command.end(), flags.common.begin(), flags.common.end());
    for (const std::string& argument : flags.host) command.insert(command.end(), {"-Xcompiler", argument});
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
        for (fs::path& file : parse_depfile(listed->output))
            if (std::find(result.dependencies.begin(), result.dependencies.end(), file) ==
                result.dependencies.end())
                result.dependencies.push_back(std::move(file));
    }
    for (const std::string& argument : request.link) {
        // nvcc has -Xlinker where other drivers have -Wl.
        if (argument.rfind("-Wl,", 0) == 0)
            command.insert(command.end(), {"-Xlinker", argument.substr(4)});
        else
            command.push_back(argument);
    }
    command.insert(command.end(),
                   {"-Xlinker", "-rpath=" + toolchain.library.string(), "-o", output.string()});
    auto built = attempt(command, request.flags, scratch);
    if (!built) return built.error();
    result.messages = built->output + built->errors;
    return result;
}

}  // namespace lockstep::compile
