#include "session/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "session/device.h"

namespace lockstep::session {
namespace {

using check::Byte;
using check::Class;
using check::Finding;

bool starts_undefined(exec::MemoryKind kind) {
    return kind == exec::MemoryKind::device || kind == exec::MemoryKind::mapped;
}

}  // namespace

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
      schedules_(process, options, *findings_, host_) {
    memory_.races.is_allocated = [this](std::uint64_t address) {
        const auto found = process_.addresses().find(address);
        return found && found->kind != exec::MemoryKind::runtime;
    };
}

const check::KernelCode& Checker::code_of(Function& function,
                                          const std::shared_ptr<const kernel::Kernel>& kernel) {
    std::unique_ptr<check::KernelCode>& code = codes_[kernel];
    if (!code)
        code =
            std::make_unique<check::KernelCode>(check::describe(*kernel, base::kernel_name(function.name)));
    return *code;
}

std::optional<exec::Fault> Checker::run(Device& device, Function& function, const exec::Launch& launch) {
    const check::Tools tools{.races = options_.races,
                             .synchronisation = options_.synchronisation,
                             .initialisation = options_.initialisation};
    // Looking for memory errors alone takes no records: the code is that of launches that nobody watches.
    const events::Wants wants = check::LaunchChecker::wants_of(tools);
    const exec::Observed observed = exec::observe(*function.kernel, launch, wants);
    if (observed.fault) return observed.fault;
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const kernel::Kernel> kernel = observed.kernel;
    if (!kernel) {
        const auto known = exec::analysed(*function.kernel, true);
        if (!known) return exec::run(*function.kernel, launch);
        kernel = *known;
    }
    const check::KernelCode& code = code_of(function, kernel);
    const check::LaunchShape shape{{launch.grid.x, launch.grid.y, launch.grid.z},
                                   {launch.block.x, launch.block.y, launch.block.z},
                                   launch.clustered};
    check::LaunchChecker checker(code, shape, tools, memory_, *findings_);
    Touched touched;
    check::ByteSet written;  // by atomics, too
    bool printed = false;
    const auto run_once = [&](exec::Launch once) {
        once.printed = &printed;
        const events::Observers watching[] = {{&checker}};
        auto fault =
            wants.nothing() ? exec::run(*function.kernel, once) : exec::run(*function.kernel, once, watching);
        checker.finish();
        if (tools.races) checker.races().touched(touched.read, touched.written, touched.atomics);
        written.add(touched.written);
        written.add(touched.atomics);
        return fault;
    };
    const std::optional<exec::Fault> fault = schedules_.run(function, launch, run_once, [&] {
        return Schedules::Watched{code, checker, tools.races ? &written : nullptr};
    });
    host_.ran(code.name, code.tells, printed);
    if (tools.races) {
        // The host may look for what a kernel publishes while it runs.
        const bool tells_host = std::any_of(code.sites.begin(), code.sites.end(),
                                            [](const check::SiteFacts& site) { return site.publishes; });
        host_.touched(touched, tells_host);
    }
    if (fault) {
        // What its threads had not freed yet is no leak.
        memory_.heap.clear();
        tell(device, *fault, checker, code.name);
    }
    return fault;
}

// A fault of the simulated program is a finding.
void Checker::tell(Device& device, const exec::Fault& fault, const check::LaunchChecker& checker,
                   const std::string& kernel) {
    Finding finding{.kernel = kernel};
    std::string role = "here";
    switch (fault.kind) {
        case exec::FaultKind::illegal_address: {
            if (!options_.memory || !fault.at) return;
            const bool writes = fault.at->writes;
            role = writes ? "write" : "read";
            // Of shared and local memory an address says nothing by itself.
            const std::string where =
                fault.at->global ? device.memory().describe(fault.at->address) : std::string();
            if (where.find("was freed") != where.npos) {
                finding.kind = "use-after-free";
                finding.advice =
                    "free the memory after its last use, and take pointers anew after it has moved";
            } else if (where.starts_with("host memory")) {
                finding.kind = "host-pointer";
                finding.advice =
                    "copy it to device memory with cudaMemcpy, or allocate it with cudaMallocManaged or "
                    "cudaMallocHost";
            } else if (where.find("null pointer") != where.npos) {
                finding.kind = "null-pointer";
                finding.advice =
                    "check that the pointer was allocated, and that the error of that call is looked at";
            } else {
                finding.kind = writes ? "out-of-bounds-write" : "out-of-bounds-read";
                finding.advice = "check the index against the size of what is accessed";
            }
            break;
        }
        case exec::FaultKind::misaligned_address:
            if (!options_.memory) return;
            finding.kind = "misaligned";
            role = fault.at && fault.at->writes ? "write" : "read";
            finding.advice = "vector types need addresses that are multiples of their size";
            break;
        case exec::FaultKind::freed_twice:
            if (!options_.memory) return;
            finding.kind = "double-free";
            role = "freed again";
            finding.advice = "free it once";
            break;
        case exec::FaultKind::stack_overflow:
            finding.kind = "stack-overflow";
            finding.advice = "end the recursion, or raise cudaLimitStackSize";
            break;
        case exec::FaultKind::barrier_deadlock:
            if (!options_.synchronisation) return;
            finding.kind_of = Class::sync;
            finding.kind = "deadlock";
            finding.message = fault.message;
            finding.places = checker.barriers().waiting();
            finding.own_places = static_cast<std::uint32_t>(finding.places.size());
            finding.advice = "all threads of a block have to reach the barrier";
            findings_->add(std::move(finding));
            return;
        case exec::FaultKind::timeout:
            finding.kind_of = Class::sync;
            finding.kind = "endless-loop";
            role = "loop";
            finding.advice =
                "see which condition ends the loop, and that some thread can make it true; --timeout gives "
                "it more "
                "time";
            break;
        case exec::FaultKind::illegal_instruction:
            finding.kind_of = Class::sync;
            finding.kind = "illegal-instruction";
            break;
        case exec::FaultKind::device_assert:
            finding.kind_of = Class::undefined;
            finding.kind = "assertion";
            break;
        case exec::FaultKind::trap:
            finding.kind_of = Class::undefined;
            finding.kind = "trap";
            break;
        case exec::FaultKind::invalid_call: finding.kind = "invalid-call"; break;
        case exec::FaultKind::compile_error:
        case exec::FaultKind::host_exhausted:
        case exec::FaultKind::heap_exhausted: return;  // not the program's
    }
    finding.message = fault.at ? fault.at->what : fault.message;
    if (fault.kind == exec::FaultKind::timeout && (!fault.at || fault.at->line == 0)) {
        if (const auto loop = checker.loop()) finding.places = {*loop};
    } else if (fault.at)
        finding.places = {
            {fault.at->file, fault.at->line, kernel, role, checker.who(fault.at->block, fault.at->thread)}};
    if (fault.at && fault.at->bytes) {
        finding.details = {{"space", fault.at->space}, {"size", std::to_string(fault.at->bytes)}};
        finding.details["address"] = fmt::format("{:#x}", fault.at->address);
        for (check::Place& place : host_.history_of(fault.at->address))
            if (fault.at->global) finding.places.push_back(std::move(place));
    }
    findings_->add(std::move(finding));
}

// ---- what is defined ----

void Checker::allocated(const exec::Allocation& allocation) {
    host_.allocated(allocation);
    if (!options_.initialisation || !starts_undefined(allocation.kind)) return;
    const std::lock_guard lock(mutex_);
    memory_.defined.set(allocation.address, allocation.size, Byte::unwritten);
}

void Checker::released(const exec::Allocation& allocation) {
    host_.released(allocation);
    if (!options_.initialisation) return;
    const std::lock_guard lock(mutex_);
    memory_.defined.set(allocation.address, allocation.size, Byte::defined);
}

void Checker::copied(const Transfer& transfer) {
    check::Definedness& defined = memory_.defined;
    const BoxSize& size = transfer.size;
    const bool to_host = transfer.route == Route::to_host;
    if (!to_host)
        each_row(transfer.to, size, [&](std::uint64_t z, std::uint64_t y, std::uint64_t to) {
            if (transfer.from.image || transfer.route != Route::on_device)
                return defined.set(to, size.width, Byte::defined);
            defined.copy(to,
                         transfer.from.address + (z * transfer.from.rows_per_slice + y) * transfer.from.pitch,
                         size.width);
        });
    if (!to_host) return;
    // What the host gets: results computed from nothing, or whole elements that were copied from there.
    // Copied padding is short.
    constexpr std::uint64_t longest_padding = 15;
    each_row(transfer.from, size, [&](std::uint64_t, std::uint64_t, std::uint64_t from) {
        std::uint64_t begin = 0, end = 0;
        defined.each_undefined(from, size.width, [&](std::uint64_t at, Byte state) {
            if (state == Byte::unwritten) return;
            if (at != end || state == Byte::derived) begin = at;
            end = at + 1;
            if (state != Byte::derived && end - begin <= longest_padding) return;
            const std::uint32_t origin = defined.origin(at);
            if (origin == 0 || memory_.origins.dropped(origin)) return;
            Finding finding = memory_.origins.finding(origin);
            finding.message += ", and what was made of it is copied to the host";
            findings_->add(std::move(finding));
        });
    });
}

void Checker::done(const Command& command, const Done& done) {
    host_.done(command, done);
    if (!options_.initialisation || !done.complete) return;
    const std::lock_guard lock(mutex_);
    if (const Copy* const copy = command.as<Copy>()) copied(copy->transfer);
    if (const Fill* const fill = command.as<Fill>())
        each_row(fill->to, fill->size, [&](std::uint64_t, std::uint64_t, std::uint64_t to) {
            memory_.defined.set(to, fill->size.width, Byte::defined);
        });
}

// What threads of kernels allocated and nobody freed.
void Checker::tell_heap_leaks() {
    for (const auto& [address, object] : memory_.heap) {
        const auto live = process_.addresses().find(address);
        if (!live || live->kind != exec::MemoryKind::heap) continue;
        Finding finding{.kind_of = Class::leak, .kind = "heap-leak", .kernel = object.kernel};
        finding.message = fmt::format("{} bytes that malloc gave in a kernel were never freed", object.bytes);
        finding.advice = "free it in a kernel, on every way out";
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
