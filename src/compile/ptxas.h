// ptxas -v: what NVIDIA's assembler makes of PTX, where it is installed. Only its report is read; the machine
// code is thrown away.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lockstep::compile {

struct PtxasKernel {
    int registers = 0;
    std::uint64_t spill_stores = 0, spill_loads = 0;  // bytes a thread
    std::uint64_t stack_bytes = 0;                    // a thread, spills included
    std::uint64_t shared_bytes = 0;                   // static
};

using PtxasReport = std::map<std::string, PtxasKernel, std::less<>>;  // by mangled name

struct PtxasOptions {
    int sm = 90;
    int max_registers = 0;  // -maxrregcount; 0: none
    bool optimise = true;
    bool relocatable = false;
};

// ptxas, if it is installed: in PATH, in $CUDA_HOME or in /usr/local/cuda.
Result<std::filesystem::path> find_ptxas();

// The error is what ptxas said first: an architecture that it does not know, a function that is nowhere.
Result<PtxasReport> run_ptxas(const std::filesystem::path& ptxas, std::string_view ptx,
                              const PtxasOptions& options);

// The report's text, as -v writes it.
PtxasReport parse_ptxas_report(std::string_view text);

}  // namespace lockstep::compile
