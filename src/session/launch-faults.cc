#include "session/launch-faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "session/device.h"

namespace lockstep::session {

using check::Class;
using check::Finding;

bool LaunchFaults::wants(std::uint32_t site, exec::FaultKind kind) {
    // One place may have faults of several kinds: memory that was freed, and none at all.
    constexpr std::uint32_t most_worded = 8;
    return places_[{site, kind}].worded < most_worded;
}

void LaunchFaults::count(Told& told, std::uint64_t times) {
    if (told.told) {
        told.more += times;
        return;
    }
    told.told = true;
    Finding finding = told.finding;
    finding.count = times;
    findings_.add(std::move(finding));
}

void LaunchFaults::bad_access(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                              const exec::Fault& fault) {
    const exec::Fault::At& at = *fault.at;
    Place& place = places_[{at.site, fault.kind}];
    made_up_ |= !at.writes;
    Told* told = nullptr;
    if (!at.what.empty()) {
        ++place.worded;
        auto finding = finding_of(fault);
        if (!finding) return;
        const auto same = std::find_if(place.told.begin(), place.told.end(),
                                       [&](const Told& t) { return t.finding.kind == finding->kind; });
        told = same == place.told.end() ? &place.told.emplace_back(Told{std::move(*finding)}) : &*same;
    } else if (!place.told.empty())
        told = &place.told.back();
    const bool has_record = records_ && at.bytes && at.site < code_.kernel->sites.size();
    if (!has_record) {
        // Without records values are not followed. A null pointer in a warp that has read zeros is one of
        // them.
        constexpr std::uint64_t null_page = 1 << 16;
        const std::pair<std::uint64_t, std::uint32_t> who{block, warp};
        if (at.bytes && at.address < null_page && (have_read_zeros_[who] & lanes)) return;
        if (at.bytes && !at.writes) have_read_zeros_[who] |= lanes;
        if (told) count(*told, static_cast<std::uint64_t>(std::popcount(lanes)));
        return;
    }
    checker_.left_out(block, warp, {at.site, lanes, at.address, [this, told](check::Lanes own) {
                                        if (told)
                                            count(*told, static_cast<std::uint64_t>(std::popcount(own)));
                                    }});
}

void LaunchFaults::ended_by(const exec::Fault& fault) {
    // Threads that went on with values which are not the program's may wait or call for ever because of it.
    if (made_up_ &&
        (fault.kind == exec::FaultKind::timeout || fault.kind == exec::FaultKind::barrier_deadlock ||
         fault.kind == exec::FaultKind::stack_overflow))
        return;
    if (auto finding = finding_of(fault)) findings_.add(std::move(*finding));
}

void LaunchFaults::finish() {
    for (auto& [_, place] : places_)
        for (Told& told : place.told) {
            if (!told.more) continue;
            told.finding.count = told.more;
            findings_.add(std::move(told.finding));
        }
}

// Of the memory that there is, the allocation that the address is in or nearest to.
std::optional<exec::Allocation> LaunchFaults::nearest(std::uint64_t address) const {
    std::optional<exec::Allocation> found;
    std::uint64_t least = ~std::uint64_t{0};
    for (const exec::Allocation& each : device_.process().addresses().allocations()) {
        const std::uint64_t distance = address < each.address ? each.address - address
                                       : address < each.end() ? 0
                                                              : address - each.end() + 1;
        if (distance < least) least = distance, found = each;
    }
    return found;
}

std::optional<Finding> LaunchFaults::finding_of(const exec::Fault& fault) const {
    Finding finding{.kernel = code_.name};
    std::string role = "here";
    switch (fault.kind) {
        case exec::FaultKind::illegal_address: {
            if (!options_.memory || !fault.at) return std::nullopt;
            const bool writes = fault.at->writes;
            role = writes ? "write" : "read";
            // Of shared and local memory an address says nothing by itself.
            const std::string where =
                fault.at->global ? device_.memory().describe(fault.at->address) : std::string();
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
            if (!options_.memory) return std::nullopt;
            finding.kind = "misaligned";
            role = fault.at && fault.at->writes ? "write" : "read";
            finding.advice = "vector types need addresses that are multiples of their size";
            break;
        case exec::FaultKind::address_space:
            if (!options_.memory) return std::nullopt;
            finding.kind = "address-space";
            role = fault.at && fault.at->writes ? "write" : "read";
            finding.advice = "hand other kernels pointers to global memory only";
            break;
        case exec::FaultKind::freed_twice:
            if (!options_.memory) return std::nullopt;
            finding.kind = "double-free";
            role = "freed again";
            finding.advice = "free it once";
            break;
        case exec::FaultKind::stack_overflow:
            finding.kind = "stack-overflow";
            finding.advice = "end the recursion, or raise cudaLimitStackSize";
            break;
        case exec::FaultKind::barrier_deadlock:
            if (!options_.synchronisation) return std::nullopt;
            finding.kind_of = Class::sync;
            finding.kind = "deadlock";
            finding.message = fault.message;
            finding.places = checker_.barriers().waiting();
            finding.own_places = static_cast<std::uint32_t>(finding.places.size());
            finding.advice = "all threads of a block have to reach the barrier";
            return finding;
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
        case exec::FaultKind::heap_exhausted: return std::nullopt;  // not the program's
    }
    finding.message = fault.at ? fault.at->what : fault.message;
    const bool has_line = fault.at && !fault.at->file.empty();
    if (const auto loop = fault.kind == exec::FaultKind::timeout ? checker_.loop(!has_line) : std::nullopt) {
        // The kernel is named beside it.
        if (const std::size_t name = finding.message.find(": still running"); name != std::string::npos)
            finding.message.erase(0, name + 2);
        if (!loop->why.empty()) finding.message += ": " + loop->why;
        if (loop->starves)
            finding.advice =
                "let blocks wait for each other only where all run at once: launch no more than the GPU "
                "holds "
                "(cudaOccupancyMaxActiveBlocksPerMultiprocessor for each SM; cudaLaunchCooperativeKernel "
                "refuses "
                "more), or end the kernel and launch another";
        finding.places = {loop->place};
    } else if (fault.at)
        finding.places = {{fault.at->file, fault.at->line, code_.name, role,
                           checker_.who(fault.at->block, fault.at->thread)}};
    if (fault.at && fault.at->bytes) {
        finding.details = {{"space", fault.at->space}, {"size", std::to_string(fault.at->bytes)}};
        finding.details["address"] = fmt::format("{:#x}", fault.at->address - fault.at->space_begin);
        if (const auto near = fault.at->global ? nearest(fault.at->address) : std::nullopt) {
            finding.details["nearest_address"] = fmt::format("{:#x}", near->address);
            finding.details["nearest_size"] = std::to_string(near->size);
        }
        for (check::Place& place : host_.history_of(fault.at->address))
            if (fault.at->global) finding.places.push_back(std::move(place));
    }
    return finding;
}

}  // namespace lockstep::session
