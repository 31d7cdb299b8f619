#include "compile/link.h"

#include <fmt/format.h>

#include <cstdio>

#include "compile/files.h"

namespace lockstep::compile {

Result<std::string> link_program(const Toolchain& toolchain,
                                 const std::vector<std::filesystem::path>& objects, const LinkFlags& flags,
                                 const std::filesystem::path& output) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    Arguments command = {toolchain.clang.string()};
    if (flags.shared) command.push_back("-shared");
    for (const auto& object : objects) command.push_back(object.string());
    command.insert(command.end(), flags.arguments.begin(), flags.arguments.end());
    // New dtags: a run path that LD_LIBRARY_PATH, which is the user's to set, still goes before. libm for C
    // programs.
    const std::string directory = toolchain.library.string();
    const Arguments rest = {"-L" + directory,
                            "-l:libcudart.so.12",
                            "-Wl,-rpath," + directory,
                            "-Wl,--enable-new-dtags",
                            "-lm",
                            "-o",
                            output.string()};
    command.insert(command.end(), rest.begin(), rest.end());
    if (flags.verbose) fmt::print(stderr, "#$ {}\n", command_line(command));
    auto finished = run(command, scratch->path());
    if (!finished) return finished.error();
    if (!finished->status.ok())
        return Error{finished->output + finished->errors + "lockstep: the program does not link", {}};
    return finished->errors;
}

}  // namespace lockstep::compile
