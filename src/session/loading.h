// From the bytes in the program to a kernel that can be launched, one function a step.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exec/engine.h"
#include "gpu/model.h"
#include "session/status.h"

namespace lockstep::session {

// PTX text chosen for one GPU, or the assembly of an AMD GPU, which says itself that it is (.amdgcn_target).
// Relocatable texts refer to each other and are linked together.
struct PtxText {
    std::string text;
    bool relocatable = false;
};

// What every step needs of the device.
struct Machine {
    const gpu::GpuModel& gpu;
    exec::DeviceMemory& memory;
    const exec::Options& options;
    bool keep_ptx = false;  // modules keep their text, for run files
};

// bytes -> PTX, or assembly from an offload bundle (HIP). Of several texts, the newest that the GPU's compute
// capability allows, as the driver does; an error where it allows none. Nothing where the fat binary is
// empty. What ptxas is to be told of the text (ptx/assembler-options.h), the text says itself then.
Result<std::optional<PtxText>> select_ptx(const void* fatbin, const gpu::GpuModel& gpu);

// PTX -> module.
Found<std::shared_ptr<exec::Module>> load_module(std::span<const std::string_view> texts, std::string name,
                                                 std::span<const exec::Placement> placements,
                                                 const Machine& machine);

// module -> kernel, variable: of the first of `texts` texts, from `text` on, that has it.
Found<const exec::Kernel*> find_kernel(const exec::Module& module, const std::string& name, std::size_t text,
                                       std::size_t texts);
std::optional<exec::VariableInfo> find_variable(const exec::Module& module, const std::string& name,
                                                std::size_t text, std::size_t texts);

// kernel -> run: the parameters as exec::Launch::params has them. `arguments` points to each argument's
// value, in order.
Found<std::vector<std::byte>> pack_arguments(const exec::KernelInfo& kernel, void** arguments);

// The CUDA error that a fault becomes.
Status status_of(exec::FaultKind kind);

}  // namespace lockstep::session
