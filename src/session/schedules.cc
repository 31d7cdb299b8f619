#include "session/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "check/last-write.h"
#include "session/process.h"

namespace lockstep::session {
namespace {

using check::ByteSet;
using check::Class;
using check::Finding;
using check::Rank;

// The first is the opposite of the usual order; of the others some let warps run until they wait, and some
// leave them at every few accesses.
exec::Schedule schedule_of(std::uint64_t seed, int number) {
    constexpr std::uint32_t stretches[] = {4, 0, 64};
    if (number == 1) return {.seed = seed, .backward = true};
    return {.seed = seed * 1'000'003 + static_cast<std::uint64_t>(number),
            .stretch = stretches[(number - 2) % 3]};
}

// Sees whether a kernel asks for anything beside its own work.
class Onlooker : public exec::Nesting {
  public:
    explicit Onlooker(exec::Nesting& nesting) : nesting_(nesting) {}
    bool asked = false;

    exec::NestedError admit(const exec::NestedKernel& kernel) override { return here().admit(kernel); }
    exec::NestedError pend(const exec::NestedKernel& kernel, bool tail) override {
        return here().pend(kernel, tail);
    }
    std::optional<exec::Fault> run(std::vector<exec::NestedWork> work) override {
        return here().run(std::move(work));
    }
    exec::NestedError may_wait() override { return here().may_wait(); }
    void leave(std::vector<exec::NestedWork> work) override { here().leave(std::move(work)); }
    std::optional<exec::NestedError> pend(const exec::NestedGraph& graph) override {
        return here().pend(graph);
    }
    std::optional<exec::NestedError> change(std::uint64_t node, const exec::NodeChange& change) override {
        return here().change(node, change);
    }
    exec::NestedError attribute(std::int32_t& value, std::uint32_t attribute, std::int32_t device) override {
        return here().attribute(value, attribute, device);
    }
    exec::NestedError limit(std::uint64_t& value, std::uint32_t limit) override {
        return here().limit(value, limit);
    }
    std::vector<std::byte> function_attributes(const exec::Kernel& kernel) override {
        return here().function_attributes(kernel);
    }
    exec::NestedError active_blocks(std::int32_t& blocks, const exec::Kernel& kernel, std::int32_t threads,
                                    std::uint64_t shared) override {
        return here().active_blocks(blocks, kernel, threads, shared);
    }
    std::int32_t device_number() override { return here().device_number(); }
    std::int32_t device_count() override { return here().device_count(); }
    std::uint64_t error_text(std::uint32_t error, bool name) override {
        return here().error_text(error, name);
    }

