// Runs a command for somebody who may have written anything into the program: with limits on its time, memory
// and output.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "compile/process.h"

namespace lockstep::serve {

struct RunLimits {
    std::chrono::seconds time{60};            // on the wall
    std::uint64_t memory_bytes = 4ull << 30;  // of each process
    std::uint64_t file_bytes = 256ull << 20;  // of each file that it writes
    std::size_t shown_bytes = 256 << 10;      // of what it prints
};

struct Outcome {
    compile::ExitStatus status;
    bool too_long = false;  // it was stopped
    std::string output;     // stdout, then stderr; the middle is left out where it is too much
    double seconds = 0;
};

Result<Outcome> run_limited(const compile::Arguments& arguments, const RunLimits& limits);

}  // namespace lockstep::serve
