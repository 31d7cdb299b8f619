#include "compile/hipcc-compiler.h"

#include <fmt/format.h>

#include <cstdio>

#include "compile/depfile.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

Arguments options_of(const fs::path& hipcc, const ProgramRequest& request) {
    Arguments command = {hipcc.string()};
    for (const std::string& target : request.flags.targets) command.push_back("--offload-arch=" + target);
    command.insert(command.end(), request.native.begin(), request.native.end());
    return command;
}

Result<Finished> call_hipcc(const Arguments& command, const Flags& flags, const fs::path& scratch) {
    if (flags.verbose) fmt::print(stderr, "#$ {}\n", command_line(command));
    auto finished = run(command, scratch);
    if (finished && !finished->status.ok())
        return Error{finished->output + finished->errors + "lockstep: hipcc cannot compile the program", {}};
    return finished;
}

}  // namespace

Result<Compiled> hipcc_build(const fs::path& hipcc, const ProgramRequest& request, const fs::path& scratch,
                             const fs::path& output) {
    Compiled result;
    Arguments command = options_of(hipcc, request);
    for (const fs::path& source : request.sources) {
        command.push_back(source.string());
        if (auto language = language_of(source); language && *language == Language::linkable) {
            result.dependencies.push_back(source);
            continue;
        }
        // One pass can list what it reads, and the host's reads what the others do.
        Arguments dependencies = options_of(hipcc, request);
        dependencies.insert(dependencies.end(), {"--cuda-host-only", "-M", source.string()});
        auto listed = call_hipcc(dependencies, request.flags, scratch);
        if (!listed) return listed.error();
        add_dependencies(result.dependencies, listed->output);
    }
    command.insert(command.end(), request.native_link.begin(), request.native_link.end());
    if (!request.launch_source.empty()) command.push_back(request.launch_source.string());
    command.insert(command.end(), {"-o", output.string()});
    auto built = call_hipcc(command, request.flags, scratch);
    if (!built) return built.error();
    result.messages = built->output + built->errors;
    return result;
}

}  // namespace lockstep::compile
