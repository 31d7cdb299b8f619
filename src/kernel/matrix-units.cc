#include "kernel/matrix-units.h"

#include <algorithm>
#include <utility>

#include "ptx/fragments.h"

namespace lockstep::kernel {

using ptx::MatrixRole;
using ptx::Modifier;

namespace {

struct Corner {  // what a register holds over all lanes: eight lines from here on, elements along them
    int line = 0, along = 0;
};

// Of a's rows, or b's columns. Sixteen lines at a time have their registers together where there are so many
// for a product to take; where there are eight, or it takes eight at a time, each eight have.
Corner input_corner(int reg, int k_blocks, bool by_sixteen, int per_block) {
    if (by_sixteen) return {reg / (2 * k_blocks) * 16 + reg % 2 * 8, reg / 2 % k_blocks * per_block};
    return {reg / k_blocks * 8, reg % k_blocks * per_block};
}

}  // namespace

int distinct_registers(const ptx::Instruction& inst) {
    const ptx::Fragment fragment = ptx::fragment_of(inst, inst.has(Modifier::store) ? "c" : "d");
    const auto [m, n, k] = inst.shape;
    if (fragment.element != ptx::Type::f16 || fragment.role > MatrixRole::b) return fragment.registers;
    return (fragment.role == MatrixRole::a ? m : n) * k / 64;
}

std::vector<MatrixUnit> matrix_units(const ptx::Instruction& inst) {
    const ptx::Fragment fragment = ptx::fragment_of(inst, inst.has(Modifier::store) ? "c" : "d");
    const auto [m, n, k] = inst.shape;
    const int bits = ptx::type_bits(fragment.element), registers = distinct_registers(inst);
    const bool row_major = inst.has(Modifier::row), input = fragment.role <= MatrixRole::b;
    const bool wide_n = n == 32;  // computed as the product of what is turned
    // Whether what a register holds side by side stands so in memory.
    const bool own = fragment.role == MatrixRole::b ? !row_major : input || !wide_n ? row_major : !row_major;

    std::vector<MatrixUnit> units;
    auto add = [&](int bytes, int reg, int shift, bool turned, auto&& place) {
        MatrixUnit& unit = units.emplace_back();
        unit.bytes = bytes, unit.reg = reg, unit.shift = shift, unit.turned = turned;
        for (int lane = 0; lane < 32; ++lane) {
            auto [line, element] = place(lane);
            unit.line[static_cast<std::size_t>(lane)] = own ? line : element;
            unit.element[static_cast<std::size_t>(lane)] = own ? element : line;
        }
    };
    if (!input && bits >= 32) {  // pairs of elements are pairs of registers
        for (int reg = 0; reg < registers; ++reg) {
            if (own && reg % 2) continue;
            const int block = reg / 4;
            const int line = reg / 2 % 2 * 8 + (m == 16 ? 0 : block * 16), along = m == 16 ? block * 8 : 0;
            add(own ? bits / 4 : bits / 8, reg, 0, false,
                [&](int lane) { return std::pair{line + lane / 4, along + lane % 4 * 2 + reg % 2}; });
        }
        return units;
    }
    const int per_word = bits >= 32 ? 1 : 32 / bits;
    const int lines = fragment.role == MatrixRole::b ? n : m;
    const bool by_sixteen = fragment.role == MatrixRole::a ? m >= 16 : n == 32;
    const int k_blocks = input ? std::max(1, registers * 8 / lines) : 1;
    for (int reg = 0; reg < registers; ++reg) {
        Corner corner;
        if (input)
            corner = input_corner(reg, k_blocks, by_sixteen, 4 * per_word);
        else  // halves: a pair of rows of eight, then the next eight columns or sixteen lines
            corner = {reg % 2 * 8 + (m == 16 ? 0 : reg / 2 * 16), m == 16 ? reg / 2 * 8 : 0};
        if (bits == 16 && !own) {
            add(4, reg, 0, true,
                [&](int lane) { return std::pair{corner.line + lane % 4 * 2, corner.along + lane / 4}; });
        } else if (bits == 8 && !own) {
            for (int byte = 0; byte < 4; ++byte)
                add(1, reg, byte * 8, false, [&](int lane) {
                    return std::pair{corner.line + lane / 4, corner.along + lane % 4 * 4 + byte};
                });
        } else {
            add(bits == 64 ? 8 : 4, reg, 0, false, [&](int lane) {
                return std::pair{corner.line + lane / 4, corner.along + lane % 4 * per_word};
            });
        }
    }
    return units;
}

}  // namespace lockstep::kernel
