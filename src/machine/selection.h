// Instruction selection in the making: for every PTX instruction the machine instruction that it becomes, or
// none where another one takes it in. The passes below each know one reason why ptxas needs fewer (or more)
// instructions than PTX has.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "kernel/ir.h"
#include "kernel/shapes.h"
#include "machine/generation.h"
#include "machine/uses.h"
#include "machine/view.h"

namespace lockstep::machine {

struct Choice {
    Opcode opcode = Opcode::nop;
    int issues = 1;  // 0: folded into another instruction, or no work at all
    int branches = 0;
    int access_bytes = 0;
    int times = 1;                // that its unit is busy: Instruction::times
    float waits = 0;              // Instruction::waits
    std::int32_t chosen_at = -1;  // Instruction::chosen_at

    const OpcodeRow& row() const { return row_of(opcode); }
};

// Eight bytes of the parameters that a block loads.
struct ConstantLoad {
    std::uint64_t place = 0;  // in units of eight bytes
    bool wide = false;        // one value, not one or two of 32 bits
    auto operator<=>(const ConstantLoad&) const = default;
};

struct Selection {
    Selection(const kernel::Function& function, const kernel::Shapes& shapes, Generation generation);

    const kernel::Function& function;
    const kernel::Shapes& shapes;
    Generation generation;
    Uses uses;
    std::vector<std::vector<Choice>> choices;         // by block and instruction
    std::vector<std::vector<Instruction>> additions;  // by block: what no PTX instruction stands for
    // By block: the shared variables whose addresses are made there; any_shared for an access that names one.
    std::vector<std::set<std::uint32_t>> windows;
    static constexpr std::uint32_t any_shared = ~0u;
    std::uint32_t first_shared = any_shared;  // the shared variable that lies where the window begins
    // By block: parameters that it needs, besides those whose PTX instruction stands there.
    std::vector<std::set<ConstantLoad>> constant_loads, constants_at_hand;
    // By block whose question became part of a branch by a table: the first of these (jump-tables.cc).
    std::vector<kernel::BlockId> tables;
    std::vector<int> double_constants;  // by block: that are made there (constants.cc)
    int array_registers = 0;            // that hold arrays of local memory …
    std::uint32_t array_bytes = 0;      // … which are not in memory any more

    Choice& at(Place place) { return choices[place.block][static_cast<std::size_t>(place.index)]; }
    void fold(Place place) { at(place).issues = 0; }
    bool folded(Place place) { return at(place).issues == 0; }

  private:
    void find_first_shared();
};

// Whether the access names shared memory, its block's own.
inline bool is_shared(const ptx::Instruction& access) {
    return access.has(ptx::Modifier::shared) || access.has(ptx::Modifier::shared_cta);
}

// Instructions that make the addresses of shared variables, Selection::windows of one block of the machine.
int window_issues(const Selection& selection, const std::set<std::uint32_t>& variables);

// An approximation that scales its operand under a condition.
bool scales_operand(const ptx::Instruction& instruction);

// The register is only the base of accesses (whose offset field takes constants).
bool only_addresses(Selection& selection, kernel::RegId reg);

// Beside each PTX instruction what it becomes so far.
std::string to_string(const Selection& selection);

// Whether a branch to the block is a way out of the kernel: the block only leaves, or only jumps to one that
// does (clang writes conditional branches as two).
bool leads_out(const kernel::Function& function, kernel::BlockId block);
// Nothing but the other way out of a conditional branch.
bool follows_branch(const kernel::Function& function, kernel::BlockId block);

// Whether every turn of the loop comes through the block. `idom`: kernel::dominators of the function.
bool is_every_turn(const kernel::Function& function, const std::vector<kernel::BlockId>& idom,
                   const kernel::Loop& loop, kernel::BlockId block);

// What an instruction becomes by itself (instructions.cc), with division, roots and the like expanded
// (expand.cc).
Choice plain_choice(const ptx::Instruction& instruction, const ptx::Module& module,
                    const Generation& generation);

void fold_addresses(Selection& selection);         // offsets into accesses, mul.wide + add into IMAD.WIDE
void keep_local_arrays(Selection& selection);      // small arrays of local memory in registers
void fold_wide(Selection& selection);              // halves of 64-bit values that need no work
void fold_narrow(Selection& selection);            // bytes and halves: taken out of words, put into them
void fold_disjoint(Selection& selection);          // a | b << n without a bit in common: LEA
void fold_logic(Selection& selection);             // LOP3
void fold_arithmetic(Selection& selection);        // IADD3, LEA, FFMA, IMAD
void fold_predicates(Selection& selection);        // and.pred into ISETP.AND
void fold_repeated(Selection& selection);          // what was computed before of the same values
void scale_operands(Selection& selection);         // of approximations: once, or into another register
void make_jump_tables(Selection& selection);       // of a `switch`
void load_constants(Selection& selection);         // parameters, special registers, addresses of variables
void make_double_constants(Selection& selection);  // in two registers, where they are needed
void make_single_constants(Selection& selection);  // where one instruction reads two of 32 bits
void join_atomics(Selection& selection);           // one lane acts for all that have one address
void add_swap_loops(Selection& selection);  // that atomics become, and what loops need that wait for others
void merge_accesses(Selection& selection);  // neighbouring loads from shared memory into LDS.64 and LDS.128

}  // namespace lockstep::machine
