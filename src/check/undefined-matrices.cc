// Undefined bytes in the registers of matrix instructions: which lane holds which element is a matter of the
// instruction, and an element of a product rests on a row of a, a column of b and its element of c.
#include <algorithm>
#include <array>
#include <vector>

#include "check/undefined-values.h"
#include "kernel/matrix-products.h"
#include "kernel/matrix-units.h"

namespace lockstep::check {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

// Why an element is not defined.
struct Cause {
    bool undefined = false, made_up = false;
    std::uint32_t origin = 0;
    void add(const Cause& other) {
        undefined |= other.undefined;
        made_up |= other.made_up;
        if (other.origin) origin = other.origin;
    }
};

// A lane's elements of c or d: four of a product of 16 by 8, in rows eight apart and two neighbouring
// columns; two of one of 8 by 8.
constexpr int most_elements = 4;
using Elements = std::array<std::array<Cause, most_elements>, warp_lanes>;

}  // namespace

// As lockstep_turn does: blocks of 8 by 8 halves, of which a lane has two neighbours in a row.
UndefinedValues::Value UndefinedValues::turned(const Value& value) {
    Value result{.origin = value.origin};
    for (int lane = 0; lane < warp_lanes; ++lane)
        for (int half = 0; half < 2; ++half) {
            const int row = lane / 4, column = lane % 4 * 2 + half;
            const int from = column * 4 + row / 2;
            const std::uint8_t bytes = value.bytes[static_cast<std::size_t>(from)] >> row % 2 * 2 & 3;
            if (!bytes) continue;
            result.bytes[static_cast<std::size_t>(lane)] |= static_cast<std::uint8_t>(bytes << half * 2);
            result.derived |= (value.derived >> from & 1) << lane;
            result.made_up |= (value.made_up >> from & 1) << lane;
        }
    return result;
}

void UndefinedValues::move_matrix(std::uint32_t site, Lanes mask, const std::uint64_t* addresses) {
    if (code_.sites[site].writes)
        each_lane(mask, [&](int lane) {
            memory_.set(addresses[lane], static_cast<std::uint64_t>(code_.kernel->sites[site].bytes),
                        Byte::defined);
        });
    if (code_.sites[site].writes && warp_->values.empty()) return;
    warp_->block = site_block_[site];
    code_.instruction(site).opcode == Opcode::wmma ? move_wmma(site, mask, addresses)
                                                   : move_rows(site, mask, addresses);
}

// Each access of a wmma.load or wmma.store has a site of its own.
void UndefinedValues::move_wmma(std::uint32_t site, Lanes mask, const std::uint64_t* addresses) {
    const ptx::Instruction& inst = code_.instruction(site);
    const kernel::Site& at = code_.kernel->sites[site];
    const std::uint32_t number = site - code_.kernel->first_site(at.function, at.block, at.instruction);
    const kernel::MatrixUnit unit = kernel::matrix_units(inst)[number];
    const bool stores = inst.has(Modifier::store);
    const std::vector<Operand>& registers = inst.operands[stores ? 1 : 0].elements;
    const int register_size = register_bytes(registers[0]);
    const int bytes = std::min(unit.bytes, register_size), words = unit.bytes / bytes;
    const auto word_of = [&](int lane, int word) {
        return addresses[lane] + static_cast<std::uint64_t>(word * bytes);
    };
    const auto numbered = [&](int word) { return static_cast<std::size_t>(unit.reg + word); };
    if (stores) {
        for (int word = 0; word < words; ++word)
            if (const Value* const stored = value(registers[numbered(word)])) {
                const Value data = unit.turned ? turned(*stored) : *stored;
                each_lane(mask, [&](int lane) {
                    store_bytes(lane, word_of(lane, word), bytes, unit.shift / 8, data);
                });
            }
        return;
    }
    if (number == 0)
        for (const Operand& part : registers) put(inst, part, {}, mask);
    const auto distinct = static_cast<std::size_t>(kernel::distinct_registers(inst));
    for (int word = 0; word < words; ++word) {
        Value loaded;
        each_lane(mask, [&](int lane) {
            load_bytes(site, lane, word_of(lane, word), bytes, unit.shift / 8, loaded);
        });
        if (loaded.none()) continue;
        if (unit.turned) loaded = turned(loaded);
        // Other units have filled other bytes of the register; further registers hold the same again.
        for (std::size_t i = numbered(word); i < registers.size(); i += distinct) {
            Value all = loaded;
            if (const Value* const before = value(registers[i])) {
                for (std::size_t lane = 0; lane < warp_lanes; ++lane) all.bytes[lane] |= before->bytes[lane];
                all.derived |= before->derived;
                all.made_up |= before->made_up;
            }
            put(inst, registers[i], all, mask);
        }
    }
}

// ldmatrix and stmatrix: each lane of eight has the address of a row of 16 bytes, of which each lane of four
// holds a word.
void UndefinedValues::move_rows(std::uint32_t site, Lanes mask, const std::uint64_t* addresses) {
    const ptx::Instruction& inst = code_.instruction(site);
    const bool stores = inst.opcode == Opcode::stmatrix, turns = inst.has(Modifier::trans);
    const std::vector<Operand>& registers = inst.operands[stores ? 1 : 0].elements;
    for (std::size_t matrix = 0; matrix < registers.size(); ++matrix) {
        const auto each = [&](const auto& f) {
            for (int lane = 0; lane < warp_lanes; ++lane) {
                const int row = static_cast<int>(matrix) * 8 + lane / 4;
                if (mask >> row & 1) f(lane, addresses[row] + static_cast<std::uint64_t>(lane % 4 * 4));
            }
        };
        if (stores) {
            if (const Value* const stored = value(registers[matrix])) {
                const Value data = turns ? turned(*stored) : *stored;
                each([&](int lane, std::uint64_t address) { store_bytes(lane, address, 4, 0, data); });
            }
            continue;
        }
        Value loaded;
        each([&](int lane, std::uint64_t address) { load_bytes(site, lane, address, 4, 0, loaded); });
        put(inst, registers[matrix], turns ? turned(loaded) : loaded, ~Lanes{0});
    }
}

