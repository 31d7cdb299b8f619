#include "session/loading.h"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/demangle.h"
#include "compile/architectures.h"
#include "compile/fatbin.h"
#include "compile/offload-bundle.h"
#include "ptx/assembler-options.h"

namespace lockstep::session {
namespace {

Result<std::optional<PtxText>> select_hip(const void* bundle, const gpu::GpuModel& gpu) {
    auto entries = compile::read_offload_bundle(bundle);
    if (!entries) return entries.error();
    if (entries->empty()) return std::optional<PtxText>();
    auto code = compile::code_for(*entries, gpu.target, fmt::format("{} ({})", gpu.name, gpu.id));
    if (!code) return code.error();
    return std::optional(PtxText{std::move(*code)});
}

}  // namespace

Result<std::optional<PtxText>> select_ptx(const void* fatbin, const gpu::GpuModel& gpu) {
    if (compile::is_offload_bundle(fatbin)) return select_hip(fatbin, gpu);
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
    std::string text = ptx::assembled(std::move(chosen->text), chosen->options);
    return std::optional<PtxText>(PtxText{std::move(text), chosen->relocatable});
}

Found<std::shared_ptr<exec::Module>> load_module(std::span<const std::string_view> texts, std::string name,
                                                 std::span<const exec::Placement> placements,
                                                 const Machine& machine) {
    auto module =
        exec::Module::load(texts, std::move(name), machine.memory, machine.gpu, machine.options, placements);
    if (!module) return Outcome::lacking(Status::invalid_ptx, module.error().to_string());
    return std::shared_ptr<exec::Module>(std::move(*module));
}

Found<const exec::Kernel*> find_kernel(const exec::Module& module, const std::string& name, std::size_t text,
                                       std::size_t texts) {
    for (std::size_t i = text; i < text + texts; ++i)
        if (const exec::Kernel* kernel = module.find_kernel(name, i)) return kernel;
    return Outcome::lacking(Status::invalid_device_function,
                            fmt::format("the program's PTX has no kernel '{}'", name));
}

std::optional<exec::VariableInfo> find_variable(const exec::Module& module, const std::string& name,
                                                std::size_t text, std::size_t texts) {
    for (std::size_t i = text; i < text + texts; ++i)
        if (auto info = module.find_variable(name, i)) return info;
    return {};
}

// A kernel's PTX says how many arguments there are and how large, the host program only where they lie. If
// the two do not belong together, some may not be there at all: the system copies them, and stops at what it
// cannot read.
Found<std::vector<std::byte>> pack_arguments(const exec::KernelInfo& kernel, void** arguments) {
    std::vector<std::byte> params(kernel.param_bytes);
    std::vector<iovec> to, from;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
        to.push_back({params.data() + kernel.params[i].offset, kernel.params[i].size});
        from.push_back({arguments[i], kernel.params[i].size});
    }
    for (std::size_t begin = 0; begin < to.size(); begin += IOV_MAX) {
        const std::size_t count = std::min<std::size_t>(to.size() - begin, IOV_MAX);
        const ssize_t copied =
            process_vm_readv(getpid(), to.data() + begin, count, from.data() + begin, count, 0);
        if (copied < 0 && errno != EFAULT) {  // a sandbox may forbid the call
            for (std::size_t i = begin; i < begin + count; ++i)
                std::memcpy(to[i].iov_base, from[i].iov_base, to[i].iov_len);
            continue;
        }
        std::size_t left = copied < 0 ? 0 : static_cast<std::size_t>(copied);
        for (std::size_t i = begin; i < begin + count; ++i) {
            if (left < to[i].iov_len)
                return Outcome(
                    Status::invalid_value,
                    fmt::format("kernel '{}' was not launched: its argument {} has {} bytes, and the "
                                "program has no such memory at {}",
                                base::demangle(kernel.name), i + 1, to[i].iov_len, from[i].iov_base),
                    true);
            left -= to[i].iov_len;
        }
    }
    return params;
}

Status status_of(exec::FaultKind kind) {
    switch (kind) {
        case exec::FaultKind::illegal_address: return Status::illegal_address;
        case exec::FaultKind::misaligned_address: return Status::misaligned_address;
        case exec::FaultKind::address_space: return Status::invalid_address_space;
        case exec::FaultKind::device_assert: return Status::device_assert;
        case exec::FaultKind::trap:
        case exec::FaultKind::freed_twice: return Status::launch_failure;
        case exec::FaultKind::illegal_instruction: return Status::illegal_instruction;
        case exec::FaultKind::timeout: return Status::launch_timeout;
        case exec::FaultKind::invalid_call: return Status::invalid_pc;
        case exec::FaultKind::stack_overflow: return Status::hardware_stack_error;
        case exec::FaultKind::barrier_deadlock: return Status::launch_timeout;
        case exec::FaultKind::compile_error: return Status::invalid_ptx;
        case exec::FaultKind::host_exhausted: return Status::launch_out_of_resources;
        case exec::FaultKind::heap_exhausted: return Status::memory_allocation;
    }
    return Status::launch_failure;
}

}  // namespace lockstep::session
