// The functions of engine.h: each kind of module does them for its own kernels.
#include <algorithm>
#include <thread>

#include "exec/engine.h"
#include "exec/loaded-kernel.h"
#include "exec/module-kinds.h"
#include "gcn/parse.h"

namespace lockstep::exec {

Module::Module(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Module::~Module() { impl_->release_variables(); }

Result<std::unique_ptr<Module>> Module::load(std::span<const std::string_view> texts, std::string name,
                                             DeviceMemory& memory, const gpu::GpuModel& gpu,
                                             const Options& options, std::span<const Placement> placements) {
    const bool gcn = !texts.empty() && gcn::is_assembly(texts.front());
    return (gcn ? load_gcn : load_ptx)(texts, std::move(name), memory, gpu, options, placements);
}

std::vector<const Kernel*> Module::kernels() const { return impl_->all_kernels(); }

const Kernel* Module::find_kernel(std::string_view name, std::size_t text) const {
    return impl_->find_kernel(name, text);
}

std::optional<VariableInfo> Module::find_variable(std::string_view name, std::size_t text) const {
    return impl_->find_variable(name, text);
}

const KernelInfo& kernel_info(const Kernel& kernel) { return kernel.info; }

std::size_t worker_threads(const Kernel& kernel) {
    const int threads = kernel.options().threads;
    return threads > 0 ? static_cast<std::size_t>(threads)
                       : std::max(1u, std::thread::hardware_concurrency());
}

Result<std::shared_ptr<const kernel::Kernel>> analysed(const Kernel& kernel, int row_lanes) {
    return kernel.analysed(row_lanes);
}

std::optional<Fault> run(const Kernel& kernel, const Launch& launch, LaunchStats* stats) {
    return kernel.run(launch, stats);
}

std::optional<Fault> run(const Kernel& kernel, const Launch& launch,
                         std::span<const events::Observers> observers,
                         std::span<const events::BlockRange> watched) {
    return kernel.run(launch, observers, watched);
}

std::optional<GcnCode> gcn_code(const Kernel& kernel) { return kernel.gcn_code(); }

std::optional<Fault> Kernel::run_counted(const Launch& launch, gcn::LaunchCounts*) const {
    return run(launch, nullptr);
}

std::optional<Fault> run_counted(const Kernel& kernel, const Launch& launch, gcn::LaunchCounts& counts) {
    return kernel.run_counted(launch, &counts);
}

Observed observe(const Kernel& kernel, const Launch& launch, events::Wants wants) {
    return kernel.observe(launch, wants);
}

void prepare(const Kernel& kernel, const Launch& launch) { kernel.prepare(launch); }

Result<void> compile_for(const Kernel& kernel, const std::string& triple, const std::string& cpu,
                         events::Wants wants) {
    return kernel.compile_for(triple, cpu, wants);
}

}  // namespace lockstep::exec
