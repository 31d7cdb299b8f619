// The operands of a case: edge values against edge values, then random ones. They depend on the case's name
// alone, so recordings hold results only.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/cases.h"

namespace lockstep::golden {

// That many ones.
inline std::uint64_t mask_of(int bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

struct Inputs {
    std::vector<std::vector<std::uint8_t>> operands;  // raw bytes, `elements` values each
    std::uint64_t hash = 0;

    std::uint64_t value(const Case& c, std::size_t operand, int element) const;
};

Inputs make_inputs(const Case& c);

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0xcbf29ce484222325);

}  // namespace lockstep::golden
