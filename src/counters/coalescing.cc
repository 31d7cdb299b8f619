#include "counters/coalescing.h"

#include <bit>

namespace lockstep::counters {

Coalesced coalesce(const Request& request) {
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
    return result;
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
    return result;
}

}  // namespace lockstep::counters
