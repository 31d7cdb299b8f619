// Matrix products of a warp, on the registers of its lanes: which lane holds which element, and the product
// of what they hold. Registers stand as arrays of all lanes' values, one register after the other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/scalar/tensor-core.h"

namespace lockstep::exec {

// A product instruction, as compiled code hands it over: in 64 bits.
struct MatrixForm {
    enum class Layout : std::uint8_t { row, col };

    std::uint16_t m = 0, n = 0, k = 0;
    tensor::Element a{}, b{}, c{}, d{};
    Layout a_layout = Layout::row, b_layout = Layout::col;
    bool satfinite = false;
    bool exclusive_or = false;  // b1: .xor, not .and
    bool sparse = false;
    std::uint8_t selector = 0;  // of the lanes that hold a sparse matrix's metadata

    std::uint64_t pack() const;
    static MatrixForm unpack(std::uint64_t bits);
};

// The element along k that a sparse matrix' stored one stands for, as its metadata says.
int sparse_position(const std::uint32_t* metadata, const MatrixForm& form, int row, int stored);

// One product. wmma.mma is two or four of them.
extern "C" void lockstep_mma(std::uint64_t form, std::uint32_t* d, const std::uint32_t* a,
                             const std::uint32_t* b, const std::uint32_t* c, const std::uint32_t* metadata);

// wgmma's product of a warp's 16 rows. Matrices stand in shared memory as descriptors say, or a in registers.
struct WarpgroupOperands {
    const std::uint32_t* a_registers = nullptr;  // null: in memory
    const std::uint32_t* metadata = nullptr;     // of a sparse a
    std::uint64_t a = 0, b = 0;                  // descriptors
    std::uint32_t row = 0;                       // of a, the warp's first
    bool accumulate = true;                      // otherwise the sum begins with zero
    bool negate_a = false, negate_b = false;
    bool turn_a = false,
         turn_b = false;  // rows of a, or columns of b, stand side by side, not elements along k
};

// What is constant of them, in bits: accumulate, negate_a, negate_b, turn_a, turn_b.
WarpgroupOperands warpgroup_operands(std::uint32_t how);

constexpr int warpgroup_piece = 16;  // bytes that stay together

// The pieces of shared memory that are read, in order: offsets, each once.
std::vector<std::uint32_t> warpgroup_reads(const MatrixForm& form, const WarpgroupOperands& operands);

void warpgroup_product(const MatrixForm& form, const WarpgroupOperands& operands, const std::byte* shared,
                       std::uint32_t* d);

// Where each lane's element is: in its line of a matrix whose lines are `stride` elements apart.
extern "C" void lockstep_matrix_addresses(std::uint64_t start, std::uint32_t stride,
                                          std::uint32_t element_bits, const std::uint32_t* line,
                                          const std::uint32_t* element, std::uint64_t* out);

// Blocks of 8 by 8 halves, rows and columns exchanged: a lane's word is a pair of neighbours in a row.
extern "C" void lockstep_turn(const std::uint32_t* words, std::uint32_t* out);

}  // namespace lockstep::exec
