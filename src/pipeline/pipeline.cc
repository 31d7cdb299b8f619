#include "pipeline/pipeline.h"

#include <algorithm>

#include "gpu/occupancy.h"
#include "ptx/kernel-memory.h"

namespace lockstep::pipeline {
namespace {

constexpr Pass all_passes[] = {
    {"inline", "one list of PTX instructions, with the bodies of called functions in it"},
    {"parameters", "the same, with the parameters of inlined calls as registers"},
    {"blocks", "basic blocks"},
    {"order", "basic blocks in the order in which waiting lanes go on, with their loops"},
    {"shapes", "what each register is across the lanes of a warp, and where lanes wait"},
    {"numbers", "the numbers of blocks and memory accesses that records speak of"},
    {"select", "machine instructions, one PTX instruction at a time"},
    {"constants", "… with parameters, special registers and addresses of variables loaded"},
    {"tables", "… with the questions of a switch as one branch by a table"},
    {"addresses", "… with address arithmetic folded into accesses"},
    {"wide", "… with 64-bit values as two halves, of which some need no work"},
    {"narrow", "… with bytes and halves taken out of words and put into them"},
    {"arrays", "… with small arrays of local memory in registers"},
    {"logic", "… with logic on three inputs joined"},
    {"arithmetic", "… with arithmetic folded"},
    {"predicates", "… with logic on predicates folded"},
    {"repeated", "… with what was computed before"},
    {"atomics", "… with atomics on one address joined"},
    {"merge", "… with neighbouring accesses merged"},
    {"literals", "… with constants made that instructions cannot take"},
    {"swaps", "… with loops that compare and swap in shared memory, and what such loops need"},
    {"machine", "what the machine issues: predicated, unrolled, with its branches and registers"},
    {"accesses", "what the machine does at each memory access"},
    {"timing", "the machine's instructions in the order of issue, with what they wait for"},
};

// nvcc -G says so in the PTX.
bool is_optimised(const ptx::Module& module) {
    return std::find(module.target_options.begin(), module.target_options.end(), "debug") ==
           module.target_options.end();
}

}  // namespace

std::span<const Pass> passes() { return all_passes; }

machine::Options machine_options(const ptx::Module& module, std::uint32_t entry, const gpu::GpuModel& gpu) {
    const ptx::Function& function = module.functions[entry];
    const gpu::RegisterBounds bounds{static_cast<int>(function.max_registers),
                                     static_cast<int>(ptx::max_threads_per_block(function)),
                                     static_cast<int>(function.min_blocks_per_sm)};
    return {.optimise = is_optimised(module),
            .max_registers = static_cast<std::uint32_t>(gpu::register_bound(gpu, bounds))};
}

machine::ThreadResources estimate_resources(const kernel::Kernel& kernel, const gpu::GpuModel& gpu,
                                            std::uint64_t local_bytes) {
    const kernel::Function& entry = kernel.functions.front();
    const machine::Options options = machine_options(*entry.module, entry.index, gpu);
    return machine::resources_of(machine::look(entry, gpu, options), local_bytes);
}

Result<Derived> derive(const kernel::Source& source, const gpu::GpuModel& gpu,
                       const machine::Options& options, const kernel::PassTap& tap) {
    auto kernel = kernel::analyse(source, tap);
    if (!kernel) return kernel.error();
    return derive(std::make_shared<const kernel::Kernel>(std::move(*kernel)), gpu, options, tap);
}

Derived derive(std::shared_ptr<const kernel::Kernel> kernel, const gpu::GpuModel& gpu,
               const machine::Options& options, const kernel::PassTap& tap) {
    Derived derived;
    derived.views = machine::look(*kernel, gpu, options, tap);
    derived.accesses = counters::machine_accesses(*kernel, derived.views, gpu);
    tap.after("accesses", [&] { return counters::print(derived.accesses, *kernel); });
    derived.code = timing::make_code(*kernel, derived.views, derived.accesses, gpu);
    tap.after("timing", [&] { return timing::print(derived.code, *kernel); });
    if (kernel->functions.size() == 1) {
        std::vector<bool> branches;
        for (const machine::Block& block : derived.views.front().blocks) branches.push_back(block.has_branch);
        derived.meetings = kernel::meeting_places(kernel->functions.front(), branches);
    }
    derived.kernel = std::move(kernel);
    return derived;
}

}  // namespace lockstep::pipeline
