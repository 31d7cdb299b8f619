// The machine view: what the hardware would issue for a kernel. PTX is not what a GPU executes; ptxas turns
// short branches into predicates, folds addresses and constants, unrolls loops and expands division. The view
// holds, for each block of the kernel IR, the machine instructions that stand for it, so that counts of
// executed blocks become the counts that a GPU's own counters show.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/model.h"
#include "kernel/ir.h"
#include "kernel/kernel.h"
#include "machine/opcode.h"

namespace lockstep::machine {

struct Instruction {
    Opcode opcode = Opcode::nop;
    std::uint16_t issues = 1;    // machine instructions that it stands for: an expanded division has many
    std::uint16_t branches = 0;  // branch instructions among them, conditional or not
    // The PTX that it comes from: an index into the block's instructions, or their number for the terminator.
    // -1: added by the machine (the kernel's prologue, reconvergence).
    std::int32_t ptx = -1;
    // A memory access: bytes a lane. Several neighbouring PTX accesses may have become one wide access; then
    // it stands at the first of them, and the others have no instruction.
    std::uint16_t access_bytes = 0;
    std::uint16_t times = 1;  // its unit is busy for so many products of its smallest size
    // Several instructions of which many do not wait for the one before: latencies of the unit that pass
    // between two of them on average. 0: one.
    float waits = 0;
    bool guarded = false;  // the PTX instruction has a predicate of its own
    // The PTX instruction, a choice between its result and another value, that it is one with: it is issued
    // under that one's predicate. -1: none.
    std::int32_t chosen_at = -1;
    bool once_a_trip =
        false;  // loop overhead: a loop that was unrolled issues it once for as many turns as it has at once
    bool on_divergence =
        false;  // reconvergence of a second path: only where the block's branch split the warp
    // Asks on the way into a loop that was unrolled how many turns are left: the block where that loop ends.
    kernel::BlockId asks_for = kernel::no_block;
    bool of_swap = false;  // of the loop that an atomic becomes (swap-loops.h), besides the atomic

    const OpcodeRow& row() const { return row_of(opcode); }
};

// A value that goes to local memory, or comes back, because there are not enough registers.
struct Spill {
    std::int32_t before = 0;  // the PTX instruction that it stands before, as Instruction::ptx
    std::uint16_t slot = 0;   // where in the thread's memory for it, in words
    kernel::RegId value = 0;
    std::uint8_t bytes = 4;
    bool load = false;
    Opcode opcode() const { return load ? Opcode::ldl : Opcode::stl; }
};

// What becomes of turns that a loop of several at once leaves over.
enum class Rest : std::uint8_t {
    loop,    // half as many at once, then the loop as it was
    one,     // half as many at once, then one more: no branch behind it
    copies,  // as many copies as are known to be left
    none,    // the whole loop is straight code, which no branch ends
};

// A loop that ptxas unrolled again.
struct Unrolling {
    std::uint32_t turns = 1;  // that are issued together
    Rest rest = Rest::loop;
    // Half as many, and the one more, are issued under a predicate, whatever is left.
    bool half_predicated = false, last_predicated = false;
};

struct Block {
    // The block whose entry issues this code: itself, or the one into whose code it was predicated. Then the
    // code is issued on every entry there, and its lanes are on only where this block is entered.
    kernel::BlockId issued_with = 0;
    bool has_branch = false;  // that of its end is one of the machine's, not a predicate
    std::vector<Instruction> code;
    std::vector<Spill> spills;
    // Of a loop that was unrolled: how, the block from which it is entered, and the one where it ends.
    Unrolling unrolling;
    kernel::BlockId loop_entry = 0, loop_end = 0;
};

struct View {
    std::vector<Block> blocks;      // one for each block of the kernel IR
    std::uint32_t registers = 0;    // a thread, as ptxas would allocate them: an estimate
    std::uint32_t value_room = 0;   // registers that values may take while ptxas puts code into order
    std::vector<int> value_costs;   // by register of the kernel: those that its value takes
    std::uint32_t array_bytes = 0;  // of the thread's local variables: arrays that are registers

    // Bytes of all spills, as ptxas tells them: each once, however often it is executed.
    std::uint32_t spill_stores() const;
    std::uint32_t spill_loads() const;
    std::uint32_t spill_frame() const;  // bytes of a thread's memory for them
};

struct Options {
    bool optimise = true;               // false: as -G compiles, nothing predicated, folded or unrolled
    std::uint32_t max_registers = 255;  // __launch_bounds__, -maxrregcount, the GPU
};

View look(const kernel::Function& function, const gpu::GpuModel& gpu, const Options& options,
          const kernel::PassTap& tap = {});
// Of all its functions.
std::vector<View> look(const kernel::Kernel& kernel, const gpu::GpuModel& gpu, const Options& options,
                       const kernel::PassTap& tap = {});

// 128-byte passes over shared memory in which a whole warpgroup's product (wgmma) reads a, where it is there,
// and b: lines of 32 bytes along k, of a sparse product's b two.
int group_wavefronts(const ptx::Instruction& product);

// What a block's instructions are called that stand for each of its `instructions` of PTX: "IMAD.WIDE, LDG",
// "DIV x24". Before these what the machine adds at the beginning, behind them what stands at the end.
std::vector<std::string> mnemonics(const Block& block, std::size_t instructions);

// The view as a listing: a line an instruction, under the PTX that it stands for.
std::string to_string(const View& view, const kernel::Function& function);

}  // namespace lockstep::machine
