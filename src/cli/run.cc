// lockstep run: compile (or take an executable), and become the program.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "cli/command.h"
#include "cli/native-program.h"
#include "cli/start-program.h"

namespace lockstep::cli {
namespace run_command {

struct Options {
    ProgramOptions program;
    bool stats = false;
};

constexpr const char* synopsis =
    "lockstep run [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep run [OPTIONS] EXECUTABLE [ARGUMENTS]\n\n";
constexpr const char* examples =
    "-o FILE keeps the executable.\n"
    "Examples:\n"
    "  lockstep run reduce.cu\n"
    "  lockstep run --gpu k20x --threads 1 -O3 -DN=1024 main.cu kernels.cu util.cpp -lm -- --size 4096\n"
    "  lockstep run ./a.out 100\n"
    "  lockstep run --on gpu reduce.cu                     the same on this machine's GPU\n"
    "The program's input, output, exit status and signals are its own.";

int run(Options options, const std::vector<std::string>& rest, const Context& context) {
    const compile::BlockedSignals signals;
    if (auto found = find_hardware(options.program, rest); !found) return fail(found.error().to_string());
    Prepared prepared = prepare_program("run", options.program, rest, context);
    if (!prepared.program) return prepared.status;
    if (options.stats) setenv("LOCKSTEP_STATS", "1", 1);
    return become(std::move(*prepared.program), signals);
}

}  // namespace run_command

void add_run(CommandLine& line, Context& context) {
    using namespace run_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command("run", "Compile a program (or take an executable) and run it");
    command.footer(fmt::format("{}{}{}", synopsis, compiler_options_help, examples));
    command.allow_rest();
    add_program_options(command, options->program);
    add_clock_option(command, options->program);
    add_on_option(command, options->program);
    add_sample_option(command, options->program);
    command.add_flag("--stats", options->stats, "Print how many instructions were executed, at the end");
    command.callback(
        [command, options, &context] { context.status = run(*options, command.rest(), context); });
}

}  // namespace lockstep::cli
