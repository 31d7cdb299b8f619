#include "ptx/fragments.h"

#include <algorithm>

namespace lockstep::ptx {
namespace {

MatrixRole role_of(const Instruction& inst, std::string_view operand) {
    if (inst.opcode == Opcode::wmma && inst.has(Modifier::load))
        return inst.has(Modifier::a) ? MatrixRole::a : inst.has(Modifier::b) ? MatrixRole::b : MatrixRole::c;
    switch (operand.front()) {
        case 'a': return MatrixRole::a;
        case 'b': return MatrixRole::b;
        case 'c': return MatrixRole::c;
        default: return MatrixRole::d;
    }
}

Type element_of(const Instruction& inst, MatrixRole role) {
    const auto& types = inst.types;
    if (types[1] == Type::none) return types[0];  // loads and stores
    // wmma on f16 names d's and c's types only, wgmma all but c's, which is d's.
    if (types[2] == Type::none)
        return role == MatrixRole::d ? types[0] : role == MatrixRole::c ? types[1] : Type::f16;
    if (types[3] == Type::none && role == MatrixRole::c) return types[0];
    return types[static_cast<std::size_t>(role == MatrixRole::d   ? 0
                                          : role == MatrixRole::a ? 1
                                          : role == MatrixRole::b ? 2
                                                                  : 3)];
}

// Elements that all 32 lanes hold together.
int elements_of(const Instruction& inst, MatrixRole role) {
    const auto [m, n, k] = inst.shape;
    // Four products at once, of eight lanes each.
    if (inst.opcode == Opcode::mma && k == 4 && inst.types[1] == Type::f16)
        return role <= MatrixRole::b ? 128 : 256;
    switch (role) {
        case MatrixRole::a: {
            const bool sparse = inst.has(Modifier::sp) || inst.has(Modifier::sp_ordered_metadata);
            const int rows =
                inst.opcode == Opcode::wgmma ? m / 4 : m;  // a warpgroup's warps have a quarter each
            return rows * k / (sparse ? 2 : 1);
        }
        case MatrixRole::b: return k * n;
        default: return (inst.opcode == Opcode::wgmma ? m / 4 : m) * n;
    }
}

}  // namespace

Fragment fragment_of(const Instruction& inst, std::string_view operand) {
    if (inst.opcode == Opcode::ldmatrix || inst.opcode == Opcode::stmatrix)
        return {MatrixRole::d, Type::b16,
                inst.has(Modifier::x4)   ? 4
                : inst.has(Modifier::x2) ? 2
                                         : 1,
                Type::u32};
    Fragment fragment;
    fragment.role = role_of(inst, operand);
    fragment.element = element_of(inst, fragment.role);
    const bool wide = fragment.element == Type::f64;
    const bool input = fragment.role <= MatrixRole::b;
    if (inst.opcode == Opcode::wmma && fragment.element == Type::f16 && input) {
        fragment.registers = 8;  // for any shape: lanes hold elements twice
    } else {
        const int bits = elements_of(inst, fragment.role) / 32 * type_bits(fragment.element);
        fragment.registers = std::max(1, bits / (wide ? 64 : 32));
    }
    const bool whole = fragment.element == Type::f32 || fragment.element == Type::s32 || wide;
    fragment.register_type = whole ? fragment.element : Type::u32;
    return fragment;
}

}  // namespace lockstep::ptx
