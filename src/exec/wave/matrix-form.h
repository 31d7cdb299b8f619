// A product of matrices with its instruction's modifiers, as compiled code says it to wave_mfma.
#pragma once
#include <cstdint>

#include "gcn/matrix-product.h"

namespace lockstep::exec::wave {

struct MatrixForm {
    gcn::MatrixProduct product;
    std::uint32_t group = 0, chosen = 0;  // cbsz, abid: 2^group blocks take A from one of them
    std::uint32_t lane_pattern = 0;       // blgp: whose elements of B a lane has
    std::uint32_t negated = 0;            // neg: of doubles, bit 0 A, 1 B, 2 C
    std::uint32_t index_set = 0;  // of a sparse A: which part of the index register says what is there

    constexpr std::uint64_t number() const {
        return static_cast<std::uint64_t>(product.type) | static_cast<std::uint64_t>(product.other) << 4 |
               std::uint64_t{product.size} << 8 | std::uint64_t{product.depth} << 16 |
               std::uint64_t{product.blocks} << 24 | std::uint64_t{product.sparse} << 32 |
               std::uint64_t{group} << 36 | std::uint64_t{chosen} << 40 | std::uint64_t{lane_pattern} << 48 |
               std::uint64_t{negated} << 52 | std::uint64_t{index_set} << 56;
    }
    static constexpr MatrixForm of(std::uint64_t number) {
        const auto field = [&](int shift, std::uint32_t mask) {
            return static_cast<std::uint32_t>(number >> shift) & mask;
        };
        return {{static_cast<gcn::MatrixType>(field(0, 15)), static_cast<gcn::MatrixType>(field(4, 15)),
                 field(8, 255), field(16, 255), field(24, 255), field(32, 1) != 0},
                field(36, 15),
                field(40, 15),
                field(48, 7),
                field(52, 7),
                field(56, 15)};
    }
};

extern "C" {
// Words of all lanes, one register behind the other; `c` becomes the result. `index`: of a sparse A, else
// null. EXEC does not count.
void wave_mfma(std::uint64_t form, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* index,
               std::uint32_t* c);
}

}  // namespace lockstep::exec::wave
