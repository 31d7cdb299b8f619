#include <fmt/format.h>

#include <iterator>

#include "timing/code.h"

namespace lockstep::timing {
namespace {

void print_section(const Section& section, const Code& code, const kernel::Kernel& kernel, std::string& out) {
    const auto slots = [&](const char* what, const auto& list, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? what : ",", list[i]);
    };
    for (const Op& op : section.ops) {
        const Place& place = code.places[op.place];
        const kernel::Block& block = kernel.functions[place.function].blocks[place.block];
        const auto index = static_cast<std::size_t>(std::max(place.instruction, 0));
        const int line = place.instruction >= 0 && index < block.instructions.size()
                             ? block.instructions[index].line
                             : block.terminator.line;
        fmt::format_to(std::back_inserter(out), "  {:<9}",
                       machine::unit_table[static_cast<std::size_t>(op.unit)].name);
        if (op.issues > 1) fmt::format_to(std::back_inserter(out), " x{}", op.issues);
        if (op.chains > 1) fmt::format_to(std::back_inserter(out), " in {} chains", op.chains);
        if (op.latency) fmt::format_to(std::back_inserter(out), " {} cycles", op.latency);
        if (op.stall > 1) fmt::format_to(std::back_inserter(out), " stall {}", op.stall);
        if (op.access != Op::no_access)
            fmt::format_to(std::back_inserter(out), " site {}", section.sites[op.access]);
        if (op.only_on_split) out += " where the warp is split";
        slots(" waits for ", op.sources, op.source_count);
        if (op.guard != Op::no_slot) fmt::format_to(std::back_inserter(out), " guard {}", op.guard);
        slots(" gives ", op.targets, op.target_count);
        fmt::format_to(std::back_inserter(out), " (line {})\n", line);
    }
}

}  // namespace

std::string print(const Code& code, const kernel::Kernel& kernel) {
    std::string out = fmt::format("kernel {}\n", kernel.functions.front().name);
    for (std::size_t b = 0; b < code.regions.size(); ++b) {
        const Region& region = code.regions[b];
        fmt::format_to(std::back_inserter(out), "block {}", b);
        if (code.issued_with[b] != b) {
            fmt::format_to(std::back_inserter(out), ": issued with block {}\n", code.issued_with[b]);
            continue;
        }
        fmt::format_to(std::back_inserter(out), ", machine instructions: {}\n", region.once.instructions);
        print_section(region.once, code, kernel, out);
        if (region.unroll == 1) continue;
        fmt::format_to(std::back_inserter(out), "block {}, {} turns together, machine instructions: {}\n", b,
                       region.unroll, region.unrolled.instructions);
        print_section(region.unrolled, code, kernel, out);
    }
    return out;
}

}  // namespace lockstep::timing
