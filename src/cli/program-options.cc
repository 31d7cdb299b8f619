#include "cli/program-options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/models.h"

namespace lockstep::cli {

const char* const compiler_options_help =
    "Compiler options are nvcc's: -O0 … -O3, -I, -D, -U, -std=c++20, -g, -G, -lineinfo, -arch=sm_80, "
    "-use_fast_math,\n"
    "-rdc=true, -L, -l, -Xcompiler and the others of `lockstep nvcc --help`. For HIP (.hip) they are "
    "hipcc's.\n";

void add_detailed_option(const Command& command, ProgramOptions& options) {
    command.add_flag("--detailed", options.detailed,
                     "Replay every block on every SM for the predicted times, not a sample: much slower");
}

void add_sample_option(const Command& command, ProgramOptions& options) {
    command.add_flag(
        "--sample", options.sample,
        "Execute only blocks that stand for a large launch: quick; counts are then estimates, and "
        "the program's results wrong");
}

void add_clock_option(const Command& command, ProgramOptions& options) {
    command
        .add_option(
            "--clock", options.clock,
            "What CUDA's events and the host's clocks tell: the simulated GPU's time (default), or how "
            "long the simulation takes (wall)")
        .one_of({"wall", "simulated"});
}

void add_on_option(const Command& command, ProgramOptions& options) {
    command
        .add_option(
            "--on", options.on,
            "simulator (default), or gpu: the GPU of this machine, NVIDIA's with nvcc and ncu, or, for "
            "HIP, AMD's with hipcc and rocprofv3")
        .one_of({"simulator", "gpu"});
}

void add_program_options(const Command& command, ProgramOptions& options) {
    add_model_options(command, options.gpu, options.settings);
    command.add_option("--compiler", options.compiler, "clang (default), or nvcc where it is installed")
        .one_of({"clang", "nvcc"});
    command.add_option("--ptx", options.ptx, "PTX to run as the device code, instead of the compiler's")
        .existing_file();
    command
        .add_option("--timeout", options.timeout,
                    "Stop a kernel that runs, or is compiled, longer than this many seconds")
        .check([](const std::string& text) {
            const double seconds = std::strtod(text.c_str(), nullptr);
            constexpr double most = 1e9;
            return seconds > 0 && seconds <= most ? "" : text + " is no number of seconds above 0";
        });
    command.add_flag("--hip", options.hip, "The files are HIP's, whatever their names (.hip always is)");
    command.add_option("--threads", options.threads, "Worker threads (default: one a core)").between(1, 4096);
    command.add_option(
        "--devices", options.devices,
        "How many devices there are (default: 1), or the GPU model of each, separated by commas");
    command
        .add_option("--host", options.host,
                    "With simulated time: what the program computes is measured (default, but for timeline), "
                    "or free")
        .one_of({"free", "measured"});
    command
        .add_option(
            "--memory", options.memory,
            "exact (default): an access outside an allocation ends the kernel; gpu: allocations are rounded "
            "and placed as CUDA's driver does it, and what a GPU lets pass is told once and passes")
        .one_of({"exact", "gpu"});
    command.add_flag("--no-cache", options.no_cache, "Compile anew, and keep nothing");
    command.add_flag("--no-progress", options.no_progress,
                     "At a terminal, do not tell what takes long (compiling, launches and their blocks)");
    command.add_flag("--verbose", options.verbose, "Show the compiler's commands");
}

}  // namespace lockstep::cli
