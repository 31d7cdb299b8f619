#include "compile/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "compile/device-symbols.h"
#include "compile/files.h"
#include "compile/hip-relocatable.h"
#include "compile/toolkit.h"

namespace lockstep::compile {
namespace {

// CUDA's libraries that lockstep brings along (libraries/). Programs that use one need not say -l, since
// headers are found without an option as well; the linker leaves out what is not used. By their files: CMake
// takes every -l of nvcc's command for a library that all programs need.
Arguments device_libraries(const Toolchain& toolchain) {
    Arguments options;
    for (const char* name : {"cublas", "cublasLt", "cufft", "curand"}) {
        std::error_code ignored;
        const std::filesystem::path file = toolchain.library / fmt::format("lib{}.so", name);
        if (std::filesystem::exists(file, ignored)) options.push_back(file.string());
    }
    if (options.empty()) return options;
    options.insert(options.begin(), "-Wl,--push-state,--as-needed");
    options.push_back("-Wl,--pop-state");
    return options;
}

}  // namespace

Arguments link_command(const Toolchain& toolchain, const std::vector<std::filesystem::path>& objects,
                       const LinkFlags& flags, const std::filesystem::path& output) {
    Arguments command = {toolchain.clang.string()};
    if (flags.shared) command.push_back("-shared");
    // Whether a library lacks something is not asked where all libraries are ours: the linker would read LLVM
    // for it, which takes most of its time.
    const auto is_library = [](const std::string& argument) {
        return argument.starts_with("-l") || argument.find(".so") != argument.npos;
    };
    if (std::none_of(flags.arguments.begin(), flags.arguments.end(), is_library) &&
        std::none_of(objects.begin(), objects.end(), is_library))
        command.push_back("-Wl,--allow-shlib-undefined");
    const std::string directory = toolchain.library.string();
    // Before all that the program names: beside NVIDIA's libraries it would find theirs.
    command.push_back("-L" + directory);
    for (const auto& object : objects) command.push_back(object.string());
    // hipRAND is in its header here.
    std::ranges::copy_if(flags.arguments, std::back_inserter(command),
                         [&](const std::string& argument) { return !flags.hip || argument != "-lhiprand"; });
    // New dtags: a run path that LD_LIBRARY_PATH, which is the user's to set, still goes before. libm for C
    // programs.
    const Arguments libraries = flags.hip ? Arguments() : device_libraries(toolchain);
    command.insert(command.end(), libraries.begin(), libraries.end());
    command.insert(command.end(),
                   {(toolchain.library / (flags.hip ? "libamdhip64.so.6" : "libcudart.so.12")).string(),
                    "-Wl,-rpath," + directory, "-Wl,--enable-new-dtags", "-lm"});
    // AMD's library of the runtime has HIPRTC's functions, too.
    if (flags.hip) command.insert(command.end(), {"-Wl,--as-needed", "-lhiprtc", "-Wl,--no-as-needed"});
    if (!flags.toolkit.empty()) {
        // Nothing that these have is needed any more. They are there to be read: build systems take from
        // nvcc's command what to link programs with.
        const Arguments path = toolkit_library_path(flags.toolkit);
        command.push_back("-Wl,--as-needed");
        command.insert(command.end(), path.begin(), path.end());
        command.insert(command.end(), {"-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl"});
    }
    command.insert(command.end(), {"-o", output.string()});
    return command;
}

Result<std::string> link_program(const Toolchain& toolchain,
                                 const std::vector<std::filesystem::path>& objects, const LinkFlags& flags,
                                 const std::filesystem::path& output) {
    const auto link = [&](const std::vector<std::filesystem::path>& all) -> Result<std::string> {
        auto scratch = TempDir::create();
        if (!scratch) return scratch.error();
        const Arguments command = link_command(toolchain, all, flags, output);
        if (flags.verbose) fmt::print(stderr, "#$ {}\n", command_line(command));
        auto finished = run(command, scratch->path());
        if (!finished) return finished.error();
        if (!finished->status.ok())
            return Error{explain_device_symbols(finished->output + finished->errors) +
                             "lockstep: the program does not link",
                         {}};
        return finished->errors;
    };
    auto linked = link(objects);
    if (linked || !flags.hip || !wants_device_link(linked.error().message)) return linked;
    return link_relocatable(toolchain, output, [&](const std::filesystem::path& more) {
        auto all = objects;
        all.push_back(more);
        return link(all);
    });
}

Result<std::string> make_archive(const std::vector<std::filesystem::path>& objects, const Arguments& options,
                                 const std::filesystem::path& output, const std::filesystem::path& scratch) {
    auto archiver = find_program("ar");
    if (!archiver) archiver = find_program("llvm-ar-19");
    if (!archiver) return Error{"a static library needs ar (package binutils)", {}};
    Arguments command = {archiver->string(), "rcs"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(output.string());
    for (const std::filesystem::path& object : objects) command.push_back(object.string());
    auto finished = run(command, scratch);
    if (!finished) return finished.error();
    if (!finished->status.ok()) return Error{finished->errors, {}};
    return finished->errors;
}

}  // namespace lockstep::compile
