// lockstep shims: puts a folder with NVIDIA's names for our commands first in a shell's PATH, and points at a
// root that is laid out as a CUDA toolkit.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/shell-word.h"
#include "compile/process.h"
#include "compile/toolkit.h"

namespace lockstep::cli {
namespace shims_command {

struct Options {
    bool directory = false, off = false, fish = false, csh = false;
};

constexpr const char* list_variables[] = {"PATH", "LD_LIBRARY_PATH"};

// Nothing is put there twice, so that a shell may evaluate it again and again. What the variables were before
// is not kept: unsetting leaves the others' entries as they are.
std::string for_sh(const std::string& root, bool off) {
    std::string text =
        "_lockstep_without() {\n"
        "    _lockstep_rest=\n"
        "    _lockstep_list=$1:\n"
        "    while [ -n \"$_lockstep_list\" ]; do\n"
        "        _lockstep_one=${_lockstep_list%%:*}\n"
        "        _lockstep_list=${_lockstep_list#*:}\n"
        "        [ -z \"$_lockstep_one\" ] || [ \"$_lockstep_one\" = \"$2\" ] ||\n"
        "            _lockstep_rest=${_lockstep_rest:+$_lockstep_rest:}$_lockstep_one\n"
        "    done\n"
        "    printf %s \"$_lockstep_rest\"\n"
        "}\n";
    for (const char* variable : list_variables) {
        const std::string entry = shell_word(root + (variable == list_variables[0] ? "/bin" : "/lib64"));
        text += fmt::format("{0}=$(_lockstep_without \"${{{0}-}}\" {1})\n", variable, entry);
        if (!off) text += fmt::format("{0}={1}${{{0}:+:${0}}}\n", variable, entry);
        text += fmt::format("export {}\n", variable);
    }
    if (off) text += "[ -n \"$LD_LIBRARY_PATH\" ] || unset LD_LIBRARY_PATH\n";
    for (const char* variable : compile::toolkit_root_variables)
        text += off ? fmt::format("[ \"${{{0}-}}\" != {1} ] || unset {0}\n", variable, shell_word(root))
                    : fmt::format("export {}={}\n", variable, shell_word(root));
    return text + "unset -f _lockstep_without\nhash -r 2>/dev/null || :\n";
}

std::string for_fish(const std::string& root, bool off) {
    std::string text;
    for (const char* variable : list_variables) {
        const std::string entry = shell_word(root + (variable == list_variables[0] ? "/bin" : "/lib64"));
        // fish keeps lists of its own for variables whose names end with PATH.
        text += fmt::format("set -gx {0} {2}(string match -v -- {1} ${0})\n", variable, entry,
                            off ? "" : entry + " ");
    }
    for (const char* variable : compile::toolkit_root_variables)
        text += off ? fmt::format("test \"${0}\" = {1}; and set -e {0}\n", variable, shell_word(root))
                    : fmt::format("set -gx {} {}\n", variable, shell_word(root));
    return text;
}

std::string for_csh(const std::string& root) {
    std::string text = fmt::format(
        "setenv PATH {0}:$PATH;\nif ($?LD_LIBRARY_PATH) setenv LD_LIBRARY_PATH {1}:$LD_LIBRARY_PATH;\n"
        "if (! $?LD_LIBRARY_PATH) setenv LD_LIBRARY_PATH {1};\n",
        shell_word(root + "/bin"), shell_word(root + "/lib64"));
    for (const char* variable : compile::toolkit_root_variables)
        text += fmt::format("setenv {} {};\n", variable, shell_word(root));
    return text + "rehash;\n";
}

int run(const Options& options) {
    const auto root = compile::toolkit_root();
    if (!root)
        return fail(
            "this build is without its toolkit folder (share/lockstep/toolkit): build it with `make "
            "build`");
    if (options.csh && options.off) return fail("--off is not there for csh: start a new shell", 2);
    if (options.directory)
        fmt::print("{}\n", (*root / "bin").string());
    else
        fmt::print("{}", options.fish  ? for_fish(root->string(), options.off)
                         : options.csh ? for_csh(root->string())
                                       : for_sh(root->string(), options.off));
    return 0;
}

}  // namespace shims_command

void add_shims(CommandLine& line, Context& context) {
    using namespace shims_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("shims",
                         "Put nvcc, ncu, nvprof, compute-sanitizer, nvidia-smi, cuobjdump, hipcc, omniperf, "
                         "rocprof of lockstep's into a shell's PATH");
    command.footer(
        "eval \"$(lockstep shims)\"            sh, bash, zsh: nvcc and the others are lockstep's from here "
        "on\n"
        "eval \"$(lockstep shims --off)\"      as before\n"
        "lockstep shims --fish | source      fish\n"
        "eval `lockstep shims --csh`         csh, tcsh\n"
        "cmake -DCMAKE_CUDA_COMPILER=\"$(lockstep shims --dir)/nvcc\" …   one project, without changing the "
        "shell\n"
        "CUDA_HOME, CUDA_PATH and CUDA_ROOT name a folder that is laid out as a CUDA toolkit (bin, include,\n"
        "lib64), and LD_LIBRARY_PATH has its libraries. docs/build-systems.md tells more.");
    const Option directory =
        command.add_flag("--dir", options->directory, "Print the folder that goes into PATH, nothing else");
    command.add_flag("--off", options->off, "Take it out again").excludes(directory);
    const Option fish = command.add_flag("--fish", options->fish, "For fish");
    command.add_flag("--csh", options->csh, "For csh and tcsh").excludes(fish);
    command.callback([&context, options] { context.status = run(*options); });
}

}  // namespace lockstep::cli
