#include "counters/access-pattern.h"

#include <algorithm>
#include <array>

#include "counters/request.h"

namespace lockstep::counters {
namespace {

constexpr std::array<std::string_view, 6> names = {"none", "packed", "same", "strided", "rows", "scattered"};

// Runs of equal length whose lanes follow each other, at equal distances; nothing where it is not so.
std::optional<AccessPattern> rows_of(const std::vector<std::int64_t>& addresses, std::int64_t bytes) {
    std::size_t run = 1;
    while (run < addresses.size() && addresses[run] - addresses[run - 1] == bytes) ++run;
    if (run < 2 || run == addresses.size()) return std::nullopt;
    const std::int64_t stride = addresses[run] - addresses[0];
    for (std::size_t i = run; i < addresses.size(); ++i)
        if (addresses[i] - addresses[i - run] != stride) return std::nullopt;
    return AccessPattern{PatternKind::rows, stride, static_cast<std::uint32_t>(run)};
}

}  // namespace

std::string_view pattern_name(PatternKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::optional<PatternKind> find_pattern(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<PatternKind>(found - names.begin());
}

AccessPattern pattern_of(const Request& request) {
    std::vector<std::int64_t> addresses;
    std::vector<int> lanes;
    request.mask.for_each([&](int lane) {
        addresses.push_back(static_cast<std::int64_t>(request.addresses[lane]));
        lanes.push_back(lane);
    });
    if (addresses.size() < 2) return {};
    // Per lane, so that lanes that are not active leave a hole and no other stride.
    const std::int64_t first = addresses[1] - addresses[0], apart = lanes[1] - lanes[0];
    const std::int64_t stride = first / apart;
    bool linear = first % apart == 0;
    for (std::size_t i = 1; linear && i < addresses.size(); ++i)
        linear = addresses[i] - addresses[0] == stride * (lanes[i] - lanes[0]);
    const auto bytes = static_cast<std::int64_t>(request.bytes);
    if (linear) {
        if (stride == 0) return {PatternKind::same, 0, 0};
        if (stride == bytes || stride == -bytes) return {PatternKind::packed, stride, 0};
        return {PatternKind::strided, stride, 0};
    }
    return rows_of(addresses, bytes).value_or(AccessPattern{PatternKind::scattered, 0, 0});
}

void PatternCost::keep_worse(const PatternCost& other) {
    if (pattern == other.pattern)
        requests += other.requests, surplus += other.surplus;
    else if (other.surplus > surplus || requests == 0)
        *this = other;
}

void Patterns::add(const PatternCost& cost) {
    const auto find = [&](const AccessPattern& pattern) {
        return std::find_if(costs_.begin(), costs_.end(),
                            [&](const PatternCost& known) { return known.pattern == pattern; });
    };
    if (cost.requests == 0) return;
    auto place = find(cost.pattern);
    if (place == costs_.end() && costs_.size() + 1 >= most) {
        const AccessPattern other{PatternKind::scattered, 0, 0};
        place = find(other);
        if (place == costs_.end()) place = costs_.insert(costs_.end(), {other, 0, 0});
    } else if (place == costs_.end()) {
        place = costs_.insert(costs_.end(), {cost.pattern, 0, 0});
    }
    place->requests += cost.requests;
    place->surplus += cost.surplus;
}

void Patterns::add(const Patterns& other) {
    for (const PatternCost& cost : other.costs_) add(cost);
}

PatternCost Patterns::worst() const {
    PatternCost worst;
    for (const PatternCost& cost : costs_) worst.keep_worse(cost);
    return worst;
}

}  // namespace lockstep::counters
