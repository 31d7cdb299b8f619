// NVTX: what include/nvtx3 calls. Ranges go to the timeline, if somebody draws one; else every function
// returns at once, as NVTX does without a tool.
#include <fmt/format.h>

#include <cstdlib>

#include "nvtx3/nvToolsExt.h"
#include "runtime/state.h"
#include "session/simulated-clock.h"

struct nvtxDomainRegistration_st {
    std::string name;
    std::map<std::uint32_t, std::string> categories;
};
struct nvtxStringRegistration_st {
    std::string text;
};

namespace lockstep::runtime {
namespace {

// Null: no launch is chosen by its ranges.
session::RangeSelection* selection_by_ranges() {
    session::Process* current = existing_process();
    if (!current && (std::getenv("LOCKSTEP_NVTX_INCLUDE") || std::getenv("LOCKSTEP_NVTX_EXCLUDE")))
        current = process();
    return current ? current->ranges() : nullptr;
}

// Null: nobody looks. A program may name ranges before it uses the GPU at all.
session::SimulatedClock* clock_for_ranges() {
    session::Process* current = existing_process();
    if (!current && std::getenv("LOCKSTEP_TIMELINE")) current = process();
    session::SimulatedClock* clock = current ? current->clock() : nullptr;
    return clock && clock->wants_ranges() ? clock : nullptr;
}

std::string narrow(const wchar_t* wide) {
    std::string text;
    for (; *wide; ++wide) {
        const auto c = static_cast<std::uint32_t>(*wide);
        if (c < 0x80) {
            text += static_cast<char>(c);
        } else if (c < 0x800) {
            text += {static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))};
        } else if (c < 0x10000) {
            text += {static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3f)),
                     static_cast<char>(0x80 | (c & 0x3f))};
        } else {
            text += {static_cast<char>(0xf0 | (c >> 18 & 7)), static_cast<char>(0x80 | (c >> 12 & 0x3f)),
                     static_cast<char>(0x80 | (c >> 6 & 0x3f)), static_cast<char>(0x80 | (c & 0x3f))};
        }
    }
    return text;
}

std::string message_of(const nvtxEventAttributes_t& event) {
    switch (event.messageType) {
        case NVTX_MESSAGE_TYPE_ASCII: return event.message.ascii ? event.message.ascii : "";
        case NVTX_MESSAGE_TYPE_UNICODE: return event.message.unicode ? narrow(event.message.unicode) : "";
        case NVTX_MESSAGE_TYPE_REGISTERED:
            return event.message.registered ? event.message.registered->text : "";
        default: return "";
    }
}

std::string payload_of(const nvtxEventAttributes_t& event) {
    switch (event.payloadType) {
        case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64: return fmt::format("{}", event.payload.ullValue);
        case NVTX_PAYLOAD_TYPE_INT64: return fmt::format("{}", event.payload.llValue);
        case NVTX_PAYLOAD_TYPE_DOUBLE: return fmt::format("{}", event.payload.dValue);
        case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32: return fmt::format("{}", event.payload.uiValue);
        case NVTX_PAYLOAD_TYPE_INT32: return fmt::format("{}", event.payload.iValue);
        case NVTX_PAYLOAD_TYPE_FLOAT: return fmt::format("{}", event.payload.fValue);
        default: return "";
    }
}

report::HostRange range_of(nvtxDomainHandle_t domain, const nvtxEventAttributes_t& event) {
    report::HostRange range;
    range.name = message_of(event);
    if (domain) range.domain = domain->name;
    const auto& categories = domain ? domain->categories : state().nvtx.categories;
    if (event.category != 0) {
        const std::lock_guard lock(state().nvtx.mutex);
        const auto at = categories.find(event.category);
        range.category = at == categories.end() ? fmt::format("{}", event.category) : at->second;
    }
    if (event.colorType == NVTX_COLOR_ARGB) range.color = fmt::format("#{:06x}", event.color & 0xffffff);
    range.payload = payload_of(event);
    return range;
}

}  // namespace
}  // namespace lockstep::runtime

using namespace lockstep::runtime;

extern "C" {

int __lockstep_nvtx_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    const LockstepScope lockstep;
    int depth = NVTX_NO_PUSH_POP_TRACKING;
    if (auto* selection = selection_by_ranges())
        depth = selection->push({domain ? domain->name : "", message_of(*event)});
    if (auto* clock = clock_for_ranges()) depth = clock->push_range(range_of(domain, *event));
    return depth;
}

int __lockstep_nvtx_pop(nvtxDomainHandle_t domain) {
    const LockstepScope lockstep;
    const std::string name = domain ? domain->name : "";
    std::optional<int> depth;
    if (auto* selection = selection_by_ranges()) depth = selection->pop(name);
    if (auto* clock = clock_for_ranges()) depth = clock->pop_range(name);
    return depth.value_or(NVTX_NO_PUSH_POP_TRACKING);
}

nvtxRangeId_t __lockstep_nvtx_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    const LockstepScope lockstep;
    // A run is profiled or drawn, not both.
    if (auto* selection = selection_by_ranges())
        return selection->start({domain ? domain->name : "", message_of(*event)});
    auto* clock = clock_for_ranges();
    return clock ? clock->start_range(range_of(domain, *event)) : 0;
}

void __lockstep_nvtx_end(nvtxRangeId_t range) {
    const LockstepScope lockstep;
    if (auto* selection = selection_by_ranges()) return selection->end(range);
    if (auto* clock = clock_for_ranges()) clock->end_range(range);
}

void __lockstep_nvtx_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    auto* clock = clock_for_ranges();
    if (!clock) return;
    const LockstepScope lockstep;
    clock->mark(range_of(domain, *event));
}

nvtxDomainHandle_t __lockstep_nvtx_domain(const char* name, const wchar_t* wide) {
    if (!clock_for_ranges() && !selection_by_ranges()) return nullptr;
    const std::string text = name ? name : wide ? narrow(wide) : "";
    NvtxNames& names = state().nvtx;
    const std::lock_guard lock(names.mutex);
    for (nvtxDomainRegistration_st* domain : names.domains)
        if (domain->name == text) return domain;
    return names.domains.emplace_back(new nvtxDomainRegistration_st{text, {}});
}

nvtxStringHandle_t __lockstep_nvtx_string(nvtxDomainHandle_t, const char* text, const wchar_t* wide) {
    if (!clock_for_ranges() && !selection_by_ranges()) return nullptr;
    return new nvtxStringRegistration_st{text ? text : wide ? narrow(wide) : ""};
}

void __lockstep_nvtx_category(nvtxDomainHandle_t domain, std::uint32_t category, const char* name,
                              const wchar_t* wide) {
    if (!clock_for_ranges()) return;
    NvtxNames& names = state().nvtx;
    const std::lock_guard lock(names.mutex);
    (domain ? domain->categories : names.categories)[category] = name ? name : wide ? narrow(wide) : "";
}
}
