// Loading a module of PTX: parse, place the variables, and compile kernels when they are first launched.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "base/demangle.h"
#include "base/hash.h"
#include "events/instruction-counter.h"
#include "exec/callbacks.h"
#include "exec/compile-thread.h"
#include "exec/engine.h"
#include "exec/externals.h"
#include "exec/grid-workspace.h"
#include "exec/loaded-kernel.h"
#include "exec/module-kinds.h"
#include "exec/scheduler.h"
#include "kernel/kernel.h"
#include "kernel/limits.h"
#include "ptx/kernel-memory.h"
#include "ptx/link.h"
#include "ptx/parser.h"
#include "ptx/user-lines.h"

namespace lockstep::exec {
namespace {

VariableInfo::Holds held_by(ptx::Type type) {
    using Holds = VariableInfo::Holds;
    return type == ptx::Type::texref    ? Holds::texture
           : type == ptx::Type::surfref ? Holds::surface
                                        : Holds::data;
}

// Pointers to functions: never a valid data address.
constexpr std::uint64_t first_function_id = 0x10;
constexpr std::uint32_t call_stack_bytes = 64
                                           << 10;  // local memory a thread, where functions call themselves

bool is_graph_launch(const ptx::Function& function) { return function.name == "cudaGraphLaunch"; }
bool is_kernel_launch(const ptx::Function& function) {
    return function.name == "__cudaCDP2LaunchDeviceV2" || function.name == "cudaLaunchDeviceV2";
}

struct PtxModule;

class PtxKernel : public Kernel {
  public:
    const Options& options() const override;
    Result<std::shared_ptr<const kernel::Kernel>> analysed(int row_lanes) const override;
    std::optional<Fault> run(const Launch& launch, LaunchStats* stats) const override;
    std::optional<Fault> run(const Launch& launch, std::span<const events::Observers> observers,
                             std::span<const events::BlockRange> watched) const override;
    Observed observe(const Launch& launch, events::Wants wants) const override;
    void prepare(const Launch& launch) const override;
    Result<void> compile_for(const std::string& triple, const std::string& cpu,
                             events::Wants wants) const override;

    std::uint32_t function = 0;
    std::map<std::string, std::uint64_t> shared_offsets;
    bool reserved_shared = false;
    const PtxModule* module = nullptr;

    // By the lanes of a row: made when it is first needed, on whatever thread needs it.
    using Analysed = Result<std::shared_ptr<const kernel::Kernel>>;
    mutable std::mutex analysed_mutex;
    mutable std::map<int, Analysed> known;

    // What differs between its codes. Each is compiled when it is first needed.
    struct Variant {
        int row_lanes = warp_lanes;
        events::Wants wants{};
        bool draft = false, preempts = false;  // as jit::Request has them
        auto key() const { return std::tuple(row_lanes, wants.bits(), draft, preempts); }
        bool operator<(const Variant& other) const { return key() < other.key(); }
    };
    using Compiled = std::shared_future<Result<std::shared_ptr<const jit::Code>>>;
    mutable std::mutex variants_mutex;
    mutable std::map<Variant, Compiled> variants;
    mutable std::atomic<double> draft_seconds = 0;  // that its drafts have run
};

struct PtxModule : Module::Impl, std::enable_shared_from_this<PtxModule> {
    const Kernel* find_kernel(std::string_view name, std::size_t text) const override;
    std::vector<const Kernel*> all_kernels() const override;
    std::optional<VariableInfo> find_variable(std::string_view name, std::size_t text) const override;

    ptx::Module ptx;
    std::vector<std::map<std::string, std::uint32_t, std::less<>>> function_names, variable_names;  // by text
    std::map<std::uint32_t, std::uint64_t> placed;  // variables whose storage the program has
    std::set<std::uint32_t> initialised;            // … and which have their values
    DeviceMemory* memory = nullptr;
    gpu::GpuModel gpu;
    Options options;
    jit::Symbols symbols;
    jit::Callbacks callbacks = make_callbacks();
    std::vector<bool> address_taken;
    bool may_launch = false;  // its kernels, something: it declares functions for it
    std::string content;      // jit::Request::content
    std::vector<std::unique_ptr<PtxKernel>> kernels;
    std::map<std::uint32_t, VariableInfo> variables;

