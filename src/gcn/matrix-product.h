// Which product of matrices an instruction makes. Names are v_mfma_f32_32x32x8f16: D and C of f32, 32 rows,
// 32 columns, 8 products for each; several such blocks at once where a wavefront's registers hold more than
// one. Newer GPUs write v_mfma_f32_16x16x32_fp8_bf8, with the types of A and of B, and have v_smfmac_*: of
// each four neighbours of a row of A two are zero, and not there.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "gcn/module.h"

namespace lockstep::gcn {

// fp8, bf8: four and five bits of exponent, with neither infinities nor -0 (CDNA 3). xf32: f32 of which ten
// bits of fraction count.
enum class MatrixType : std::uint8_t { f32, f16, bf16, i8, f64, fp8, bf8, xf32 };
std::uint32_t bytes_of(MatrixType type);

struct MatrixProduct {
    MatrixType type = MatrixType::f32, other = MatrixType::f32;  // of A and of B
    std::uint32_t size = 0, depth = 0;                           // rows and columns; products
    std::uint32_t blocks = 0;
    bool sparse = false;

    // Of B, that a lane holds; of A as many, and half of them where it is sparse.
    std::uint32_t lane_elements() const { return size * depth * blocks / 64; }
    // Registers of an element of C and D.
    std::uint32_t sum_words() const { return type == MatrixType::f64 ? 2 : 1; }
    // Products and sums that are made: not those with zeros that are not there.
    std::uint64_t operations() const {
        return std::uint64_t{2} * size * size * blocks * (sparse ? depth / 2 : depth);
    }
    // That the matrix unit is busy, as AMD's matrix instruction calculator has them for CDNA 1, 2 and 3
    // (github.com/ROCm/amd_matrix_instruction_calculator).
    std::uint32_t cycles(std::string_view target) const;
};

// Nothing: it is none, or its registers do not fit its name.
std::optional<MatrixProduct> matrix_product(const Instruction& instruction);

}  // namespace lockstep::gcn
