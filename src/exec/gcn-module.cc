// Loading a module of AMD's machine code: parse, place the variables, and compile kernels when they are first
// launched.
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <future>
#include <map>
#include <mutex>

#include "base/demangle.h"
#include "base/hash.h"
#include "exec/compile-thread.h"
#include "exec/engine.h"
#include "exec/grid-workspace.h"
#include "exec/loaded-kernel.h"
#include "exec/module-kinds.h"
#include "exec/scheduler.h"
#include "exec/wave/calls.h"
#include "exec/wave/compiler.h"
#include "gcn/called-functions.h"
#include "gcn/counts.h"
#include "gcn/parse.h"
#include "gcn/segments.h"

namespace lockstep::exec {
namespace {

struct GcnModule;

// A thread's stack where the compiler cannot say how large it has to be: recursion, and calls of whatever a
// pointer names. Reserved, not committed.
constexpr std::uint32_t dynamic_stack_bytes = 64 << 10;

class GcnKernel : public Kernel {
  public:
    const Options& options() const override;
    Result<std::shared_ptr<const kernel::Kernel>> analysed(int row_lanes) const override;
    std::optional<Fault> run(const Launch& launch, LaunchStats* stats) const override;
    std::optional<Fault> run_counted(const Launch& launch, gcn::LaunchCounts* counts) const override;
    std::optional<GcnCode> gcn_code() const override;
    std::optional<Fault> run(const Launch& launch, std::span<const events::Observers> observers,
                             std::span<const events::BlockRange> watched) const override;
    Observed observe(const Launch& launch, events::Wants wants) const override;
    Result<void> compile_for(const std::string& triple, const std::string& cpu,
                             events::Wants wants) const override;

    const GcnModule* module = nullptr;
    std::size_t text = 0, number = 0;  // in the module's texts, and of that text's kernels

  private:
    const gcn::Kernel& code() const;
    wave::Request request(bool counts) const;
    std::vector<gcn::SiteCounts> by_instruction(std::span<const gcn::SiteCounts> counts,
                                                std::span<const kernel::Site> sites) const;
    Result<std::shared_ptr<const jit::Code>> compiled(bool counts) const;
    std::vector<std::byte> kernarg(const Launch& launch) const;

    mutable std::mutex mutex_;
    mutable std::optional<Result<std::shared_ptr<const jit::Code>>> compiled_[2];  // by `counts`
};

// A text of the module: its own names, and where they lie.
struct GcnText {
    gcn::Module code;
    wave::Symbols symbols;
    std::map<std::string, VariableInfo, std::less<>> variables;
    ptx::Module lines;    // files and lines alone, for messages
    std::string content;  // wave::Request::content
};

struct GcnModule : Module::Impl {
    const Kernel* find_kernel(std::string_view name, std::size_t text) const override;
    std::vector<const Kernel*> all_kernels() const override;
    std::optional<VariableInfo> find_variable(std::string_view name, std::size_t text) const override;
    mutable GridWorkspace workspace;
    void release_variables() override {
        workspace.release(*memory);
        for (const std::uint64_t address : allocated) memory->release(address);
    }

    Result<void> place(GcnText& text, std::size_t number, std::span<const Placement> placements);
    Result<void> initialise(GcnText& text);
    Result<std::uint64_t> allocate(std::uint64_t bytes, const std::string& name);