void UndefinedValues::evaluate_product(const ptx::Instruction& inst) {
    const auto& ops = inst.operands;
    kernel::MatrixProducts products;
    const auto all_of_operand = [](const Operand& operand) {
        return kernel::MatrixProducts::Registers{0, static_cast<int>(operand.elements.size())};
    };
    if (inst.opcode == Opcode::wmma)
        products = kernel::matrix_products(inst);
    else
        products = {.m = inst.shape.m,
                    .n = inst.shape.n,
                    .k = inst.shape.k,
                    .exchanged = false,
                    .all = {{.a = all_of_operand(ops[1]),
                             .b = all_of_operand(ops[2]),
                             .c = all_of_operand(ops[3]),
                             .d = all_of_operand(ops[0]),
                             .goes_on = false}}};
    const Operand &a = ops[products.exchanged ? 2 : 1], &b = ops[products.exchanged ? 1 : 2];
    const auto cause_of = [](const Value& value, int lane) {
        return Cause{.undefined = true,
                     .made_up = (value.made_up >> lane & 1) != 0,
                     .origin = value.made_up >> lane & 1 ? 0 : value.origin};
    };
    // Calls f(number of the register among these, lane, value) where a lane's is not defined.
    const auto each = [&](const Operand& operand, const kernel::MatrixProducts::Registers& registers,
                          const auto& f) {
        for (int i = 0; i < registers.count; ++i)
            if (const Value* const from =
                    value(operand.elements[static_cast<std::size_t>(registers.first + i)]))
                for (int lane = 0; lane < warp_lanes; ++lane)
                    if (from->bytes[static_cast<std::size_t>(lane)]) f(i, lane, *from);
    };
    const int elements = products.m * products.n / warp_lanes;
    // Volta's shape has four small products side by side: there all of d rests on all operands.
    const bool known = products.n == 8 && (products.m == 16 || (products.m == 8 && elements == 2)) &&
                       !(products.m == 8 && products.k == 4 && register_bytes(a.elements[0]) == 4);
    std::vector<Value> results(ops[0].elements.size());
    Elements sums;
    for (const kernel::MatrixProducts::One& one : products.all) {
        std::array<Cause, 16> rows{};
        std::array<Cause, 8> columns{};
        Cause everything;
        each(a, one.a, [&](int i, int lane, const Value& from) {
            const int row = lane / 4 + (products.m == 16 ? i % 2 * 8 : 0);
            (known ? rows[static_cast<std::size_t>(row)] : everything).add(cause_of(from, lane));
        });
        each(b, one.b, [&](int, int lane, const Value& from) {
            (known ? columns[static_cast<std::size_t>(lane / 4)] : everything).add(cause_of(from, lane));
        });
        for (std::size_t i = 4; i < ops.size(); ++i)  // which elements a sparse matrix has
            if (const Value* const from = value(ops[i]))
                for (int lane = 0; lane < warp_lanes; ++lane)
                    if (from->bytes[static_cast<std::size_t>(lane)]) everything.add(cause_of(*from, lane));
        // Two elements of 16 bits are in one register.
        const auto per_register = [&](int registers) {
            return std::max(1, elements / std::max(1, registers));
        };
        if (!one.goes_on) {
            sums = {};
            const int each_has = per_register(one.c.count);
            each(ops[3], one.c, [&](int i, int lane, const Value& from) {
                if (!known) return everything.add(cause_of(from, lane));
                for (int e = 0; e < each_has; ++e)
                    if (each_has == 1 || from.bytes[static_cast<std::size_t>(lane)] >> e * 2 & 3)
                        sums[static_cast<std::size_t>(lane)][static_cast<std::size_t>(i * each_has + e)].add(
                            cause_of(from, lane));
            });
        }
        const int each_has = known ? per_register(one.d.count) : 1;
        for (int i = 0; i < one.d.count; ++i) {
            const auto number = static_cast<std::size_t>(one.d.first + i);
            Value& result = results[number] = {};
            const int size = register_bytes(ops[0].elements[number]);
            for (int lane = 0; lane < warp_lanes; ++lane)
                for (int e = 0; e < each_has; ++e) {
                    Cause why = everything;
                    if (known) {
                        const int element = i * each_has + e;
                        Cause& sum = sums[static_cast<std::size_t>(lane)][static_cast<std::size_t>(element)];
                        sum.add(rows[static_cast<std::size_t>(lane / 4 + element / 2 * 8)]);
                        sum.add(columns[static_cast<std::size_t>(lane % 4 * 2 + element % 2)]);
                        why.add(sum);
                    }
                    if (!why.undefined) continue;
                    result.bytes[static_cast<std::size_t>(lane)] |=
                        static_cast<std::uint8_t>(all_of(size / each_has) << e * size / each_has);
                    result.derived |= Lanes{1} << lane;
                    if (why.made_up) result.made_up |= Lanes{1} << lane;
                    if (why.origin) result.origin = why.origin;
                }
        }
    }
    for (std::size_t i = 0; i < results.size(); ++i) put(inst, ops[0].elements[i], results[i], ~Lanes{0});
}

}  // namespace lockstep::check
