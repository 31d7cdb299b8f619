// Which product of matrices a v_mfma_* instruction is, as compiled code says it to wave_mfma. Names are
// v_mfma_f32_32x32x8f16: D and C of f32, 32 rows, 32 columns, 8 products for each; several such blocks at
// once where a wavefront's registers hold more than one. Newer GPUs write v_mfma_f32_16x16x32_fp8_bf8, with
// the types of A and of B.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::exec::wave {

// fp8, bf8: four and five bits of exponent, with neither infinities nor -0 (CDNA 3).
enum class MatrixType : std::uint8_t { f32, f16, bf16, i8, f64, fp8, bf8 };

struct MatrixForm {
    MatrixType type = MatrixType::f32, other = MatrixType::f32;  // of A and of B
    std::uint32_t size = 0, depth = 0;                           // rows and columns; products
    std::uint32_t blocks = 0;
    std::uint32_t lane_elements = 0;      // of A, and of B, that a lane holds
    std::uint32_t group = 0, chosen = 0;  // cbsz, abid: 2^group blocks take A from one of them
    std::uint32_t lane_pattern = 0;       // blgp: whose elements of B a lane has

    // Registers of an element of C and D.
    constexpr std::uint32_t sum_words() const { return type == MatrixType::f64 ? 2 : 1; }

    constexpr std::uint64_t number() const {
        return static_cast<std::uint64_t>(type) | static_cast<std::uint64_t>(other) << 4 |
               std::uint64_t{size} << 8 | std::uint64_t{depth} << 16 | std::uint64_t{blocks} << 24 |
               std::uint64_t{lane_elements} << 32 | std::uint64_t{group} << 40 | std::uint64_t{chosen} << 48 |
               std::uint64_t{lane_pattern} << 56;
    }
    static constexpr MatrixForm of(std::uint64_t number) {
        const auto field = [&](int shift) { return static_cast<std::uint32_t>(number >> shift & 0xff); };
        return {static_cast<MatrixType>(field(0) & 15),
                static_cast<MatrixType>(field(0) >> 4),
                field(8),
                field(16),
                field(24),
                field(32),
                field(40),
                field(48),
                field(56)};
    }
};

// `registers`: that hold a lane's elements of A. Nothing: lockstep has no such instruction.
std::optional<MatrixForm> matrix_form(std::string_view name, std::uint32_t registers);

extern "C" {
// Words of all lanes, one register behind the other; `c` becomes the result. EXEC does not count.
void wave_mfma(std::uint64_t form, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* c);
}

}  // namespace lockstep::exec::wave
