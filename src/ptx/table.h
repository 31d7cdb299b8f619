// The one instruction table. Each row of instructions.def is an opcode, its family, whether the engine
// executes it, and its syntax as the PTX manual writes it:
//
//     LOCKSTEP_INSTRUCTION(add, integer, yes, "add{.sat}.s32 d, a, b")
//
// {.x} is optional, {.x|.y} is an optional choice, (.x|.y) is a required choice, .<name> is a choice that
// words.def spells out, and a final .* stands for any words and any operands (only in rows that are not
// executed). The parser, the printer, the verifier, the JIT's dispatch and docs/ptx-support.md all read this
// table.
//
// The operand list names the operands. Those called d, p or q are written, all others are read; [a] is an
// address, {c} is optional, {!}c may be negated, {-}a may have a minus, d|p is a pair and d{|p} one whose
// second half may be missing. An operand has the instruction's first type unless a note follows its name:
//
//     a:2      the instruction's second type        d:u32    this type             d:wide   twice as wide
//     d:+ a:2+ that type or a wider register        a:any    not checked           a:imm    a constant
//     a:vec    {x, y} halves or quarters of it      a:sel    .b0-.b3 .h0 .h1       a:lanes  .h10, .b3210 …
//     a:frag   {x, y, …} the registers of a matrix: ptx/fragments.h
//     a:step   as many numbers as a texture of the instruction's geometry has coordinates
//
// [a; c] is a texture, surface or tensor and the coordinates of a point in it, with c's own note.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/matrix-shape.h"
#include "ptx/modifiers.h"
#include "ptx/types.h"

namespace lockstep::ptx {

enum class Opcode : std::uint16_t {
#define LOCKSTEP_OPCODE(name, spelling) name,
#include "ptx/opcodes.def"
#undef LOCKSTEP_OPCODE
    count
};

enum class Family : std::uint8_t {
    integer,   // add sub mul mad div rem abs neg min max sad, carry chains, dp4a
    bits,      // popc clz bfind brev bfe bfi prmt lop3 shf fns szext bmsk
    floating,  // f32 f64 arithmetic
    half,      // f16 bf16 and their pairs
    compare,   // set setp selp slct testp
    logic,     // and or xor not cnot shl shr
    move,      // mov cvta isspacep mapa
    convert,   // cvt
    memory,    // ld st ldu prefetch, cp.async
    atomic,    // atom red
    barrier,   // bar barrier membar fence mbarrier
    warp,      // shfl vote match activemask redux elect
    control,   // bra brx call ret exit
    texture,
    matrix,  // mma wmma wgmma ldmatrix stmatrix movmatrix
    video,   // vadd vset … simd-in-word
    misc,    // trap brkpt nanosleep pmevent
};

std::string_view family_name(Family family);
std::string_view opcode_name(Opcode opcode);                    // "mad"
std::optional<Opcode> parse_opcode(std::string_view spelling);  // the word before the first dot

// One slot of a row's syntax: the words that may stand there, types or modifiers.
struct Slot {
    bool optional = false;
    std::vector<Modifier> modifiers;
    std::vector<Type> types;
    std::vector<MatrixShape> shapes;
};

// One operand of a row's syntax. OperandSpec::type is Type::none where the instruction's types decide.
struct OperandSpec {
    enum class Shape : std::uint8_t {
        value,     // a register, a literal, a vector if a .v2/.v4/.v8 is present …
        address,   // [a]
        pack,      // {x, y}: parts of a whole
        fragment,  // {x, y, …}: a matrix
        list,      // (…) of a call
        function,  // the callee: a function or a register
        label,     // bra's target
        table,     // brx.idx's targets
        prototype,
        step,  // a texture's gradient
    };
    enum class Selector : std::uint8_t { none, part, lanes };

    std::string name;
    Shape shape = Shape::value;
    Selector selector = Selector::none;
    Type type = Type::none;
    std::uint8_t type_index = 0;  // into Instruction::types, where `type` is none
    bool optional = false;
    bool written = false;
    bool may_negate = false;  // !a
    bool may_minus = false;   // -a
    bool pair = false;        // d|p; the second half is a predicate
    bool half_pair = false;   // d{|p}: may also stand alone
    bool wider_register = false;
    bool twice_as_wide = false;
    bool unchecked = false;
    bool constant = false;
    bool coordinates = false;  // [a; c]; the note is theirs
};

struct Row {
    Opcode opcode{};
    Family family{};
    bool implemented = false;
    std::string_view syntax;  // as written in instructions.def
    std::vector<Slot> slots;
    std::vector<std::string> operands;  // "d", "a", "[a]", "{c}" if optional …
    std::vector<OperandSpec> specs;     // the same operands, taken apart
    bool any_words = false;             // the syntax ends in .*
    bool has_vector = false;            // a .v2/.v4/.v8 may be present
    std::size_t required_operands = 0;
};

std::span<const Row> rows();  // all, in the table's order
std::vector<const Row*> rows_of(Opcode opcode);
std::size_t row_index(const Row& row);  // its place in rows()

}  // namespace lockstep::ptx
