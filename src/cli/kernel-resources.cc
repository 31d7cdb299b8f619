#include "cli/kernel-resources.h"

#include <algorithm>
#include <map>

#include "base/demangle.h"
#include "compile/architectures.h"
#include "compile/ptxas.h"
#include "gpu/occupancy.h"
#include "kernel/ir.h"
#include "kernel/shapes.h"
#include "machine/thread-resources.h"
#include "machine/view.h"
#include "ptx/kernel-memory.h"
#include "ptx/parser.h"

namespace lockstep::cli {
namespace {

// What the driver would load: the newest code that is not newer than the GPU; if all is, the oldest.
std::vector<const DeviceText*> choose_texts(const std::vector<DeviceText>& texts, const gpu::GpuModel& gpu) {
    std::map<std::size_t, std::vector<const DeviceText*>> groups;
    for (const DeviceText& text : texts) groups[text.group].push_back(&text);
    const auto number_of = [](const DeviceText* text) { return text->sm; };
    std::vector<const DeviceText*> result;
    for (auto& [group, members] : groups) {
        const auto chosen = compile::loadable(members, gpu.compute_capability(), number_of);
        result.push_back(chosen != members.end() ? *chosen
                                                 : *std::ranges::min_element(members, {}, number_of));
    }
    return result;
}

Result<compile::PtxasReport> ask_ptxas(const DeviceText& text, const gpu::GpuModel& gpu,
                                       const RegisterOptions& options) {
    if (options.estimate) return Error{"asked for", {}};
    auto ptxas = compile::find_ptxas();
    if (!ptxas) return ptxas.error();
    return compile::run_ptxas(
        *ptxas, text.ptx,
        {gpu.compute_capability(), text.assembler.max_registers, options.optimise, text.relocatable});
}

// Barriers of the block that the kernel waits at: up to the highest number that it names, or all.
int barriers_of(const kernel::Kernel& kernel) {
    constexpr std::uint64_t all = 16;
    std::uint64_t used = 0;
    for (const kernel::Site& site : kernel.sites) {
        if (site.kind != kernel::SiteKind::barrier) continue;
        const ptx::Operand& number = kernel.instruction_of(site).operands[0];
        used = std::max(used, number.kind == ptx::Operand::Kind::integer ? number.bits + 1 : all);
    }
    return static_cast<int>(std::min(used, all));
}

std::uint64_t parameter_bytes(const ptx::Function& function) {
    std::uint64_t end = 0;
    for (const std::uint32_t p : function.params) {
        const ptx::Variable& parameter = function.variables[p];
        end = (end + parameter.align() - 1) / parameter.align() * parameter.align() + parameter.size();
    }
    return end;
}

// The machine view's own allocation. `local_bytes`: of a thread's variables, in front of what is spilled.
KernelRegisters estimate(const ptx::Module& module, std::uint32_t function, const gpu::GpuModel& gpu,
                         const machine::Options& options, std::uint64_t local_bytes) {
    auto kernel = kernel::analyse(kernel::source_of(module, function));
    if (!kernel) return {{}, "unknown", kernel.error().to_string()};
    const machine::View view = machine::look(kernel->functions.front(), gpu, options);
    const machine::ThreadResources resources = machine::resources_of(view, local_bytes);
    return {static_cast<int>(resources.registers),
            "estimate",
            "",
            view.spill_stores(),
            view.spill_loads(),
            resources.frame_bytes,
            barriers_of(*kernel)};
}

// The one place where a kernel's registers come from: ptxas, or else the estimate.
KernelRegisters kernel_registers(const ptx::Module& module, std::uint32_t function,
                                 const Result<compile::PtxasReport>& report, const gpu::GpuModel& gpu,
                                 const machine::Options& options, std::uint64_t local_bytes) {
    std::string reason;
    if (report) {
        const auto found = report->find(module.functions[function].name);
        if (found != report->end()) {
            const compile::PtxasKernel& ptxas = found->second;
            return {ptxas.registers, "ptxas", "", ptxas.spill_stores, ptxas.spill_loads, ptxas.stack_bytes};
        }
        reason = "ptxas did not report this kernel";
    } else {
        reason = report.error().message;
    }
    KernelRegisters registers = estimate(module, function, gpu, options, local_bytes);
    registers.reason += (registers.reason.empty() ? "" : "; ") + reason;
    return registers;
}

}  // namespace

Result<std::vector<KernelResources>> kernel_resources(const std::vector<DeviceText>& texts,
                                                      const gpu::GpuModel& gpu,
                                                      const RegisterOptions& options) {
    std::vector<KernelResources> kernels;
    for (const DeviceText* text : choose_texts(texts, gpu)) {
        auto module = ptx::parse(text->ptx, text->name);
        if (!module) return module.error();
        ptx::apply(text->assembler, *module);
        const auto report = ask_ptxas(*text, gpu, options);
        const std::vector<bool> taken = ptx::address_taken(*module);
        for (std::uint32_t f = 0; f < module->functions.size(); ++f) {
            const ptx::Function& function = module->functions[f];
            if (!function.entry || function.declaration) continue;
            const ptx::KernelMemory memory = ptx::kernel_memory(*module, f, taken);
            KernelResources kernel;
            kernel.mangled = function.name;
            kernel.name = base::kernel_name(function.name);
            kernel.static_shared_bytes = memory.static_shared_bytes;
            kernel.dynamic_shared = memory.dynamic_shared;
            kernel.max_threads = static_cast<int>(ptx::max_threads_per_block(function));
            kernel.min_blocks = static_cast<int>(function.min_blocks_per_sm);
            kernel.max_registers = static_cast<int>(function.max_registers);
            kernel.register_bound =
                gpu::register_bound(gpu, {kernel.max_registers, kernel.max_threads, kernel.min_blocks});
            const auto most = static_cast<std::uint32_t>(kernel.register_bound);
            kernel.parameter_bytes = parameter_bytes(function);
            kernel.registers =
                kernel_registers(*module, f, report, gpu, {options.optimise, most}, memory.local_bytes);
            kernel.local_bytes = kernel.registers.count ? kernel.registers.stack_bytes : memory.local_bytes;
            kernels.push_back(std::move(kernel));
        }
    }
    return kernels;
}

}  // namespace lockstep::cli
