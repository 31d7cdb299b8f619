#include "cli/kernel-resources.h"

#include <algorithm>
#include <map>

#include "base/demangle.h"
#include "compile/ptxas.h"
#include "gpu/occupancy.h"
#include "ptx/kernel-memory.h"
#include "ptx/parser.h"

namespace lockstep::cli {
namespace {

// What the driver would load: the newest code that is not newer than the GPU; if all is, the oldest.
std::vector<const DeviceText*> choose_texts(const std::vector<DeviceText>& texts, const gpu::GpuModel& gpu) {
    std::map<std::size_t, const DeviceText*> chosen;
    for (const DeviceText& text : texts) {
        const DeviceText*& best = chosen[text.group];
        const auto fits = [&](const DeviceText& t) { return t.sm <= gpu.compute_capability(); };
        if (!best || (fits(text) && (!fits(*best) || text.sm > best->sm)) ||
            (!fits(text) && !fits(*best) && text.sm < best->sm))
            best = &text;
    }
    std::vector<const DeviceText*> result;
    for (const auto& [group, text] : chosen) result.push_back(text);
    return result;
}

// As ptxas does: a kernel's own bounds come before the command line's.
int register_bound(const KernelResources& kernel, const gpu::GpuModel& gpu, const RegisterOptions& options) {
    int bound = gpu.max_registers_per_thread;
    if (kernel.max_registers > 0)
        bound = std::min(bound, kernel.max_registers);
    else if (kernel.max_threads > 0)
        bound =
            std::min(bound, gpu::registers_that_fit(gpu, kernel.max_threads, std::max(kernel.min_blocks, 1)));
    else if (options.max_registers > 0)
        bound = std::min(bound, options.max_registers);
    return bound;
}

// The one place where a kernel's registers come from.
KernelRegisters kernel_registers(const KernelResources& kernel, const Result<compile::PtxasReport>& report) {
    if (!report) return {{}, "unknown", report.error().message};
    const auto found = report->find(kernel.mangled);
    if (found == report->end()) return {{}, "unknown", "ptxas did not report this kernel"};
    const compile::PtxasKernel& ptxas = found->second;
    return {ptxas.registers, "ptxas", "", ptxas.spill_stores, ptxas.spill_loads, ptxas.stack_bytes};
}

Result<compile::PtxasReport> ask_ptxas(const DeviceText& text, const gpu::GpuModel& gpu,
                                       const RegisterOptions& options) {
    auto ptxas = compile::find_ptxas();
    if (!ptxas) return ptxas.error();
    return compile::run_ptxas(
        *ptxas, text.ptx,
        {gpu.compute_capability(), options.max_registers, options.optimise, text.relocatable});
}

}  // namespace

Result<std::vector<KernelResources>> kernel_resources(const std::vector<DeviceText>& texts,
                                                      const gpu::GpuModel& gpu,
                                                      const RegisterOptions& options) {
    std::vector<KernelResources> kernels;
    for (const DeviceText* text : choose_texts(texts, gpu)) {
        auto module = ptx::parse(text->ptx, text->name);
        if (!module) return module.error();
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
            kernel.register_bound = register_bound(kernel, gpu, options);
            kernel.registers = kernel_registers(kernel, report);
            kernel.local_bytes = std::max(memory.local_bytes, kernel.registers.stack_bytes);
            kernels.push_back(std::move(kernel));
        }
    }
    return kernels;
}

}  // namespace lockstep::cli