    mutable GridWorkspace workspace;

    void release_variables() override {
        workspace.release(*memory);
        for (const auto& [index, variable] : variables)
            if (!placed.count(index)) memory->release(variable.address);
    }

    Result<void> place_variables();
    void initialise_variables();
    Result<void> describe_kernel(std::uint32_t function);
};

Result<void> PtxModule::place_variables() {
    symbols.addresses.assign(ptx.variables.size(), 0);
    for (std::uint32_t f = 0; f < ptx.functions.size(); ++f)
        symbols.function_ids.push_back(first_function_id + f * 16);
    for (std::uint32_t v = 0; v < ptx.variables.size(); ++v) {
        const ptx::Variable& variable = ptx.variables[v];
        if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
        std::uint64_t size = variable.size();
        if (variable.linkage == ptx::Linkage::external && variable.init.empty()) {
            // Defined nowhere; reading it is an error that the access check reports.
            continue;
        }
        bool constant = variable.space == ptx::Space::constant;
        if (auto found = placed.find(v); found != placed.end()) {
            if (!memory->find(found->second, size))
                return Error{fmt::format("variable '{}' has {} bytes, more than the program has for it",
                                         variable.name, size),
                             {}};
            // Compiled code relies on it.
            if (const std::uint64_t align = std::max<std::uint64_t>(variable.align(), 1);
                found->second % align != 0)
                return Error{
                    fmt::format("variable '{}' is aligned to {} bytes, and lies at {:#x} in the program",
                                variable.name, align, found->second),
                    {}};
            symbols.addresses[v] = found->second;
            variables[v] = {variable.name, found->second, size, constant, true, VariableInfo::Holds::data};
            continue;
        }
        auto address =
            memory->allocate(std::max<std::uint64_t>(size, 1),
                             variable.managed ? MemoryKind::managed : MemoryKind::variable, variable.name);
        if (!address) return address.error();
        symbols.addresses[v] = *address;
        std::memset(reinterpret_cast<void*>(*address), 0, size);
        variables[v] = {variable.name, *address, size, constant, variable.managed, held_by(variable.type)};
    }
    return {};
}

void PtxModule::initialise_variables() {
    for (std::uint32_t v = 0; v < ptx.variables.size(); ++v) {
        const ptx::Variable& variable = ptx.variables[v];
        if (symbols.addresses[v] == 0 || initialised.count(v)) continue;
        auto bytes = static_cast<std::size_t>(ptx::type_bytes(variable.type));
        auto* to = reinterpret_cast<std::byte*>(symbols.addresses[v]);
        std::size_t room = variable.size();
        std::size_t at = 0;
        for (const ptx::InitElement& element : variable.init) {
            std::uint64_t value = element.bits;
            if (element.kind == ptx::InitElement::Kind::variable) value += symbols.addresses[element.id];
            if (element.kind == ptx::InitElement::Kind::function) value += symbols.function_ids[element.id];
            if (element.mask != ~0ull && element.mask != 0)
                value = (value & element.mask) >> std::countr_zero(element.mask);
            if (at + bytes <= room) std::memcpy(to + at, &value, std::min(bytes, sizeof value));
            at += bytes;
        }
        if (variable.space == ptx::Space::constant) memory->set_read_only(symbols.addresses[v]);
    }
}

std::uint64_t parameter_limit(const ptx::Module& module, int target) {
    const bool large =
        target >= 70 && std::pair(module.version_major, module.version_minor) >= std::pair(8, 1);
    return large ? kernel::max_parameter_bytes_large : kernel::max_parameter_bytes;
}

Result<void> PtxModule::describe_kernel(std::uint32_t index) {
    const ptx::Function& function = ptx.functions[index];
    auto kernel = std::make_unique<PtxKernel>();
    kernel->function = index;
    kernel->module = this;
    kernel->display_name = base::demangle(function.name);
    KernelInfo& info = kernel->info;
    info.name = function.name;
    if (ptx.target.rfind("sm_", 0) == 0) info.ptx_version = std::atoi(ptx.target.c_str() + 3);
    auto too_large = [&](const std::string& what, std::uint64_t bytes, std::uint64_t most) {
        return Error{fmt::format("kernel {}: {} take {} bytes; the limit is {}", kernel->display_name, what,
                                 bytes, most),
                     {ptx.name, function.line, 0}};
    };
    const std::uint64_t most_params = parameter_limit(ptx, info.ptx_version);
    std::uint64_t offset = 0;
    for (std::uint32_t p : function.params) {
        const ptx::Variable& param = function.variables[p];
        const std::uint64_t align = std::max<std::uint64_t>(param.align(), 1);
        offset = (offset + align - 1) / align * align;
        if (offset + param.size() > most_params)
            return too_large("its parameters", offset + param.size(), most_params);
        info.params.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(param.size()),
                               static_cast<std::uint32_t>(align)});
        offset += param.size();
    }
    info.param_bytes = static_cast<std::uint32_t>(offset);
    info.max_threads_per_block = ptx::max_threads_per_block(function);
    info.cluster = function.cluster;
    info.explicit_cluster = function.explicit_cluster;

