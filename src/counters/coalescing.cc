#include "counters/coalescing.h"

#include <algorithm>
#include <bit>

namespace lockstep::counters {

namespace {

// A request by the rules before 5.0; the bytes are known.
Coalesced cut_into_lines(const Request& request, Transactions rule, std::uint32_t bytes) {
    Coalesced result;
    result.bytes = bytes;
    const int part_lanes = static_cast<int>(line_bytes / std::max(request.bytes, 4u));
    constexpr std::uint64_t most_parts = 8;
    SeenKeys sectors, lines;
    request.mask.for_each([&](int lane) {
        const std::uint64_t address = request.addresses[lane];
        const auto part = static_cast<std::uint64_t>(lane / part_lanes);
        result.sectors += sectors.insert(address / sector_bytes * most_parts + part);
        result.transactions += lines.insert(address / line_bytes * most_parts + part);
    });
    if (rule == Transactions::whole_lines) result.sectors = line_sectors * result.transactions;
    return result;
}

}  // namespace

Coalesced coalesce(const Request& request, Transactions rule) {
    Coalesced result;
    SeenKeys sectors;
    std::uint32_t touched[SeenKeys::slots];  // the bytes of a sector, a bit each
    std::uint32_t width = request.bytes < sector_bytes ? (1u << request.bytes) - 1 : ~0u;
    request.mask.for_each([&](int lane) {
        std::uint64_t address = request.addresses[lane];
        bool is_new;
        std::uint32_t slot = sectors.find(address / sector_bytes, is_new);
        if (is_new) touched[slot] = 0;
        std::uint32_t bytes = width << address % sector_bytes;
        result.sectors += is_new;
        result.bytes += static_cast<std::uint32_t>(std::popcount(bytes & ~touched[slot]));
        touched[slot] |= bytes;
    });
    result.transactions = result.sectors;
    return rule == Transactions::sectors ? result : cut_into_lines(request, rule, result.bytes);
}

Coalesced coalesce_atomic(const Request& request) {
    Coalesced result = coalesce(request);
    SeenKeys addresses, sectors;
    std::uint32_t at_address[SeenKeys::slots], at_sector[SeenKeys::slots];
    result.sectors = 0;
    request.mask.for_each([&](int lane) {
        bool is_new;
        const std::uint32_t address = addresses.find(request.addresses[lane], is_new);
        at_address[address] = is_new ? 1 : at_address[address] + 1;
        const std::uint32_t sector = sectors.find(request.addresses[lane] / sector_bytes, is_new);
        if (is_new) at_sector[sector] = 0;
        if (at_address[address] > at_sector[sector]) ++at_sector[sector], ++result.sectors;
    });
    result.transactions = result.sectors;
    return result;
}

}  // namespace lockstep::counters
