// A module of AMD's machine code, as LLVM's assembler writes it: kernels with their instructions and what the
// hardware is told of them, functions, and variables with their bytes. Plain values; parse.h makes them.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lockstep::gcn {

// What an operand names.
struct Operand {
    enum class Kind : std::uint8_t {
        none,    // `off`, `null`
        vector,  // v3, v[2:5]
        accumulator,
        scalar,  // s3, s[2:5]; also flat_scratch, xnack_mask, ttmp by numbers of their own
        vcc,     // `part` says which half, where it is one
        exec,
        m0,
        scc,
        integer,  // a literal or an inline constant
        floating,
        shared_base,  // src_shared_base: where the LDS begins among flat addresses, and so on
        shared_limit,
        private_base,
        private_limit,
        symbol,  // of a variable or function, in a literal: `part` 0 its lower half, 1 its upper one
        label,   // of a branch
        hardware_register,
    };
    Kind kind = Kind::none;
    std::uint16_t first = 0;  // register
    std::uint8_t count = 1;   // of registers
    std::int8_t part = -1;    // vcc_lo: 0, vcc_hi: 1; -1: both
    bool negative = false, absolute = false, sign_extended = false;
    bool hexadecimal = false;    // a literal that stands for bits: 0x3f800000
    bool through_table = false;  // the symbol's entry in the table of addresses (gotpcrel), not itself
    std::int64_t integer = 0;    // also what is added to a symbol, and a hardware register's number
    double floating = 0;
    std::string name;  // symbol, label

    bool is_register() const {
        return kind == Kind::vector || kind == Kind::accumulator || kind == Kind::scalar;
    }
};

struct Instruction {
    std::string name;  // without _e32, _e64, _sdwa, _dpp
    std::string text;  // all of it
    std::vector<Operand> operands;
    std::map<std::string, std::vector<std::int64_t>, std::less<>> modifiers;  // offset:16, op_sel:[0,1], glc
    bool sdwa = false, dpp = false;
    bool joined = false;  // the second half of a pair (v_dual_*): one instruction with the one before
    int text_line = 0;  // of the assembly
    int source = -1;    // into Module::lines

    bool has(std::string_view modifier) const { return modifiers.find(modifier) != modifiers.end(); }
    // The modifier's first number; `otherwise` where it is not there.
    std::int64_t value(std::string_view modifier, std::int64_t otherwise = 0) const {
        const auto found = modifiers.find(modifier);
        return found == modifiers.end() || found->second.empty() ? otherwise : found->second[0];
    }
};

// What counters and time ask of an instruction: the unit that executes it.
enum class Unit : std::uint8_t {
    valu,
    mfma,  // matrix products, on the VALU's ports
    salu,
    smem,  // loads through the scalar cache
    load,  // VMEM: global, flat, buffer, scratch
    store,
    atomic,
    lds,
    branch,
    message,   // s_sendmsg
    internal,  // waits, nops, barriers: no unit
};
inline constexpr int unit_count = 11;
Unit unit_of(const Instruction& instruction);

struct SourceLine {
    int file = 0;  // into Module::files
    int line = 0;
};

// From one place that can be jumped to, or after a write of the exec mask, to the next: all its instructions
// run with the same lanes.
struct Segment {
    std::uint32_t first = 0, count = 0;  // instructions
};

struct Code {
    std::string name;
    std::vector<Instruction> instructions;
    std::map<std::string, std::uint32_t, std::less<>> labels;  // to an instruction
    int text_line = 0;
    // Of a kernel: itself, and the functions behind it that it may call (called-functions.h).
    struct Part {
        std::uint32_t number = 0, first = 0;  // its code address's, and its first instruction
    };
    std::vector<Part> parts;
    bool jumps_by_register = false;  // calls, or jumps further than a branch reaches
};

struct Parameter {
    std::uint32_t offset = 0, size = 0;
    std::string kind;  // "by_value", "global_buffer", "hidden_block_count_x" …
    bool hidden() const { return kind.starts_with("hidden_"); }
};

struct Kernel {
    Code code;
    std::map<std::string, std::int64_t, std::less<>> descriptor;  // .amdhsa_*, without that
    std::vector<Parameter> parameters;
    std::uint32_t kernarg_bytes = 0;
    std::uint32_t lds_bytes = 0, scratch_bytes = 0;
    std::uint32_t vgprs = 0, agprs = 0, sgprs = 0;
    std::uint32_t sgpr_spills = 0, vgpr_spills = 0;
    std::uint32_t most_threads = 1024;  // of a work-group

    std::int64_t described(std::string_view key, std::int64_t otherwise = 0) const {
        const auto found = descriptor.find(key);
        return found == descriptor.end() ? otherwise : found->second;
    }
};

// The address of another symbol in a variable's bytes.
struct Relocation {
    std::uint64_t offset = 0;
    std::string symbol;
    std::int64_t addend = 0;
    std::uint8_t bytes = 8;
};

struct Variable {
    std::string name;
    std::uint64_t size = 0, alignment = 1;
    std::vector<std::uint8_t> bytes;  // what is not there is zero
    std::vector<Relocation> relocations;
    bool read_only = false;
};

struct Module {
    std::string name;    // for messages
    std::string target;  // "gfx908"
    int wave_lanes = 64;
    std::vector<Kernel> kernels;
    std::vector<Code> functions;  // that kernels may call
    std::vector<Variable> variables;
    std::vector<std::string> files;
    std::vector<SourceLine> lines;

    const Kernel* find_kernel(std::string_view name) const;
};

}  // namespace lockstep::gcn