    ptx::KernelMemory memory = ptx::kernel_memory(ptx, index, address_taken);
    kernel->shared_offsets = std::move(memory.shared_offsets);
    kernel->reserved_shared = memory.reserved_shared;
    if (may_launch)
        for (const std::uint32_t reached : ptx::reached_functions(ptx, index, address_taken)) {
            info.launches_graphs |= is_graph_launch(ptx.functions[reached]);
            info.launches_kernels |= is_kernel_launch(ptx.functions[reached]);
        }
    if (memory.local_bytes > kernel::max_local_bytes)
        return too_large("a thread's local variables", memory.local_bytes, kernel::max_local_bytes);
    info.static_shared_bytes = static_cast<std::uint32_t>(memory.static_shared_bytes);
    info.local_bytes = static_cast<std::uint32_t>(memory.local_bytes);
    info.constant_bytes = static_cast<std::uint32_t>(ptx::constant_bytes(ptx));
    kernels.push_back(std::move(kernel));
    return {};
}

}  // namespace

Result<std::unique_ptr<Module>> load_ptx(std::span<const std::string_view> texts, std::string name,
                                         DeviceMemory& memory, const gpu::GpuModel& gpu,
                                         const Options& options, std::span<const Placement> placements) {
    std::vector<ptx::Module> parsed;
    for (std::string_view text : texts) {
        auto module = ptx::parse(text, name);
        if (!module) return module.error();
        if (module->address_size != 64)
            return Error{fmt::format("{}: addresses of {} bits, which GPUs of today do not have", name,
                                     module->address_size),
                         {}};
        ptx::attribute_to_user_lines(*module);
        parsed.push_back(std::move(*module));
    }
    auto linked = ptx::link(std::move(parsed));
    if (!linked) return linked.error();
    if (auto errors = ptx::too_much_shared(linked->module); !errors.empty()) return errors[0];
    auto impl = std::make_shared<PtxModule>();
    impl->ptx = std::move(linked->module);
    impl->function_names = std::move(linked->functions);
    impl->variable_names = std::move(linked->variables);
    impl->memory = &memory;
    impl->gpu = gpu;
    impl->options = options;
    if (options.cache.in_use()) {
        base::Hash hash;
        for (std::string_view text : texts) hash.add(text);
        impl->content = hash.hex();
    }
    for (const Placement& placement : placements) {
        if (placement.text >= texts.size()) continue;
        const auto& names = impl->variable_names[placement.text];
        if (auto found = names.find(placement.name); found != names.end()) {
            impl->placed[found->second] = placement.address;
            if (placement.initialised) impl->initialised.insert(found->second);
        }
    }
    // From here on it releases what it has placed.
    auto module = std::make_unique<Module>(impl);
    if (auto placed = impl->place_variables(); !placed) return placed.error();
    impl->initialise_variables();
    impl->address_taken = ptx::address_taken(impl->ptx);
    impl->may_launch =
        std::any_of(impl->ptx.functions.begin(), impl->ptx.functions.end(),
                    [](const ptx::Function& one) { return is_graph_launch(one) || is_kernel_launch(one); });
    for (std::uint32_t f = 0; f < impl->ptx.functions.size(); ++f)
        if (impl->ptx.functions[f].entry && !impl->ptx.functions[f].declaration)
            if (auto described = impl->describe_kernel(f); !described) return described.error();
    return module;
}

