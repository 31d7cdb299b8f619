// A function ready for analysis and compilation: calls inlined, parameters of inlined calls turned into
// registers, and the instructions cut into basic blocks. An instruction keeps its PTX form; operands index
// this function's tables.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kernel/passes.h"
#include "ptx/ast.h"

namespace lockstep::kernel {

using RegId = std::uint32_t;
using BlockId = std::uint32_t;

struct Terminator {
    enum class Kind : std::uint8_t {
        jump,    // targets[0]
        branch,  // guard true: targets[0], else targets[1]
        table,   // targets[index]
        ret,     // from a function; from an entry the same as exit
        exit,
        unreachable,  // after a trap or a call that does not return
    };
    Kind kind = Kind::unreachable;
    std::optional<ptx::Guard> guard;
    ptx::Operand index;  // table
    std::vector<BlockId> targets;
    bool has_instruction = false;  // false: falls through, no instruction is executed
    int line = 0, source = -1;
};

struct Block {
    std::vector<ptx::Instruction> instructions;
    Terminator terminator;
    std::vector<BlockId> predecessors;
    int loop = -1;          // innermost loop, an index into Function::loops
    bool is_latch = false;  // added so that a loop has one back edge
};

struct Loop {
    BlockId header = 0;
    int parent = -1;
    std::vector<bool> contains;  // by block
};

// How bytes of a `.param` variable that passes values between functions live in registers.
struct ParamSlot {
    std::uint32_t offset = 0;
    ptx::Type type{};  // b8 … b64
    RegId reg = 0;
};

struct Function {
    const ptx::Module* module = nullptr;
    std::uint32_t index = 0;  // in module->functions
    std::string name;
    bool entry = false;
    std::vector<ptx::Register> registers;
    std::vector<ptx::Variable> variables;
    std::vector<std::uint32_t> params, returns;             // into variables
    std::map<std::uint32_t, std::vector<ParamSlot>> slots;  // by variable: call parameters held in registers
    std::vector<Block>
        blocks;  // in priority order: a block comes after all that can reach it, back edges apart
    std::vector<Loop> loops;

    // Local memory a thread needs: where each variable of Space::local lies in its frame.
    std::map<std::uint32_t, std::uint32_t> local_offsets;
    std::uint32_t local_bytes = 0;
};

// Whether the engine runs `name`, which has no body in the module, itself (vprintf, malloc, __nv_sinf …).
using ExternalTest = bool (*)(const std::string& name);

// Builds the function with all direct, non-recursive calls inlined. Fails on calls to functions that exist
// nowhere.
Result<Function> build(const ptx::Module& module, std::uint32_t function, ExternalTest is_external,
                       const PassTap& tap = {});

// Barriers and *.sync instructions: lanes wait for each other there.
bool is_sync_point(const ptx::Instruction& instruction);
// A barrier for the whole block.
bool is_block_barrier(const ptx::Instruction& instruction);

}  // namespace lockstep::kernel
