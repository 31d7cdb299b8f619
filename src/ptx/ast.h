// The syntax tree of a PTX module, with every name resolved: registers, variables, labels and functions are
// indices into their owner's tables, so that later stages never look at spelling.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/matrix-shape.h"
#include "ptx/modifiers.h"
#include "ptx/special-registers.h"
#include "ptx/table.h"
#include "ptx/types.h"

namespace lockstep::ptx {

// What `.loc` says of an instruction: the user's source line. `function`/`inlined_at` come from nvcc's
// `function_name` and `inlined_at` attributes: an index into Module::lines, or -1.
struct SourceLine {
    int file = 0;  // index into Module::files, as numbered by `.file`; 0 = none
    int line = 0;
    int column = 0;
    int inlined_at = -1;
    std::string function;
    bool operator==(const SourceLine&) const = default;
};

// The part of a register that a video instruction names: .b0, .h1, .h10, .b3210. lanes[0] is the digit
// written last, that is, what goes to the least significant byte or half.
struct Selector {
    enum class Unit : std::uint8_t { none, byte, half } unit = Unit::none;
    std::uint8_t count = 0;
    std::array<std::uint8_t, 4> lanes{};
    bool operator==(const Selector&) const = default;
};

struct Operand {
    enum class Kind : std::uint8_t {
        none,
        reg,        // id = index into Function::registers; `negated` for !%p
        special,    // id = SpecialRegister
        integer,    // bits, sign-extended to 64
        f32,        // bits (low 32), from 0f… or a decimal in an f32 context
        f64,        // bits
        variable,   // id = index into Module::variables (local == false) or Function::variables (local ==
                    // true)
        function,   // id = index into Module::functions
        label,      // id = index into Function::labels
        table,      // id = index into Function::branch_tables (brx.idx)
        prototype,  // id = index into Function::prototypes (indirect call)
        address,    // elements[0] = base (reg, variable, integer or special), offset
        vector,     // elements: {a, b, c, d}
        list,       // elements: the (…) of a call
        pair,       // elements: d|p of setp, shfl, match
        sink,       // _
    };
    Kind kind = Kind::none;
    bool negated = false;  // !%p, or the minus that vmad allows
    bool local = false;
    Selector selector;  // video instructions only
    std::uint32_t id = 0;
    std::uint64_t bits = 0;
    std::int64_t offset = 0;  // address and variable operands: base + offset
    std::vector<Operand> elements;
    bool operator==(const Operand&) const = default;
};

struct Guard {
    std::uint32_t reg = 0;
    bool negated = false;
    bool operator==(const Guard&) const = default;
};

struct Instruction {
    Opcode opcode{};
    ModifierSet mods;               // every modifier that is not a type, e.g. .rn .ftz .global .sync
    std::array<Type, 4> types{};    // the type modifiers in order of writing, e.g. cvt.f32.s32 -> {f32, s32}
    MatrixShape shape;              // .m16n8k16
    std::vector<Operand> operands;  // in order of writing; call: returns list, callee, parameter list and, if
                                    // the callee is a register, the prototype, with empty lists filled in
    std::optional<Guard> guard;     // @%p / @!%p
    std::uint16_t row = 0;          // index into rows(): the syntax that it matched
    std::vector<std::string> words;  // the words as written, only where that row ends in .*
    bool no_unroll = false;  // .pragma "nounroll" stands before it: the loop that begins here is not unrolled
    int source = -1;         // index into Module::lines, or -1
    int line = 0;            // line and column in the PTX text
    int column = 0;

