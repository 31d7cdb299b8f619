#include "machine/slow-ways.h"

#include <algorithm>
#include <array>

namespace lockstep::machine {
namespace {

using kernel::SlowPath;
using kernel::SlowWay;

constexpr std::uint32_t bit(SlowPath path) { return 1u << static_cast<unsigned>(path); }
constexpr std::uint32_t bit(std::uint32_t paths) { return paths; }
template <class... Paths>
constexpr std::uint32_t paths_of(Paths... paths) {
    return (bit(paths) | ...);
}

// A way's parts follow each other.
constexpr auto rows = [] {
    using enum SlowPath;
    constexpr std::uint32_t ALL = ((1u << kernel::slow_paths) - 1) & ~bit(usual);
    return std::to_array<SlowPart>({
#define LOCKSTEP_SLOW_PART(way, opcode, issues, branches, ...) \
    {Opcode::opcode, issues, branches, paths_of(__VA_ARGS__)},
#include "machine/slow-ways.def"
#undef LOCKSTEP_SLOW_PART
    });
}();
constexpr auto ways = std::to_array<SlowWay>({
#define LOCKSTEP_SLOW_PART(way, opcode, issues, branches, ...) SlowWay::way,
#include "machine/slow-ways.def"
#undef LOCKSTEP_SLOW_PART
});
static_assert(std::ranges::is_sorted(ways));

}  // namespace

std::span<const SlowPart> slow_parts(SlowWay way) {
    const auto found = std::ranges::equal_range(ways, way);
    return std::span(rows).subspan(static_cast<std::size_t>(found.begin() - ways.begin()), found.size());
}

}  // namespace lockstep::machine