    DeviceMemory* memory = nullptr;
    gpu::GpuModel gpu;
    Options options;
    std::vector<GcnText> texts;
    std::vector<std::unique_ptr<GcnKernel>> kernels;
    std::vector<std::uint64_t> allocated;
};

std::vector<const Kernel*> GcnModule::all_kernels() const {
    std::vector<const Kernel*> all;
    for (const auto& kernel : kernels) all.push_back(kernel.get());
    return all;
}

const Kernel* GcnModule::find_kernel(std::string_view name, std::size_t text) const {
    for (const auto& kernel : kernels)
        if (kernel->text == text && kernel->info.name == name) return kernel.get();
    return nullptr;
}

std::optional<VariableInfo> GcnModule::find_variable(std::string_view name, std::size_t text) const {
    if (text >= texts.size()) return std::nullopt;
    const auto found = texts[text].variables.find(name);
    return found == texts[text].variables.end() ? std::nullopt : std::optional(found->second);
}

Result<std::uint64_t> GcnModule::allocate(std::uint64_t bytes, const std::string& name) {
    auto address = memory->allocate(std::max<std::uint64_t>(bytes, 1), MemoryKind::variable, name);
    if (address) allocated.push_back(*address);
    return address;
}

Result<void> GcnModule::place(GcnText& text, std::size_t number, std::span<const Placement> placements) {
    for (const gcn::Variable& variable : text.code.variables) {
        std::uint64_t address = 0;
        for (const Placement& placement : placements)
            if (placement.text == number && placement.name == variable.name) address = placement.address;
        if (address == 0) {
            auto made = allocate(variable.size, variable.name);
            if (!made) return made.error();
            address = *made;
            std::memset(reinterpret_cast<void*>(address), 0, variable.size);
        }
        text.symbols.addresses[variable.name] = address;
        text.variables[variable.name] = {variable.name,      address, variable.size,
                                         variable.read_only, false,   VariableInfo::Holds::data};
    }
    for (std::uint32_t f = 0; f < text.code.functions.size(); ++f)
        text.symbols.addresses[text.code.functions[f].name] = gcn::code_address(f + 1);
    // The table of addresses, for code that reads them from there.
    for (const auto& [name, address] : text.symbols.addresses) {
        auto entry = allocate(sizeof address, "address of " + name);
        if (!entry) return entry.error();
        std::memcpy(reinterpret_cast<void*>(*entry), &address, sizeof address);
        text.symbols.entries[name] = *entry;
    }
    for (const auto* names : {&text.symbols.addresses, &text.symbols.entries})
        for (const auto& [name, address] : *names) text.symbols.table.push_back(address);
    return {};
}

Result<void> GcnModule::initialise(GcnText& text) {
    for (const gcn::Variable& variable : text.code.variables) {
        const std::uint64_t address = text.symbols.addresses.at(variable.name);
        auto* to = reinterpret_cast<std::byte*>(address);
        if (variable.size > 0 && !memory->find(address, variable.size))
            return Error{fmt::format("variable '{}' has {} bytes, more than the program has for it",
                                     variable.name, variable.size),
                         {}};
        std::memcpy(to, variable.bytes.data(), std::min<std::uint64_t>(variable.bytes.size(), variable.size));
        for (const gcn::Relocation& relocation : variable.relocations) {
            const auto found = text.symbols.addresses.find(relocation.symbol);
            if (found == text.symbols.addresses.end())
                return Error{
                    fmt::format("variable '{}' holds the address of '{}', which is no variable or function "
                                "of the module",
                                variable.name, relocation.symbol),
                    {}};
            const std::uint64_t value = found->second + static_cast<std::uint64_t>(relocation.addend);
            if (relocation.offset + relocation.bytes <= variable.size)
                std::memcpy(to + relocation.offset, &value, relocation.bytes);
        }
    }
    return {};
}

const Options& GcnKernel::options() const { return module->options; }
std::optional<GcnCode> GcnKernel::gcn_code() const { return GcnCode{&module->texts[text].code, &code()}; }
const gcn::Kernel& GcnKernel::code() const { return module->texts[text].code.kernels[number]; }

wave::Request GcnKernel::request(bool counts) const {
    const GcnText& own = module->texts[text];
    wave::Request made;
    made.module = &own.code;
    made.kernel = &code();
    made.symbols = &own.symbols;
    made.counts = counts;
    made.cpu = module->options.cpu;
    made.content = own.content;
    made.cache = &module->options.cache;
    made.warnings = module->options.warnings;
    return made;
}

Result<std::shared_ptr<const jit::Code>> GcnKernel::compiled(bool counts) const {
    const std::lock_guard lock(mutex_);
    auto& known = compiled_[counts];
    if (!known) {
        auto made = wave::compile(request(counts));
        if (made)
            known =
                Result<std::shared_ptr<const jit::Code>>(std::shared_ptr<const jit::Code>(std::move(*made)));
        else
            known = Result<std::shared_ptr<const jit::Code>>(made.error());
    }
    return *known;
}

// The memory that a kernel reads its arguments from: the program's, then what the compiler added, then the
// packet that describes the launch.
std::vector<std::byte> GcnKernel::kernarg(const Launch& launch) const {
    const gcn::Kernel& kernel = code();
    const std::uint64_t packet = wave::dispatch_packet_offset(kernel);
    std::vector<std::byte> bytes(packet + wave::dispatch_packet_bytes);
    std::copy_n(launch.params.begin(), std::min<std::size_t>(launch.params.size(), kernel.kernarg_bytes),
                bytes.begin());
    const auto put = [&](std::uint64_t at, std::uint64_t value, std::size_t size) {
        std::memcpy(bytes.data() + at, &value, size);
    };
    const std::uint32_t grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
    const std::uint32_t block[3] = {launch.block.x, launch.block.y, launch.block.z};
    const std::uint64_t dimensions = grid[2] * block[2] > 1 ? 3 : grid[1] * block[1] > 1 ? 2 : 1;
    for (const gcn::Parameter& parameter : kernel.parameters) {
        if (!parameter.hidden() || parameter.size > sizeof(std::uint64_t)) continue;
        const std::string_view kind = parameter.kind;
        const std::size_t axis = static_cast<std::size_t>(kind.back() - 'x');
        std::uint64_t value = 0;
        if (kind.starts_with("hidden_block_count_") && axis < 3)
            value = grid[axis];
        else if (kind.starts_with("hidden_group_size_") && axis < 3)
            value = block[axis];
        else if (kind == "hidden_grid_dims")
            value = dimensions;
        else if (kind == "hidden_dynamic_lds_size")
            value = launch.dynamic_shared_bytes;
        else if (kind == "hidden_private_base")
            value = wave::private_aperture >> 32;
        else if (kind == "hidden_shared_base")
            value = wave::shared_aperture >> 32;
        put(parameter.offset, value, parameter.size);
    }
    // An AQL packet: the extents of work-groups and of the grid in work-items.
    constexpr std::uint64_t setup = 2, group_size = 4, grid_size = 12, private_size = 24, group_bytes = 28;
    put(packet + setup, dimensions, 2);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        put(packet + group_size + 2 * axis, block[axis], 2);
        put(packet + grid_size + 4 * axis, std::uint64_t{grid[axis]} * block[axis], 4);
    }
    put(packet + private_size, kernel.scratch_bytes, 4);
    put(packet + group_bytes, kernel.lds_bytes + launch.dynamic_shared_bytes, 4);
    return bytes;
}

// An instruction may be compiled several times.
std::vector<gcn::SiteCounts> GcnKernel::by_instruction(std::span<const gcn::SiteCounts> counts,
                                                       std::span<const kernel::Site> sites) const {
    const std::vector<gcn::Segment> segments = gcn::segments_of(code().code);
    std::vector<gcn::SiteCounts> result(code().code.instructions.size());
    for (std::size_t i = 0; i < sites.size(); ++i)
        result[segments[sites[i].block].first + sites[i].instruction] += counts[i];
    return result;
}

std::optional<Fault> GcnKernel::run(const Launch& launch, LaunchStats* stats) const {
    if (!module->options.count_instructions || !stats) return run_counted(launch, nullptr);
    gcn::LaunchCounts counts;
    auto fault = run_counted(launch, &counts);
    stats->warp_instructions += counts.all().executed;
    stats->thread_instructions += counts.all().lanes;
    return fault;
}

std::optional<Fault> GcnKernel::run_counted(const Launch& launch, gcn::LaunchCounts* counts) const {
    auto ready = compiled(counts != nullptr);
    if (!ready)
        return Fault{FaultKind::compile_error,
                     fmt::format("kernel {}: {}", display_name, ready.error().to_string())};
    const std::vector<std::byte> arguments = kernarg(launch);
    Grid grid;
    grid.code = ready->get();
    grid.module = &module->texts[text].lines;
    grid.kernel = display_name;
    grid.launch = launch;
    grid.launch.params = arguments;
    grid.shared_bytes = code().lds_bytes + launch.dynamic_shared_bytes;
    grid.local_bytes = (code().scratch_bytes + 31) / 32 * 32 +
                       (code().described("uses_dynamic_stack") ? dynamic_stack_bytes : 0);
    if (launch.cooperative) {
        const auto workspace = module->workspace.zeroed(*module->memory);
        if (!workspace)
            return Fault{FaultKind::host_exhausted,
                         fmt::format("kernel {}: {}", display_name, workspace.error().to_string())};
        grid.workspace = *workspace;
    }
    grid.memory = module->memory;
    grid.gpu = &module->gpu;
    grid.threads = static_cast<int>(worker_threads(*this));
    grid.timeout_seconds = module->options.timeout_seconds;
    grid.warnings = module->options.warnings;
    grid.progress = module->options.progress_line;
    WaveCounting counting;
    std::optional<wave::SharedCache> l2;
    if (counts) {
        counting.segments.resize(gcn::segments_of(code().code).size());
        counting.sites.resize((*ready)->sites.size());
        const gpu::GpuModel& gpu = module->gpu;
        const auto dies = static_cast<std::uint64_t>(std::max(1, gpu.wave.dies));
        counting.caches = {
            gpu.timing.l1_bytes,
            gpu.wave.l1_line_bytes,
            gpu.l2_bytes,
            gpu.wave.l2_line_bytes,
            dies,
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(gpu.wave.l2_channels) / dies)};
        counting.l2 = &l2.emplace(counting.caches);
        grid.wave_counting = &counting;
    }
    auto ended = run_grid(grid, {});
    if (counts) {
        const auto lanes = static_cast<std::uint64_t>(module->texts[text].code.wave_lanes);
        counts->blocks = launch.grid.count();
        counts->threads = counts->blocks * launch.block.count();
        counts->waves = counts->blocks * ((launch.block.count() + lanes - 1) / lanes);
        const wave::SegmentCounts& ran = counting.segments;
        for (std::size_t s = 0; s < ran.packed.size(); ++s)
            counts->segments.push_back({ran.runs[2 * s], ran.runs[2 * s + 1]});
        counts->packed = ran.packed;
        counts->sites = by_instruction(counting.sites, (*ready)->sites);
        gcn::count_units(code().code, *counts);
        counts->memory = counting.memory;
    }
    return ended;
}

