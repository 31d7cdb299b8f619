// lockstep env: the settings with which a client that is linked to CUDA's libraries, or loads them, finds
// lockstep's; printed for a shell, or set for one command.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/environment.h"
#include "cli/models.h"
#include "cli/shell-word.h"
#include "compile/toolkit.h"
#include "gpu/model-settings.h"

namespace lockstep::cli {
namespace env_command {

struct Options {
    std::string gpu;
    std::vector<std::string> settings;
};

constexpr const char* list_variable = "LD_LIBRARY_PATH";

Result<Variables> settings_of(const Options& options, const std::string& library) {
    Variables variables = {{list_variable, library}};
    if (const auto root = compile::toolkit_root())
        for (const char* name : compile::toolkit_root_variables) variables.emplace_back(name, root->string());
    if (!options.gpu.empty() || !options.settings.empty())
        if (auto model = chosen_model_for_code(options.gpu, options.settings); !model) return model.error();
    if (!options.gpu.empty()) variables.emplace_back("LOCKSTEP_GPU", model_setting(options.gpu));
    if (!options.settings.empty())
        variables.emplace_back("LOCKSTEP_SET", gpu::join_settings(options.settings));
    return variables;
}

// What was in the list stays, behind.
void print(const Variables& variables) {
    for (const auto& [name, value] : variables)
        fmt::print("export {0}={1}{2}\n", name, shell_word(value),
                   name == list_variable ? fmt::format("${{{0}:+:${0}}}", name) : "");
}

int become(Variables variables, const std::vector<std::string>& command) {
    for (auto& [name, value] : variables)
        if (const char* before = std::getenv(name.c_str()); name == list_variable && before && *before)
            value += std::string(":") + before;
    set_variables(variables);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    const int reason = errno;
    return fail(fmt::format("cannot start {}: {}", command[0], strerror(reason)),
                reason == ENOENT ? 127 : 126);
}

int run(const Options& options, const std::vector<std::string>& command) {
    auto library = base::find_library_dir();
    if (!library) return fail(library.error().to_string());
    auto variables = settings_of(options, library->string());
    if (!variables) return fail(variables.error().to_string(), 2);
    if (!command.empty()) return become(std::move(*variables), command);
    print(*variables);
    return 0;
}

}  // namespace env_command

void add_env(CommandLine& line, Context& context) {
    using namespace env_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command(
        "env",
        "Print the settings with which a client of CUDA's libraries finds lockstep's, or run it with them");
    command.footer(
        "lockstep env -- python3 train.py         one command\n"
        "lockstep env --gpu a100 -- ./client 64   on another GPU\n"
        "eval \"$(lockstep env)\"                   sh, bash, zsh: everything that this shell starts\n"
        "The client may be linked to libcudart, libcuda, libnvrtc, libcublas or libcurand, or load them when "
        "it "
        "runs:\n"
        "Python, Julia, Rust. docs/clients.md has examples. To build with nvcc's name in PATH there is "
        "lockstep "
        "shims.");
    add_model_options(command, options->gpu, options->settings);
    command.callback([&context, options] { context.status = run(*options, context.after_dashes); });
}

}  // namespace lockstep::cli
