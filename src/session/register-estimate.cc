#include "session/register-estimate.h"

#include <algorithm>

#include "exec/externals.h"
#include "gpu/occupancy.h"
#include "kernel/shapes.h"
#include "ptx/kernel-memory.h"

namespace lockstep::session {
namespace {

std::uint32_t register_bound(const ptx::Function& function, const gpu::GpuModel& gpu, int command_line) {
    const std::uint32_t threads = ptx::max_threads_per_block(function);
    return static_cast<std::uint32_t>(
        gpu::register_bound(gpu, {static_cast<int>(function.max_registers), static_cast<int>(threads),
                                  static_cast<int>(function.min_blocks_per_sm), command_line}));
}

// nvcc -G says so in the PTX.
bool is_optimised(const ptx::Module& module) {
    return std::find(module.target_options.begin(), module.target_options.end(), "debug") ==
           module.target_options.end();
}

}  // namespace

machine::Options machine_options(const ptx::Module& module, std::uint32_t function, const gpu::GpuModel& gpu,
                                 int max_registers) {
    return {.optimise = is_optimised(module),
            .max_registers = register_bound(module.functions[function], gpu, max_registers)};
}

std::uint32_t estimate_registers(const exec::Kernel& kernel, const gpu::GpuModel& gpu, int max_registers) {
    const exec::KernelSource source = exec::kernel_source(kernel);
    const auto function = kernel::build(*source.module, source.function, exec::is_external_function);
    if (!function) return 0;
    return machine::look(*function, kernel::find_shapes(*function, true), gpu,
                         machine_options(*source.module, source.function, gpu, max_registers))
        .registers;
}

}  // namespace lockstep::session
