// The machine view: what the hardware would issue for a kernel. PTX is not what a GPU executes; ptxas turns
// short branches into predicates, folds addresses and constants, and expands division. The view holds, for
// each block of the kernel IR, the machine instructions that stand for it, so that counts of executed blocks
// become the counts that a GPU's own counters show.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/model.h"
#include "kernel/ir.h"

namespace lockstep::machine {

enum class Pipe : std::uint8_t {
    alu,   // integer, logic, comparisons
    fma,   // float and integer multiply-add
    half,  // packed 16-bit arithmetic
    fp64,
    xu,   // square roots, sines, conversions
    lsu,  // loads, stores, atomics, shuffles
    texture,
    uniform,   // the scalar datapath
    branch,    // branches, exits, reconvergence, barriers
    constant,  // loads from the constant bank, special registers
    tensor,
};

struct Instruction {
    std::string mnemonic;  // "IMAD.WIDE", for people
    Pipe pipe = Pipe::alu;
    std::uint32_t issues = 1;  // machine instructions that it stands for: an expanded division has many
    // The PTX that it comes from: an index into the block's instructions, or their number for the terminator.
    // -1: added by the machine (the kernel's prologue, reconvergence).
    std::int32_t ptx = -1;
    bool predicated = false;  // issued with a predicate of its own or of its block
};

struct Block {
    // The block whose entry issues this code: itself, or the one into whose code it was predicated. Then the
    // code is issued on every entry there, and its lanes are on only where this block is entered.
    kernel::BlockId issued_with = 0;
    std::vector<Instruction> code;
    // A conditional branch that the machine executes as one, at the end of this block. Predicated code and
    // predicated exits are none.
    bool branches = false;

    std::uint32_t issues() const {
        std::uint32_t sum = 0;
        for (const Instruction& instruction : code) sum += instruction.issues;
        return sum;
    }
};

struct View {
    std::vector<Block> blocks;      // one for each block of the kernel IR
    std::uint32_t registers = 0;    // a thread, as ptxas would allocate them (an estimate)
    std::uint32_t spill_bytes = 0;  // a thread: what did not fit under the register limit
};

struct Options {
    bool optimise = true;               // false: as -O0 or -G compile, nothing predicated or folded
    std::uint32_t max_registers = 255;  // __launch_bounds__, -maxrregcount, the GPU
};

View look(const kernel::Function& function, const gpu::GpuModel& gpu, const Options& options);

// The view as a listing, a line an instruction.
std::string to_string(const View& view, const kernel::Function& function);

}  // namespace lockstep::machine
