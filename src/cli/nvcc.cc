#include "cli/command.h"

namespace lockstep::cli {

void add_nvcc(CLI::App& app) {
    app.add_subcommand("nvcc", "Compile as nvcc does, for the simulated GPU: takes nvcc's own options");
}

}  // namespace lockstep::cli
