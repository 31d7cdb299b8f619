// What the commands that run a program let their users say of it.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command-line.h"
#include "measure/real-gpu.h"

namespace lockstep::cli {

struct ProgramOptions {
    std::string gpu, compiler = "clang", ptx;
    std::vector<std::string> gpus;      // of a program that runs on several: what it is compiled for
    bool detailed = false;              // LOCKSTEP_DETAILED
    bool sample = false;                // LOCKSTEP_SAMPLE
    bool no_progress = false;           // LOCKSTEP_PROGRESS=0
    bool what_if = false;               // LOCKSTEP_WHAT_IF
    std::string clock, host;            // LOCKSTEP_CLOCK and LOCKSTEP_HOST; empty: as the environment says
    std::string memory;                 // LOCKSTEP_MEMORY, likewise
    std::string devices;                // LOCKSTEP_DEVICES, likewise
    std::vector<std::string> settings;  // of the GPU model: --set
    double timeout = 0;
    int threads = 0;
    bool verbose = false, no_cache = false;
    bool for_checks = false;  // compiled so that what is found has its lines: compile::Flags
    bool tell_overflow = false;
    bool hip = false;  // the program is HIP's, whatever its files are called
    // --on gpu, and then the GPUs of this machine: the program is compiled for the first, and runs there.
    std::string on = "simulator";
    std::vector<measure::RealGpu> hardware;
    bool other_blocks = false;  // and LOCKSTEP_BLOCK changes its launches there: only of sources
};

// "--clock", of commands that do not choose it themselves.
void add_clock_option(const Command& command, ProgramOptions& options);
// "--detailed", of commands that predict time.
void add_detailed_option(const Command& command, ProgramOptions& options);
// "--sample", likewise.
void add_sample_option(const Command& command, ProgramOptions& options);
// "--on", of commands that can use a real GPU (native-program.h).
void add_on_option(const Command& command, ProgramOptions& options);
void add_program_options(const Command& command, ProgramOptions& options);

// For help texts: the compiler options that stand before the program's files.
extern const char* const compiler_options_help;

}  // namespace lockstep::cli