namespace {

std::vector<const Kernel*> PtxModule::all_kernels() const {
    std::vector<const Kernel*> all;
    for (const auto& kernel : kernels) all.push_back(kernel.get());
    return all;
}

const Kernel* PtxModule::find_kernel(std::string_view name, std::size_t text) const {
    if (text >= function_names.size()) return nullptr;
    auto found = function_names[text].find(name);
    if (found == function_names[text].end()) return nullptr;
    for (const auto& kernel : kernels)
        if (kernel->function == found->second) return kernel.get();
    return nullptr;
}

std::optional<VariableInfo> PtxModule::find_variable(std::string_view name, std::size_t text) const {
    if (text >= variable_names.size()) return std::nullopt;
    auto found = variable_names[text].find(name);
    if (found == variable_names[text].end()) return std::nullopt;
    auto variable = variables.find(found->second);
    if (variable == variables.end()) return std::nullopt;
    return variable->second;
}

const Options& PtxKernel::options() const { return module->options; }

Result<std::shared_ptr<const kernel::Kernel>> PtxKernel::analysed(int row_lanes) const {
    const std::lock_guard lock(analysed_mutex);
    if (auto found = known.find(row_lanes); found != known.end()) return found->second;
    auto made = kernel::analyse({.module = &module->ptx,
                                 .entry = function,
                                 .row_lanes = row_lanes,
                                 .is_external = is_external_function,
                                 .address_taken = module->address_taken});
    Analysed result =
        made ? Analysed(std::make_shared<const kernel::Kernel>(std::move(*made))) : Analysed(made.error());
    return known.emplace(row_lanes, std::move(result)).first->second;
}

jit::Request request_for(const PtxKernel& kernel, const PtxKernel::Variant& variant) {
    const PtxModule& module = *kernel.module;
    jit::Request request;
    request.kernel = [&kernel, row_lanes = variant.row_lanes] { return kernel.analysed(row_lanes); };
    request.function = kernel.function;
    request.symbols = &module.symbols;
    request.callbacks = &module.callbacks;
    request.shared_offsets = kernel.shared_offsets;
    request.address_taken = module.address_taken;
    request.row_lanes = variant.row_lanes;
    request.poll_stop = module.options.timeout_seconds > 0;
    request.exact_variables = module.options.exact_variables;
    request.wants = variant.wants;
    request.draft = variant.draft;
    request.preempts = variant.preempts;
    request.sms = module.gpu.sms;
    request.cpu = module.options.cpu;
    request.content = module.content;
    request.cache = &module.options.cache;
    request.warnings = module.options.warnings;
    return request;
}

// The kernel's code for such a launch, compiled when it is first needed.
PtxKernel::Compiled start_compiling(const PtxKernel& kernel, const PtxKernel::Variant& which) {
    const std::lock_guard lock(kernel.variants_mutex);
    PtxKernel::Compiled& variant = kernel.variants[which];
    if (variant.valid()) return variant;
    auto promise = std::make_shared<std::promise<Result<std::shared_ptr<const jit::Code>>>>();
    variant = promise->get_future().share();
    auto module = kernel.module->shared_from_this();
    ++*module->options.compiling;
    run_on_compile_thread([=, &kernel]() mutable {
        try {
            auto code = jit::compile(request_for(kernel, which));
            if (code)
                promise->set_value(std::shared_ptr<const jit::Code>(std::move(*code)));
            else
                promise->set_value(code.error());
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
        const auto running = module->options.compiling;
        promise.reset();
        module.reset();
        --*running;
    });
    return variant;
}

// False: it was not done in time.
bool wait(const PtxKernel::Compiled& compiled, const PtxKernel& kernel) {
    const Options& options = kernel.module->options;
    using Seconds = std::chrono::duration<double>;
    const double long_time = options.progress_seconds, limit = options.timeout_seconds;
    const bool ends_before = limit > 0 && limit <= long_time;
    if (compiled.wait_for(Seconds(ends_before ? limit : long_time)) == std::future_status::ready) return true;
    if (ends_before) return false;
    if (options.progress)
        options.progress(fmt::format("still compiling kernel {}{}", kernel.display_name,
                                     options.cache.in_use() ? "; its code is kept for the next run" : ""));
    if (limit > 0) return compiled.wait_for(Seconds(limit - long_time)) == std::future_status::ready;
    compiled.wait();
    return true;
}

struct ReadyCode {
    std::shared_ptr<const jit::Code> code;
    std::optional<Fault> fault;  // why there is none
};

int row_lanes(const Launch& launch) {
    return kernel::row_lanes(launch.block.x, launch.block.y, launch.block.z);
}

// Whether a draft will do for such a launch.
bool takes_draft(const PtxKernel& kernel, const Launch& launch) {
    constexpr double most_seconds = 0.05;  // what better code takes to compile, or some of it
    return launch.executed_blocks() * launch.block.count() <= kernel.module->options.draft_threads &&
           kernel.draft_seconds.load(std::memory_order_relaxed) < most_seconds;
}

PtxKernel::Variant variant_for(const PtxKernel& kernel, const Launch& launch, events::Wants wants) {
    return {row_lanes(launch), wants, takes_draft(kernel, launch),
            launch.schedule && launch.schedule->stretch > 0};
}

ReadyCode code_for(const PtxKernel& kernel, const PtxKernel::Variant& variant) {
    const PtxKernel::Compiled compiled = start_compiling(kernel, variant);
    if (!wait(compiled, kernel))
        return {nullptr, Fault{FaultKind::timeout,
                               fmt::format("kernel {}: still being compiled after {} seconds (--timeout)",
                                           kernel.display_name, kernel.module->options.timeout_seconds)}};
    const auto& code = compiled.get();
    if (!code)
        return {nullptr, Fault{FaultKind::compile_error,
                               fmt::format("kernel {}: {}", kernel.display_name, code.error().to_string())}};
    return {*code, {}};
}

events::Wants wants_of(std::span<const events::Observers> observers) {
    events::Wants wants;
    for (const events::Observers& list : observers)
        for (const events::Observer* observer : list) wants = wants | observer->wants();
    return wants;
}

std::optional<Fault> run_observed(const PtxKernel& kernel, const Launch& launch,
                                  std::span<const events::Observers> observers,
                                  std::span<const events::BlockRange> watched = {}) {
    const PtxModule& module = *kernel.module;
    const events::Wants wants = wants_of(observers);
    const PtxKernel::Variant variant = variant_for(kernel, launch, wants);
    PtxKernel::Variant plain = variant;
    plain.wants = {};
    // Both are compiled at the same time.
    if (!watched.empty()) start_compiling(kernel, plain);
    auto [code, fault] = code_for(kernel, variant);
    if (fault) return fault;
    Grid grid;
    grid.code = code.get();
    ReadyCode unwatched;
    if (!watched.empty()) {
        unwatched = code_for(kernel, plain);
        if (unwatched.fault) return unwatched.fault;
        grid.unwatched = unwatched.code.get();
        grid.watched = watched;
    }
    grid.module = &module.ptx;
    grid.kernel = kernel.display_name;
    grid.launch = launch;
    std::uint64_t dynamic_start = kernel.info.static_shared_bytes;
    for (const auto& [name, offset] : kernel.shared_offsets) dynamic_start = std::max(dynamic_start, offset);
    grid.shared_bytes = launch.dynamic_shared_bytes
                            ? static_cast<std::uint32_t>(dynamic_start + launch.dynamic_shared_bytes)
                            : kernel.info.static_shared_bytes;
    if (kernel.reserved_shared)
        grid.reserved_shared = std::max(16u, (grid.shared_bytes + 15) / 16 * 16);  // 0 would mean none
    // Every lane's memory is aligned for the widest access.
    const std::uint32_t local = std::max(code->local_bytes, unwatched.code ? unwatched.code->local_bytes : 0);
    grid.local_bytes = (local + 31) / 32 * 32 + (code->calls ? call_stack_bytes : 0);
    if (launch.cooperative) {
        const auto workspace = module.workspace.zeroed(*module.memory);
        if (!workspace)
            return Fault{FaultKind::host_exhausted,
                         fmt::format("kernel {}: {}", kernel.display_name, workspace.error().to_string())};
        grid.workspace = *workspace;
    }
    grid.memory = module.memory;
    grid.gpu = &module.gpu;
    grid.threads = static_cast<int>(worker_threads(kernel));
    grid.timeout_seconds = module.options.timeout_seconds;
    grid.warnings = module.options.warnings;
    grid.progress = module.options.progress_line;
    grid.wants = wants;
    grid.kernel_at = [&module](std::uint64_t pointer) -> const Kernel* {
        for (const auto& candidate : module.kernels)
            if (module.symbols.function_ids[candidate->function] == pointer) return candidate.get();
        return nullptr;
    };
    const auto begin = std::chrono::steady_clock::now();
    auto ended = run_grid(grid, observers);
    const std::chrono::duration<double> ran = std::chrono::steady_clock::now() - begin;
    if (variant.draft) kernel.draft_seconds.fetch_add(ran.count(), std::memory_order_relaxed);
    return ended;
}

std::optional<Fault> PtxKernel::run(const Launch& launch, LaunchStats* stats) const {
    if (!module->options.count_instructions) return run_observed(*this, launch, {});
    auto [code, fault] = code_for(*this, variant_for(*this, launch, events::Wants::blocks));
    if (fault) return fault;
    std::vector counters(worker_threads(*this), events::InstructionCounter(code->kernel->blocks));
    std::vector<events::Observers> observers;
    for (auto& counter : counters) observers.push_back({&counter});
    fault = run_observed(*this, launch, observers);
    for (const auto& counter : counters) {
        if (!stats) break;
        stats->warp_instructions += counter.warp_instructions;
        stats->thread_instructions += counter.thread_instructions;
    }
    return fault;
}

std::optional<Fault> PtxKernel::run(const Launch& launch, std::span<const events::Observers> observers,
                                    std::span<const events::BlockRange> watched) const {
    return run_observed(*this, launch, observers, watched);
}

Result<void> PtxKernel::compile_for(const std::string& triple, const std::string& cpu,
                                    events::Wants wants) const {
    jit::Request request = request_for(*this, {.wants = wants});
    request.cpu = cpu;
    return jit::compile_for(triple, request);
}

Observed PtxKernel::observe(const Launch& launch, events::Wants wants) const {
    auto [code, fault] = code_for(*this, variant_for(*this, launch, wants));
    if (fault) return {nullptr, std::move(fault)};
    return {code->kernel, {}};
}

void PtxKernel::prepare(const Launch& launch) const {
    start_compiling(*this, variant_for(*this, launch, {}));
}

}  // namespace

}  // namespace lockstep::exec
