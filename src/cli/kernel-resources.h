// What each kernel of a program takes: registers, shared and local memory, and the bounds that it declares.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/device-code.h"
#include "gpu/model.h"

namespace lockstep::cli {

struct KernelRegisters {
    std::optional<int> count;                                // a thread
    std::string source;                                      // "ptxas", "estimate", "given" or "unknown"
    std::string reason;                                      // why it is not ptxas's
    std::optional<std::uint64_t> spill_stores, spill_loads;  // bytes a thread
    std::uint64_t stack_bytes = 0;                           // a thread, spills included
    int barriers = 0;                                        // of the block, where it is an estimate
};

struct KernelResources {
    std::string mangled, name;
    KernelRegisters registers;
    int register_bound = 0;  // what the compiler has to keep within
    std::uint64_t static_shared_bytes = 0;
    bool dynamic_shared = false;  // has an `extern __shared__` array
    std::uint64_t parameter_bytes = 0;
    std::uint64_t local_bytes = 0;
    // __launch_bounds__; 0: not given
    int max_threads = 0, min_blocks = 0;
    int max_registers = 0;
};

struct RegisterOptions {
    bool optimise = true;   // false: -G
    bool estimate = false;  // ptxas is not asked
};

// All kernels in the texts, each once: of code for several architectures the one that this GPU would take.
Result<std::vector<KernelResources>> kernel_resources(const std::vector<DeviceText>& texts,
                                                      const gpu::GpuModel& gpu,
                                                      const RegisterOptions& options);

}  // namespace lockstep::cli
