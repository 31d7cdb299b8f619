#include "counters/geometry.h"

namespace lockstep::counters {

void find_lines(const Request& request, std::vector<Line>& out) {
    const std::size_t begin = out.size();
    const auto touch = [&](std::uint64_t address) {
        const std::uint64_t line = address / line_bytes * line_bytes;
        const auto sector = static_cast<Sectors>(1u << address % line_bytes / sector_bytes);
        // Lanes next to each other mostly touch the same line.
        for (std::size_t i = out.size(); i-- > begin;)
            if (out[i].address == line) {
                out[i].sectors |= sector;
                return;
            }
        out.push_back({line, sector});
    };
    std::uint64_t last = ~std::uint64_t{0};  // sector that was touched
    request.mask.for_each([&](int lane) {
        const std::uint64_t address = request.addresses[lane];
        const std::uint64_t first_sector = address / sector_bytes;
        if (first_sector == last && (address + request.bytes - 1) / sector_bytes == last) return;
        last = first_sector;
        for (std::uint32_t b = 0; b < request.bytes; b += sector_bytes) touch(address + b);
        if (request.bytes > sector_bytes || address % sector_bytes + request.bytes > sector_bytes)
            touch(address + request.bytes - 1);
    });
}

}  // namespace lockstep::counters
