#include "machine/expand.h"

#include <array>
#include <string_view>

#include "kernel/operands.h"
#include "machine/ptxas.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Type;

bool is_integer(Type type, int bits) { return !ptx::is_float(type) && ptx::type_bits(type) == bits; }

// Which instructions a row of expansions.def is for.
bool is_i16(const ptx::Instruction& inst) { return is_integer(inst.type(), 16); }
bool is_i64(const ptx::Instruction& inst) { return is_integer(inst.type(), 64); }
bool is_f64(const ptx::Instruction& inst) { return inst.type() == Type::f64; }
bool is_s32(const ptx::Instruction& inst) {
    return (is_i16(inst) || is_integer(inst.type(), 32)) && ptx::is_signed(inst.type());
}
bool is_u32(const ptx::Instruction& inst) {
    return (is_i16(inst) || is_integer(inst.type(), 32)) && !ptx::is_signed(inst.type());
}
bool is_approx(const ptx::Instruction& inst) { return inst.has(Modifier::approx); }
bool is_approx_ftz(const ptx::Instruction& inst) { return is_approx(inst) && inst.has(Modifier::ftz); }
bool is_full(const ptx::Instruction& inst) { return inst.has(Modifier::full); }
bool is_any(const ptx::Instruction&) { return true; }

struct Expansion {
    ptx::Opcode ptx{};
    bool (*has_type)(const ptx::Instruction&) = nullptr;
    bool (*has_mode)(const ptx::Instruction&) = nullptr;
    Choice choice;
};

constexpr Choice expanded(Opcode opcode, int issues, int branches, double waits) {
    Choice choice{opcode, issues, branches};
    if (waits > 0) choice.waits = static_cast<float>(waits / (issues - row_of(opcode).xu));
    return choice;
}

constexpr auto expansions = std::to_array<Expansion>({
#define LOCKSTEP_EXPANSION(instruction, type, mode, opcode, issues, branches, waits) \
    {ptx::Opcode::instruction, is_##type, is_##mode, expanded(Opcode::opcode, issues, branches, waits)},
#include "machine/expansions.def"
#undef LOCKSTEP_EXPANSION
});

struct LibraryFunction {
    std::string_view name;
    Choice choice;
};

constexpr auto library = std::to_array<LibraryFunction>({
#define LOCKSTEP_LIBRARY(name, opcode, issues, branches) {#name, {Opcode::opcode, issues, branches}},
#include "machine/library.def"
#undef LOCKSTEP_LIBRARY
});

// The math function that is called, and its name without __nv_.
struct LibraryCall {
    std::uint32_t function = 0;
    std::string_view name;
};

std::optional<LibraryCall> called(const ptx::Instruction& inst, const ptx::Module& module) {
    constexpr std::string_view prefix = "__nv_";
    const kernel::CallOperands call = kernel::call_operands(inst);
    if (!call.callee || call.callee->kind != ptx::Operand::Kind::function) return {};
    const ptx::Function& callee = module.functions[call.callee->id];
    if (!callee.declaration || !callee.name.starts_with(prefix)) return {};
    return LibraryCall{call.callee->id, std::string_view(callee.name).substr(prefix.size())};
}

std::optional<Choice> library_call(const ptx::Instruction& inst, const ptx::Module& module) {
    const auto call = called(inst, module);
    if (!call) return {};
    for (const LibraryFunction& function : library)
        if (function.name == call->name) return function.choice;
    return Choice{Opcode::call_f32, ptxas::unknown_function_issues};
}

}  // namespace

std::optional<Choice> expand(const ptx::Instruction& inst, const ptx::Module& module) {
    if (inst.opcode == ptx::Opcode::call) return library_call(inst, module);
    for (const Expansion& row : expansions)
        if (row.ptx == inst.opcode && row.has_type(inst) && row.has_mode(inst)) return row.choice;
    return {};
}

LibraryConstants library_constants(const ptx::Instruction& inst, const ptx::Module& module) {
    const auto call = called(inst, module);
    if (!call) return {};
#define LOCKSTEP_LIBRARY_CONSTANTS(name_, issues_) \
    if (call->name == #name_) return {.function = call->function, .issues = issues_};
#include "machine/library-constants.def"
#undef LOCKSTEP_LIBRARY_CONSTANTS
    return {};
}

}  // namespace lockstep::machine
