
#include "cli/command.h"

namespace lockstep::cli {

void add_nvcc(CommandLine& line) {
    line.add_command("nvcc", "Compile as nvcc does, for the simulated GPU: takes nvcc's own options");
}

}  // namespace lockstep::cli
