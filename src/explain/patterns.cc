#include "explain/patterns.h"

#include <fmt/format.h>

#include "explain/rule.h"

namespace lockstep::explain {

namespace {

using report::InstructionCounts;

void tell_pattern(const Facts& facts, Finding& finding) {
    using counters::PatternKind;
    const InstructionCounts* worst = nullptr;
    facts.each_instruction([&](const InstructionCounts& at) {
        if (at.pattern.surplus > (worst ? worst->pattern.surplus : 0)) worst = &at;
    });
    if (!worst) return;
    const counters::AccessPattern pattern = worst->pattern.pattern;
    // Instructions that go through memory in the same steps: fields of one structure.
    int alike = 0;
    facts.each_instruction([&](const InstructionCounts& at) {
        alike +=
            at.pattern.pattern.kind == PatternKind::strided && at.pattern.pattern.stride == pattern.stride;
    });
    const std::int64_t stride = pattern.stride < 0 ? -pattern.stride : pattern.stride;
    constexpr std::int64_t largest_structure = 256;
    std::string text;
    switch (pattern.kind) {
        case PatternKind::packed:
            text = fmt::format(
                "offset: lanes access elements side by side, but the first lies in the middle of a {}, so "
                "one more is touched",
                facts.words().line);
            finding.advice = fmt::format(
                "Let rows begin at multiples of {} bytes ({}MallocPitch, padding), or shift the work so that "
                "lane 0 is at such an address.",
                facts.words().line_bytes, facts.words().api);
            break;
        case PatternKind::strided:
            if (stride <= largest_structure) {
                text = fmt::format(
                    "stride: each lane is {} bytes after its neighbour{}", stride,
                    alike > 1 ? fmt::format(", at {} places: fields of an array of structures", alike)
                              : ", as in an array of structures, or with every Nth element");
                finding.advice =
                    "Make a structure of arrays out of the array of structures, or load whole structures as "
                    "vectors "
                    "(float4) through shared memory.";
            } else {
                text = fmt::format("transposed: each lane is {} bytes after its neighbour, a row of its own",
                                   stride);
                finding.advice =
                    "Let threadIdx.x run along the rows: swap the two indices or loops. Where the result "
                    "needs the other "
                    "order, turn a tile of 32x32 elements in shared memory.";
            }
            break;
        case PatternKind::rows:
            text = fmt::format("narrow rows: {} lanes lie side by side, the next ones {} bytes further",
                               pattern.run, stride);
            finding.advice = fmt::format(
                "Make the block wider: blockDim.x a multiple of {0}, so that a {1} is one piece of one row.",
                facts.words().lanes, facts.words().warp);
            break;
        case PatternKind::scattered:
            text = "random: no step between the lanes' addresses, as where the index comes from data";
            finding.advice =
                "Sort or group the work by the address that it needs, keep the table in shared memory where "
                "it fits, or "
                "use smaller elements.";
            break;
        case PatternKind::same:
        case PatternKind::none: return;
    }
    add(finding, fmt::format("pattern_{}", counters::pattern_name(pattern.kind)),
        static_cast<double>(pattern.stride), text);
}

}  // namespace

void prove_scattered(const Facts& facts, Finding& finding) {
    tell_pattern(facts, finding);
    double requests = 0, sectors = 0, ideal = 0;
    facts.each_line([&](const InstructionCounts& line) {
        if (line.ideal_sectors == 0) return;
        requests += static_cast<double>(line.requests);
        sectors += static_cast<double>(line.sectors);
        ideal += static_cast<double>(line.ideal_sectors);
    });
    const double sectors_a_line = facts.words().line_bytes / 32.0;
    add(finding, "sectors_per_request", per(sectors, requests),
        fmt::format("{:.1f} {}s of {} bytes a request, where {:.1f} would hold what the lanes ask for",
                    per(sectors, requests) / sectors_a_line, facts.words().line, facts.words().line_bytes,
                    per(ideal, requests) / sectors_a_line));
    add(finding, "used_share", per(ideal, sectors),
        fmt::format("{:.0f} % of the bytes that are moved are used", 100 * per(ideal, sectors)));
}

}  // namespace lockstep::explain
