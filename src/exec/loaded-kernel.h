// A kernel of a loaded module, whatever language its code is in: what the functions of engine.h ask of it.
#pragma once
#include "exec/engine.h"

namespace lockstep::exec {

class Kernel {
  public:
    virtual ~Kernel() = default;

    virtual const Options& options() const = 0;
    virtual Result<std::shared_ptr<const kernel::Kernel>> analysed(int row_lanes) const = 0;
    virtual std::optional<Fault> run(const Launch& launch, LaunchStats* stats) const = 0;
    virtual std::optional<Fault> run(const Launch& launch, std::span<const events::Observers> observers,
                                     std::span<const events::BlockRange> watched) const = 0;
    // Of AMD's machine code alone.
    virtual std::optional<GcnCode> gcn_code() const { return std::nullopt; }
    virtual std::optional<Fault> run_counted(const Launch& launch, gcn::LaunchCounts* counts) const;
    virtual Observed observe(const Launch& launch, events::Wants wants) const = 0;
    virtual void prepare(const Launch&) const {}
    virtual Result<void> compile_for(const std::string& triple, const std::string& cpu,
                                     events::Wants wants) const = 0;

    KernelInfo info;
    std::string display_name;
};

struct Module::Impl {
    virtual ~Impl() = default;
    virtual const Kernel* find_kernel(std::string_view name, std::size_t text) const = 0;
    virtual std::vector<const Kernel*> all_kernels() const = 0;
    virtual std::optional<VariableInfo> find_variable(std::string_view name, std::size_t text) const = 0;
    virtual void release_variables() = 0;
};

}  // namespace lockstep::exec
