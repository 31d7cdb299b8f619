// What matrix instructions are recorded with. The registers of a warp's fragments stand operand by operand,
// in each lane by lane; warps go through ways to fill them, so that there are sums of addends that are near
// each other, far apart, cancel, are special or subnormal.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::golden {

// "f16x4": four registers a lane that hold numbers of a format. The last of three operands is the
// accumulator. "tiny-f16x4": zeros and the smallest numbers there are; in every other warp all products and
// accumulators are negative.
struct Fragment {
    // f16 bf16 tf32 f32 f64 e4m3 e5m2 integer; indices, pairs: a sparse matrix's metadata
    std::string format;
    std::uint32_t registers = 0;
    bool tiny = false;
};

Fragment parse_fragment(const std::string& word);  // throws std::runtime_error

std::vector<std::uint32_t> fragment_words(const std::vector<Fragment>& operands, std::uint32_t warps,
                                          std::uint64_t seed);

}  // namespace lockstep::golden
