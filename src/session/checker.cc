#include "session/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/demangle.h"
#include "check/launch-checker.h"
#include "session/defined-memory.h"
#include "session/device.h"
#include "session/launch-faults.h"

namespace lockstep::session {

using check::Class;
using check::Finding;

struct Checker::Launches {
    explicit Launches(check::Findings& findings) : defined(memory, findings) {}

    const check::KernelCode& code_of(const Function& function,
                                     const std::shared_ptr<const kernel::Kernel>& kernel) {
        std::unique_ptr<check::KernelCode>& code = codes[kernel];
        if (!code)
            code = std::make_unique<check::KernelCode>(
                check::describe(*kernel, base::kernel_name(function.name)));
        return *code;
    }

    check::Memory memory;
    DefinedMemory defined;
    // What is known of each kernel's code.
    std::map<std::shared_ptr<const kernel::Kernel>, std::unique_ptr<check::KernelCode>> codes;
};

Checker::~Checker() = default;

Result<std::unique_ptr<Checker>> Checker::create(Process& process, const CheckOptions& options) {
    auto findings = check::Findings::open(options.file);
    if (!findings) return findings.error();
    return std::unique_ptr<Checker>(new Checker(process, options, std::move(*findings)));
}

Checker::Checker(Process& process, const CheckOptions& options, std::unique_ptr<check::Findings> findings)
    : process_(process),
      options_(options),
      findings_(std::move(findings)),
      host_(process, options, *findings_),
      schedules_(process, options, *findings_, host_),
      launches_(std::make_unique<Launches>(*findings_)) {
    launches_->memory.races.is_allocated = [this](std::uint64_t address) {
        const auto found = process_.addresses().find(address);
        return found && found->kind != exec::MemoryKind::runtime;
    };
    launches_->memory.history = [this](std::uint64_t address) { return host_.history_of(address); };
}

// AMD's machine code leaves no records: what ends a kernel is told, and nothing else of its inside.
std::optional<exec::Fault> Checker::run_without_records(Device& device, const Function& function,
                                                        const exec::Launch& launch) {
    const std::lock_guard lock(mutex_);
    const kernel::Kernel no_code;
    const check::KernelCode code{.kernel = &no_code, .name = base::kernel_name(function.name), .sites = {}};
    constexpr check::Tools none{false, false, false, false, false, false, false, false};
    const check::LaunchShape shape{{launch.grid.x, launch.grid.y, launch.grid.z},
                                   {launch.block.x, launch.block.y, launch.block.z},
                                   launch.clustered};
    check::LaunchChecker checker(code, shape, none, launches_->memory, *findings_);
    LaunchFaults faults(device, options_, host_, *findings_, checker, code, {});
    const auto fault = exec::run(*function.kernel, launch);
    if (fault) faults.ended_by(*fault);
    return fault;
}

std::optional<exec::Fault> Checker::run(Device& device, Function& function, const exec::Launch& launch) {
    if (exec::gcn_code(*function.kernel)) return run_without_records(device, function, launch);
    check::Tools tools{.races = options_.races,
                       .synchronisation = options_.synchronisation,
                       .initialisation = options_.initialisation,
                       .arithmetic = options_.undefined,
                       .indices = options_.memory,
                       .nans = options_.nans,
                       .overflow = options_.overflow,
                       .equality = options_.fragile};
    // Looking for memory errors alone takes no records where no index is told: the code is that of launches
    // that nobody watches.
    if (const auto known = exec::analysed(*function.kernel); tools.indices && known)
        tools.indices = check::tells_indices(**known);
    const events::Wants wants = check::LaunchChecker::wants_of(tools);
    const exec::Observed observed = exec::observe(*function.kernel, launch, wants);
    if (observed.fault) {
        // It has not run: whoever reads findings alone has to know.
        if (observed.fault->kind == exec::FaultKind::timeout)
            findings_->add(
                {.kind_of = check::Class::undefined,
                 .kind = "not-checked",
                 .kernel = base::kernel_name(function.name),
                 .message = observed.fault->message + ": it has not run, and nothing is known of it",
                 .advice = "raise --timeout",
                 .own_places = 0});
        return observed.fault;
    }
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const kernel::Kernel> kernel = observed.kernel;
    if (!kernel) {
        const auto known = exec::analysed(*function.kernel);
        if (!known) return exec::run(*function.kernel, launch);
        kernel = *known;
    }
    const check::KernelCode& code = launches_->code_of(function, kernel);
    const check::LaunchShape shape{{launch.grid.x, launch.grid.y, launch.grid.z},
                                   {launch.block.x, launch.block.y, launch.block.z},
                                   launch.clustered};
    check::LaunchChecker checker(code, shape, tools, launches_->memory, *findings_);
    LaunchFaults faults(device, options_, host_, *findings_, checker, code, wants);
    Touched touched;
    check::ByteSet written;  // by atomics, too
    bool printed = false;
    const auto run_once = [&](exec::Launch once) {
        once.printed = &printed;
        once.bad_accesses = &faults;
        const events::Observers watching[] = {{&checker}};
        auto fault =
            wants.nothing() ? exec::run(*function.kernel, once) : exec::run(*function.kernel, once, watching);
        checker.finish();
        faults.finish();
        if (tools.races) checker.races().touched(touched.read, touched.written, touched.atomics);
        written.add(touched.written);
        written.add(touched.atomics);
        return fault;
    };
    const std::optional<exec::Fault> fault = schedules_.run(function, launch, run_once, [&] {
        return Schedules::Watched{code, checker, tools.races ? &written : nullptr, faults.any()};
    });
    host_.ran(code.name, code.tells, printed);
    if (tools.races) {
        // The host may look for what a kernel publishes while it runs.
        const bool tells_host = std::any_of(code.sites.begin(), code.sites.end(),
                                            [](const check::SiteFacts& site) { return site.system_scope; });
        host_.touched(touched, tells_host);
    }
    // What its threads had not freed yet is no leak, nor what they would have found by a pointer that they
    // could not read.
    if (fault || faults.any()) launches_->memory.heap.clear();
    if (fault) faults.ended_by(*fault);
    return fault;
}

void Checker::allocated(const exec::Allocation& allocation) {
    host_.allocated(allocation);
    if (!options_.initialisation) return;
    const std::lock_guard lock(mutex_);
    launches_->defined.allocated(allocation);
}

void Checker::released(const exec::Allocation& allocation) {
    host_.released(allocation);
    if (!options_.initialisation) return;
    const std::lock_guard lock(mutex_);
    launches_->defined.released(allocation);
}

void Checker::done(const Command& command, const Done& done) {
    host_.done(command, done);
    if (!(options_.initialisation || options_.undefined) || !done.complete) return;
    const std::lock_guard lock(mutex_);
    launches_->defined.done(command);
}

// What threads of kernels allocated and nobody freed.
void Checker::tell_heap_leaks() {
    for (const auto& [address, object] : launches_->memory.heap) {
        const auto live = process_.addresses().find(address);
        if (!live || live->kind != exec::MemoryKind::heap) continue;
        Finding finding{.kind_of = Class::leak, .kind = "heap-leak", .kernel = object.kernel};
        finding.message = fmt::format("{} bytes that malloc gave in a kernel were never freed", object.bytes);
        finding.advice = "free it in a kernel, on every way out";
        finding.details = {{"space", "heap"},
                           {"size", std::to_string(object.bytes)},
                           {"address", fmt::format("{:#x}", address)}};
        finding.places = {object.place};
        findings_->add(std::move(finding));
    }
}

void Checker::finish(int status) {
    if (options_.leaks) tell_heap_leaks();
    host_.finish(status);
    findings_->finish();
}

}  // namespace lockstep::session
