// How a warp moves a matrix between memory and registers (wmma.load, wmma.store): the accesses that a GPU
// makes of it, as recorded on an H200. Two 16-bit elements travel as a word, in whichever direction the
// matrix stands: where that is not the registers' own, blocks of 8 by 8 are turned after the load (MOVM).
// Bytes that do not stand side by side travel alone.
#pragma once
#include <array>
#include <vector>

#include "ptx/ast.h"

namespace lockstep::kernel {

struct MatrixUnit {
    int bytes = 0;
    int reg = 0;          // that it is for, or the first of two
    int shift = 0;        // of a byte in its register
    bool turned = false;  // a block of 8 by 8 halves whose rows are the registers' columns
    // For each lane: which line of the matrix in memory, and which element there.
    std::array<int, 32> line{}, element{};
};

std::vector<MatrixUnit> matrix_units(const ptx::Instruction& instruction);

// The registers that hold something; further ones hold the same again.
int distinct_registers(const ptx::Instruction& instruction);

}  // namespace lockstep::kernel
