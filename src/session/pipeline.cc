#include "session/pipeline.h"

#include <fmt/format.h>

#include <cstring>

#include "compile/architectures.h"
#include "compile/fatbin.h"

namespace lockstep::session {

Result<std::optional<PtxText>> select_ptx(const void* fatbin, const gpu::GpuModel& gpu) {
    auto entries = compile::ptx_entries(fatbin);
    if (!entries) return entries.error();
    if (entries->empty()) return std::optional<PtxText>();
    const auto number_of = [](const compile::FatbinPtx& entry) { return entry.sm; };
    const auto chosen = compile::loadable(*entries, gpu.compute_capability(), number_of);
    if (chosen == entries->end()) {
        std::string there;
        for (const compile::FatbinPtx& entry : *entries)
            there += fmt::format("{}sm_{}", there.empty() ? "" : ", ", entry.sm);
        return Error{
            fmt::format("the program's device code is for newer GPUs ({}) than {} ({}), whose compute "
                        "capability is {}.{}: compile it with -arch=sm_{}{}, or choose another GPU "
                        "with --gpu or LOCKSTEP_GPU",
                        there, gpu.name, gpu.id, gpu.compute_major, gpu.compute_minor, gpu.compute_major,
                        gpu.compute_minor),
            {}};
    }
    return std::optional<PtxText>(PtxText{std::move(chosen->text), chosen->relocatable});
}

Found<std::shared_ptr<exec::Module>> load_module(std::span<const std::string_view> texts, std::string name,
                                                 std::span<const exec::Placement> placements,
                                                 const Machine& machine) {
    auto module =
        exec::Module::load(texts, std::move(name), machine.memory, machine.gpu, machine.options, placements);
    if (!module) return Outcome::lacking(Status::invalid_ptx, module.error().to_string());
    return std::shared_ptr<exec::Module>(std::move(*module));
}

Found<const exec::Kernel*> find_kernel(const exec::Module& module, const std::string& name,
                                       std::size_t text) {
    if (const exec::Kernel* kernel = module.find_kernel(name, text)) return kernel;
    return Outcome::lacking(Status::invalid_device_function,
                            fmt::format("the program's PTX has no kernel '{}'", name));
}

std::vector<std::byte> pack_arguments(const exec::KernelInfo& kernel, void** arguments) {
    std::vector<std::byte> params(kernel.param_bytes);
    for (std::size_t i = 0; i < kernel.params.size(); ++i)
        std::memcpy(params.data() + kernel.params[i].offset, arguments[i], kernel.params[i].size);
    return params;
}

Status status_of(exec::FaultKind kind) {
    switch (kind) {
        case exec::FaultKind::illegal_address: return Status::illegal_address;
        case exec::FaultKind::misaligned_address: return Status::misaligned_address;
        case exec::FaultKind::device_assert: return Status::device_assert;
        case exec::FaultKind::trap: return Status::launch_failure;
        case exec::FaultKind::illegal_instruction: return Status::illegal_instruction;
        case exec::FaultKind::timeout: return Status::launch_timeout;
        case exec::FaultKind::invalid_call: return Status::invalid_pc;
        case exec::FaultKind::stack_overflow: return Status::hardware_stack_error;
        case exec::FaultKind::barrier_deadlock: return Status::launch_timeout;
        case exec::FaultKind::compile_error: return Status::invalid_ptx;
        case exec::FaultKind::heap_exhausted: return Status::memory_allocation;
    }
    return Status::launch_failure;
}

}  // namespace lockstep::session