    Type type() const { return types[0]; }
    bool has(Modifier m) const { return mods.has(m); }
    const Row& syntax() const { return rows()[row]; }
};

// A `.reg` declaration's member.
struct Register {
    std::string name;  // with its %, unique in the function even where scopes shadow
    Type type = Type::none;
    bool operator==(const Register&) const = default;
};

enum class Space : std::uint8_t {
    none,
    constant,
    global,
    local,
    param,
    shared,
    texture,  // of instructions that name textures and surfaces; no variable lies there
};

// One element of an initialiser: a literal, or the address of a symbol (generic(sym)+offset).
struct InitElement {
    enum class Kind : std::uint8_t { bits, variable, function } kind = Kind::bits;
    bool generic = false;        // written as generic(symbol)
    std::uint32_t id = 0;        // variable / function index in the module
    std::uint64_t bits = 0;      // literal bits, or the addend
    std::uint64_t mask = ~0ull;  // for mask(…) byte selectors: 0xFF, 0xFF00 …
    bool operator==(const InitElement&) const = default;
};

enum class Linkage : std::uint8_t { none, external, visible, weak, common };

struct Variable {
    std::string name;
    Space space = Space::none;
    Type type = Type::none;
    int vector_width = 1;                // .v2/.v4
    std::uint64_t alignment = 0;         // 0: natural
    std::vector<std::uint64_t> extents;  // empty: scalar; 0 in the first: unsized (extern shared)
    std::vector<InitElement> init;
    Linkage linkage = Linkage::none;
    bool pointer_param = false;         // .ptr on an entry parameter
    Space pointer_space = Space::none;  // of .ptr; none: generic
    std::uint64_t pointer_alignment = 0;
    bool managed = false;  // .attribute(.managed)
    bool operator==(const Variable&) const = default;

    std::uint64_t element_size() const;  // bytes of one (vector) element
    std::uint64_t size() const;          // bytes in all; 0 if unsized
    std::uint64_t align() const;         // the explicit or natural alignment
};

struct Label {
    std::string name;
    std::uint32_t instruction = 0;  // index of the instruction that follows; their number, if none does
    bool operator==(const Label&) const = default;
};

struct BranchTable {  // .branchtargets
    std::string name;
    std::vector<std::uint32_t> labels;
    bool operator==(const BranchTable&) const = default;
};

struct Prototype {  // .callprototype, or .calltargets (the signature of its first function)
    std::string name;
    std::vector<Variable> returns, params;
    bool noreturn = false;
    bool operator==(const Prototype&) const = default;
};

struct Function {
    std::string name;
    bool entry = false;
    bool declaration = true;  // no body seen
    Linkage linkage = Linkage::none;
    bool noreturn = false;
    std::vector<std::uint32_t> returns;  // indices into variables, Space::param
    std::vector<std::uint32_t> params;   // indices into variables, Space::param
    std::vector<Register> registers;
    std::vector<Variable> variables;  // parameters, .local/.shared/.param variables declared inside
    std::vector<Label> labels;
    std::vector<BranchTable> branch_tables;
    std::vector<Prototype> prototypes;
    std::vector<Instruction> instructions;
    // Performance directives; 0: not given.
    std::array<std::uint32_t, 3> max_threads{};       // .maxntid
    std::array<std::uint32_t, 3> required_threads{};  // .reqntid
    std::uint32_t min_blocks_per_sm = 0;              // .minnctapersm
    std::uint32_t max_registers = 0;                  // .maxnreg
    std::array<std::uint32_t, 3> cluster{};           // .reqnctapercluster
    std::uint32_t max_cluster_rank = 0;               // .maxclusterrank
    bool explicit_cluster = false;                    // .explicitcluster
    bool blocks_are_clusters = false;                 // .blocksareclusters
    int alias_of = -1;                                // .alias: index into Module::functions of the real one
    int line = 0;
};

struct Module {
    std::string name;  // the file's name, for messages
    int version_major = 0, version_minor = 0;
    std::string target;  // "sm_90"
    std::vector<std::string> target_options;
    int address_size = 64;
    std::vector<std::string> files;  // index 0 unused
    std::vector<SourceLine> lines;   // distinct `.loc` places
    std::vector<Variable> variables;
    std::vector<Function> functions;
};

}  // namespace lockstep::ptx
