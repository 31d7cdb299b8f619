#include "timing/close-up-json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace lockstep::timing {
namespace {

const char* memory_name(counters::Memory memory) {
    using counters::Memory;
    switch (memory) {
        case Memory::global: return "global";
        case Memory::shared: return "shared";
        case Memory::local: return "local";
        case Memory::constant: return "constant";
        case Memory::texture: return "texture";
        case Memory::bulk: return "bulk";
    }
    return "";
}

const char* kind_name(kernel::SiteKind kind) {
    if (kernel::is_atomic(kind)) return "atomic";
    return kind == kernel::SiteKind::load ? "load" : "store";
}

// A column of all issues.
template <class Value>
std::string column(const char* name, const CloseUp& seen, Value value) {
    std::vector<std::int64_t> values;
    for (const CloseUp::Issue& issue : seen.issues())
        values.push_back(static_cast<std::int64_t>(value(issue)));
    return fmt::format("\"{}\":[{}]", name, fmt::join(values, ","));
}

std::string access_json(const CloseUp::Access& access) {
    std::vector<std::uint64_t> addresses;
    for (int lane = 0; lane < kernel::warp_lanes; ++lane)
        if (access.lanes >> lane & 1) addresses.push_back(access.addresses[static_cast<std::size_t>(lane)]);
    const std::uint64_t base = addresses.empty() ? 0 : *std::min_element(addresses.begin(), addresses.end());
    for (std::uint64_t& address : addresses) address -= base;
    return fmt::format(
        R"({{"memory":"{}","kind":"{}","bytes":{},"sectors":{},"wavefronts":{},"lanes":{},"base":{},"offsets":[{}]}})",
        memory_name(access.memory), kind_name(access.kind), access.bytes, access.sectors, access.wavefronts,
        access.lanes, base, fmt::join(addresses, ","));
}

std::string states_json(const SchedulerStates& states) {
    std::vector<std::string> schedulers;
    for (const auto& slices : states.schedulers()) {
        std::vector<std::string> rows;
        for (const SchedulerStates::Slice& slice : slices) {
            std::vector<std::int64_t> cycles;
            for (const double one : slice) cycles.push_back(std::llround(one));
            rows.push_back(fmt::format("[{}]", fmt::join(cycles, ",")));
        }
        schedulers.push_back(fmt::format("[{}]", fmt::join(rows, ",")));
    }
    return fmt::format(R"({{"width":{},"schedulers":[{}]}})", states.width(), fmt::join(schedulers, ","));
}

}  // namespace

std::string close_up_json(const CloseUp& seen, const std::array<std::uint32_t, 3>& grid,
                          const std::array<std::uint32_t, 3>& block,
                          const std::function<std::size_t(const Place&)>& position) {
    using Issue = CloseUp::Issue;
    const std::vector<std::string> columns = {
        column("cycle", seen, [](const Issue& one) { return one.cycle; }),
        column("length", seen, [](const Issue& one) { return one.last + 1 - one.cycle; }),
        column("warp", seen, [](const Issue& one) { return one.warp; }),
        column("position", seen, [&](const Issue& one) { return position(one.place); }),
        column("lanes", seen, [](const Issue& one) { return one.lanes; }),
        column("reason", seen, [](const Issue& one) { return static_cast<int>(one.reason); }),
        column("ready", seen, [](const Issue& one) { return one.cycle - one.ready; }),
        column("throttle", seen, [](const Issue& one) { return static_cast<int>(one.throttle); }),
        column("free", seen, [](const Issue& one) { return one.cycle - one.free; }),
        column("access", seen, [](const Issue& one) { return one.access; })};
    std::vector<std::string> accesses, blocks;
    for (const CloseUp::Access& access : seen.accesses()) accesses.push_back(access_json(access));
    for (const CloseUp::Block& one : seen.blocks())
        blocks.push_back(fmt::format("[{},{},{},{}]", one.block, one.sm, one.begin, one.end));
    return fmt::format(
        R"({{"grid":[{}],"block":[{}],"warps":{},"cut":{},"issues":{{{}}},"accesses":[{}],"sms":{},"sms_used":{},"resident":{},)"
        R"("grid_blocks":{},"blocks":[{}],"states":{}}})",
        fmt::join(grid, ","), fmt::join(block, ","), seen.warps, seen.cut(), fmt::join(columns, ","),
        fmt::join(accesses, ","), seen.sms, seen.sms_used, seen.resident, seen.grid_blocks,
        fmt::join(blocks, ","), states_json(seen.states()));
}

}  // namespace lockstep::timing