  private:
    exec::Nesting& here() {
        asked = true;
        return nesting_;
    }
    exec::Nesting& nesting_;
};

std::string order_name(std::uint64_t seed, int number) {
    return fmt::format("order {} of seed {}", number, seed);
}

// What a store's type makes of bytes.
struct Element {
    ptx::Type type = ptx::Type::none;
    std::uint64_t bytes = 1;
};

Element element_of(const check::KernelCode& code, const std::optional<check::LastWrite::Write>& write) {
    if (!write) return {};
    const ptx::Type type = code.instruction(write->site).type();
    const int bytes = ptx::type_bytes(type);
    if (bytes <= 0 || bytes > 8) return {};
    return {type, static_cast<std::uint64_t>(bytes)};
}

bool is_plain_float(ptx::Type type) { return type == ptx::Type::f32 || type == ptx::Type::f64; }

double as_double(const void* bytes, ptx::Type type) {
    if (type == ptx::Type::f64) {
        double value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    float value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
}

std::string text_of(const unsigned char (&bytes)[8], const Element& element) {
    if (is_plain_float(element.type))
        return element.type == ptx::Type::f64
                   ? fmt::format("{}", as_double(bytes, element.type))
                   : fmt::format("{}", static_cast<float>(as_double(bytes, element.type)));
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, element.bytes);
    if (!ptx::is_signed(element.type)) return fmt::format("{}", value);
    const int unused = 64 - 8 * static_cast<int>(element.bytes);
    return fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
}

}  // namespace

Schedules::Schedules(Process& process, const CheckOptions& options, check::Findings& findings,
                     HostChecks& host)
    : process_(process), options_(options), findings_(findings), host_(host) {}

void Schedules::skip(const std::string& kernel, const char* why) {
    told_.insert(kernel);
    process_.report(fmt::format("--schedules: kernel {} runs in one order only: {}", kernel, why));
}

std::optional<exec::Fault> Schedules::run(Function& function, const exec::Launch& launch, const Run& run,
                                          const std::function<Watched()>& watched_behind) {
    if (options_.schedules == 0 || told_.contains(function.name)) return run(launch);
    std::optional<Onlooker> onlooker;
    exec::Launch first = launch;
    if (launch.nesting) first.nesting = &onlooker.emplace(*launch.nesting);
    MemoryImage before(process_.addresses());
    std::optional<exec::Fault> fault = run(first);
    if (fault) return fault;
    const Watched watched = watched_behind();
    const auto skipped = [&](const char* why) {
        skip(watched.code.name, why);
        told_.insert(function.name);
        return std::nullopt;
    };
    if (watched.faults) return skipped("it accesses what it may not");
    if (onlooker && onlooker->asked) return skipped("it calls CUDA's device runtime");
    if (!before.has_same_allocations(process_.addresses()))
        return skipped("it leaves memory of its own malloc");
    if (host_.has_several_threads()) return skipped("several threads of the program use CUDA");

    if (watched.written) before.limit_host_memory(*watched.written);
    MemoryImage after(process_.addresses());
    if (watched.written) after.limit_host_memory(*watched.written);
    Compared compared{function, launch, before, after, watched};
    compared.launch.nesting = nullptr;
    compared.launch.silent = true;
    for (int number = 1; number <= options_.schedules; ++number) {
        const Rerun rerun = again(compared, schedule_of(options_.seed, number));
        if (!rerun.fault && rerun.different.empty()) continue;
        told_.insert(function.name);
        if (rerun.fault)
            tell_fault(compared, number, *rerun.fault);
        else
            tell(compared, number, rerun.different);
        break;
    }
    after.put_back();
    return std::nullopt;
}

// The launch from the same memory.
Schedules::Rerun Schedules::again(const Compared& compared, const std::optional<exec::Schedule>& schedule,
                                  check::LastWrite* watcher) const {
    compared.before.put_back();
    exec::Launch launch = compared.launch;
    launch.schedule = schedule;
    Rerun rerun;
    const exec::Kernel& kernel = *compared.function.kernel;
    if (watcher) {
        const events::Observers watching[] = {{watcher}};
        rerun.fault = exec::run(kernel, launch, watching);
    } else {
        rerun.fault = exec::run(kernel, launch);
    }
    rerun.different = compared.after.differences();
    return rerun;
}

void Schedules::tell_fault(const Compared& compared, int number, const exec::Fault& fault) {
    const bool stuck =
        fault.kind == exec::FaultKind::timeout || fault.kind == exec::FaultKind::barrier_deadlock;
    Finding finding{.kind_of = Class::undefined,
                    .kind = "order-dependent",
                    .kernel = compared.watched.code.name,
                    .rank = stuck ? Rank::warning : Rank::error};
    finding.message = fmt::format("the kernel fails in another order of its blocks and warps ({}): {}",
                                  order_name(options_.seed, number), fault.message);
    finding.advice =
        stuck ? "blocks may begin in any order, and wait only for those that have begun: number them by "
                "an atomic counter as they begin"
              : "see the races that are told of this kernel, or what its threads take from each other";
    if (fault.at)
        finding.places = {{fault.at->file, fault.at->line, compared.watched.code.name, "fault",
                           compared.watched.checker.who(fault.at->block, fault.at->thread)}};
    findings_.add(std::move(finding));
}

void Schedules::tell(const Compared& compared, int number, const ByteSet& found) {
    const check::KernelCode& code = compared.watched.code;
    const auto wants = compared.watched.checker.wants();
    // Who has written them last, in the usual order and in this one.
    ByteSet::Range first = found.ranges().front();
    first.end = first.begin + 1;
    check::LastWrite usual(code, first, wants), other(code, first, wants);
    if (!again(compared, std::nullopt, &usual).different.empty())
        return process_.report(fmt::format(
            "--schedules: kernel {} cannot be compared: it gives other results in the same order, too (does "
            "it read a clock?)",
            code.name));
    const Rerun rerun = again(compared, schedule_of(options_.seed, number), &other);
    const ByteSet& different = rerun.different;
    if (different.empty()) return;

    const auto allocation = process_.addresses().find(first.begin);
    if (!allocation) return;
    const Element element = element_of(code, usual.write() ? usual.write() : other.write());
    const std::uint64_t index = (first.begin - allocation->address) / element.bytes;
    // As elements that the store writes.
    std::uint64_t count = 0, last = ~std::uint64_t{0};
    double absolute = 0, relative = 0;
    std::string values;
    for (const auto& [begin, end] : different.ranges())
        for (std::uint64_t at = begin / element.bytes * element.bytes; at < end; at += element.bytes) {
            if (at == last) continue;
            last = at;
            unsigned char was[8] = {}, is[8] = {};
            compared.after.read(at, was, element.bytes);
            std::memcpy(is, reinterpret_cast<const void*>(at), element.bytes);
            if (count++ == 0) values = fmt::format("{} and {}", text_of(was, element), text_of(is, element));
            if (!is_plain_float(element.type)) continue;
            const double a = as_double(was, element.type), b = as_double(is, element.type);
            absolute = std::max(absolute, std::abs(a - b));
            if (const double size = std::max(std::abs(a), std::abs(b)); size > 0)
                relative = std::max(relative, std::abs(a - b) / size);
        }

    const bool races = findings_.has(Class::race, code.name);
    const bool atomics = std::any_of(code.sites.begin(), code.sites.end(),
                                     [](const check::SiteFacts& site) { return site.atomic; });
    const auto is_float_atomic = [&](const std::optional<check::LastWrite::Write>& write) {
        return write && code.sites[write->site].atomic && ptx::is_float(code.instruction(write->site).type());
    };
    Finding finding{.kind_of = Class::undefined, .kind = "order-dependent", .kernel = code.name};
    finding.rank = races ? Rank::error : atomics ? Rank::note : Rank::warning;
    finding.message = fmt::format(
        "what the kernel leaves depends on the order of its blocks and warps: {} in {}, the first at index "
        "{} of {} "
        "bytes of {} ({})",
        count == 1 ? "1 value differs" : fmt::format("{} values differ", count),
        order_name(options_.seed, number), index, allocation->size, exec::name_of(allocation->kind), values);
    if (is_plain_float(element.type))
        finding.message += fmt::format("; by {:.2g} at most, or {:.2g} of the value", absolute, relative);
    if (races)
        finding.advice = "mend the race that is told of this kernel";
    else if (is_float_atomic(usual.write()))
        finding.advice =
            "sums of floats depend on the order in which atomics come: compare with a tolerance, or add in a "
            "fixed "
            "order (a tree in the block, then over the blocks)";
    else if (atomics)
        finding.advice =
            "who comes first to an atomic gets the first place: sort what was written, or do not rely on "
            "places";
    else
        finding.advice = "see what its threads take from each other";
    const auto place = [&](const std::optional<check::LastWrite::Write>& write, std::string role) {
        if (!write) return;
        finding.places.push_back(
            code.place(write->site, std::move(role),
                       compared.watched.checker.who(write->block, write->warp, write->lane)));
    };
    place(usual.write(), "last written");
    place(other.write(), "last written in the other order");
    finding.own_places = static_cast<std::uint32_t>(std::max<std::size_t>(finding.places.size(), 1));
    for (check::Place& one : host_.history_of(first.begin)) finding.places.push_back(std::move(one));
    findings_.add(std::move(finding));
}

}  // namespace lockstep::session
