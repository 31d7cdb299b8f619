#include "kernel/streamed-stores.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "kernel/accesses.h"
#include "kernel/derived-values.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool has_any(const Instruction& inst, std::initializer_list<Modifier> modifiers) {
    return std::any_of(modifiers.begin(), modifiers.end(), [&](Modifier m) { return inst.has(m); });
}

// By which other blocks may know what was written before, or what may do so out of sight.
bool may_publish(const Function& function, const Instruction& inst) {
    if (inst.opcode == Opcode::membar || inst.opcode == Opcode::fence || inst.opcode == Opcode::call)
        return true;
    if (has_any(inst, {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release,
                       Modifier::mmio, Modifier::cluster, Modifier::shared_cluster}))
        return true;
    const std::vector<Access> accesses = accesses_of(function, inst);
    return std::any_of(accesses.begin(), accesses.end(), [](const Access& access) {
        return access.kind != SiteKind::load && access.kind != SiteKind::store;
    });
}

// A parameter's bytes that hold a pointer.
struct Pointer {
    std::uint32_t variable = 0;
    std::int64_t offset = 0;
    auto operator<=>(const Pointer&) const = default;
};

bool loads_pointer(const Function& function, const Instruction& inst) {
    return is_plain_parameter_load(function, inst) && ptx::type_bits(inst.type()) == 64 &&
           inst.operands[0].kind == Operand::Kind::reg;
}

Pointer pointer_of(const Instruction& load) {
    const Operand& address = load.operands[1];
    return {address.elements[0].id, address.elements[0].offset + address.offset};
}

std::optional<RegId> base_of(const Operand& address) {
    const Operand& base = address.kind == Operand::Kind::address ? address.elements[0] : address;
    return base.kind == Operand::Kind::reg ? std::optional<RegId>(base.id) : std::nullopt;
}

// Whether something is loaded from an address that is made of these values.
bool is_read(const Function& function, const DerivedValues& values) {
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.instructions)
            for (const Access& access : accesses_of(function, inst)) {
                const std::optional<RegId> base = base_of(inst.operands[access.operand]);
                if (access.kind == SiteKind::load && base && values.has(*base)) return true;
            }
    return false;
}

}  // namespace

std::vector<std::vector<bool>> streamed_stores(const Function& function) {
    std::vector<std::vector<bool>> found(function.blocks.size());
    std::set<Pointer> pointers;
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        found[b].resize(function.blocks[b].instructions.size());
        for (const Instruction& inst : function.blocks[b].instructions)
            if (loads_pointer(function, inst)) pointers.insert(pointer_of(inst));
    }
    if (!function.entry) return found;
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.instructions)
            if (may_publish(function, inst)) return found;

    std::vector<DerivedValues> of_read, of_unread;
    for (const Pointer& pointer : pointers) {
        DerivedValues of_pointer(function,
                                 [&](const Instruction& inst) {
                                     return loads_pointer(function, inst) && pointer_of(inst) == pointer;
                                 },
                                 {});
        (is_read(function, of_pointer) ? of_read : of_unread).push_back(std::move(of_pointer));
    }
    const auto are_of = [](const std::vector<DerivedValues>& pointers_values, RegId reg) {
        return std::any_of(pointers_values.begin(), pointers_values.end(),
                           [&](const DerivedValues& values) { return values.has(reg); });
    };
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        if (function.blocks[b].loop >= 0) continue;
        for (std::size_t i = 0; i < function.blocks[b].instructions.size(); ++i) {
            const Instruction& inst = function.blocks[b].instructions[i];
            if (inst.opcode != Opcode::st || space_of(inst) != ptx::Space::global) continue;
            const std::optional<RegId> base = base_of(inst.operands[0]);
            found[b][i] = base && are_of(of_unread, *base) && !are_of(of_read, *base);
        }
    }
    return found;
}

}  // namespace lockstep::kernel