Error no_records() {
    return Error{"this kernel is AMD's machine code, which lockstep runs and counts, but cannot check yet",
                 {}};
}

Result<std::shared_ptr<const kernel::Kernel>> GcnKernel::analysed(int) const { return no_records(); }

std::optional<Fault> GcnKernel::run(const Launch& launch, std::span<const events::Observers> observers,
                                    std::span<const events::BlockRange>) const {
    if (observers.empty()) return run(launch, nullptr);
    return Fault{FaultKind::compile_error, fmt::format("kernel {}: {}", display_name, no_records().message)};
}

Observed GcnKernel::observe(const Launch&, events::Wants) const {
    return {nullptr, Fault{FaultKind::compile_error,
                           fmt::format("kernel {}: {}", display_name, no_records().message)}};
}

Result<void> GcnKernel::compile_for(const std::string& triple, const std::string& cpu, events::Wants) const {
    wave::Request made = request(false);
    made.cpu = cpu;
    return wave::compile_for(triple, made);
}

KernelInfo described(const gcn::Kernel& kernel) {
    KernelInfo info;
    info.name = kernel.code.name;
    for (const gcn::Parameter& parameter : kernel.parameters) {
        if (parameter.hidden()) continue;
        info.params.push_back({parameter.offset, parameter.size, 1});
        info.param_bytes = std::max(info.param_bytes, parameter.offset + parameter.size);
    }
    info.static_shared_bytes = kernel.lds_bytes;
    info.local_bytes = kernel.scratch_bytes;
    info.max_threads_per_block = kernel.most_threads;
    return info;
}

