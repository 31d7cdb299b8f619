
#include "cli/command.h"

namespace lockstep::cli {

void add_nvcc(CommandLine& line) {
    line.add_command("nvcc", "Compile as nvcc does, for the simulated GPU: takes nvcc's own options");
}

void add_hipcc(CommandLine& line) {
    line.add_command("hipcc", "Compile as hipcc does, for a simulated AMD GPU: takes hipcc's own options");
    line.add_command("hipconfig", "Where things are, as hipconfig tells it");
}

}  // namespace lockstep::cli