// Files and lines in the form that messages are made of.
ptx::Module lines_of(const gcn::Module& code) {
    ptx::Module lines;
    lines.name = code.name;
    lines.files.push_back("");  // number 0 means that there is none
    lines.files.insert(lines.files.end(), code.files.begin(), code.files.end());
    for (const gcn::SourceLine& line : code.lines) {
        ptx::SourceLine made;
        made.file = line.file + 1, made.line = line.line;
        lines.lines.push_back(made);
    }
    return lines;
}

}  // namespace

Result<std::unique_ptr<Module>> load_gcn(std::span<const std::string_view> texts, std::string name,
                                         DeviceMemory& memory, const gpu::GpuModel& gpu,
                                         const Options& options, std::span<const Placement> placements) {
    auto impl = std::make_shared<GcnModule>();
    impl->memory = &memory;
    impl->gpu = gpu;
    impl->options = options;
    for (std::string_view text : texts) {
        auto parsed = gcn::parse(text, name);
        if (!parsed) return parsed.error();
        GcnText made;
        made.lines = lines_of(*parsed);
        made.code = std::move(*parsed);
        if (options.cache.in_use()) made.content = base::Hash().add(text).hex();
        impl->texts.push_back(std::move(made));
    }
    // From here on it releases what it has placed.
    auto module = std::make_unique<Module>(impl);
    for (std::size_t t = 0; t < impl->texts.size(); ++t) {
        GcnText& text = impl->texts[t];
        if (auto placed = impl->place(text, t, placements); !placed) return placed.error();
        if (auto initialised = impl->initialise(text); !initialised) return initialised.error();
        for (std::size_t k = 0; k < text.code.kernels.size(); ++k) {
            auto kernel = std::make_unique<GcnKernel>();
            kernel->info = described(text.code.kernels[k]);
            kernel->display_name = base::demangle(kernel->info.name);
            kernel->module = impl.get();
            kernel->text = t, kernel->number = k;
            impl->kernels.push_back(std::move(kernel));
        }
    }
    return module;
}

}  // namespace lockstep::exec
