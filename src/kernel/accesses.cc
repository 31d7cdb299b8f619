#include "kernel/accesses.h"

#include "kernel/matrix-units.h"
#include "kernel/operands.h"

namespace lockstep::kernel {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

Space space_of(const ptx::Instruction& inst) {
    if (inst.has(Modifier::global)) return Space::global;
    if (inst.has(Modifier::shared) || inst.has(Modifier::shared_cta) || inst.has(Modifier::shared_cluster))
        return Space::shared;
    if (inst.has(Modifier::local)) return Space::local;
    if (inst.has(Modifier::const_)) return Space::constant;
    if (inst.has(Modifier::param)) return Space::param;
    return Space::none;
}

bool is_plain_parameter_load(const Function& function, const ptx::Instruction& inst) {
    if ((inst.opcode != Opcode::ld && inst.opcode != Opcode::ldu) || space_of(inst) != Space::param)
        return false;
    const Operand& address = inst.operands[1];
    const Operand& base = address.elements[0];
    if (base.kind != Operand::Kind::variable || !base.local) return false;
    const ptx::Variable& variable = function.variables[base.id];
    const auto element = static_cast<std::uint64_t>(ptx::type_bytes(inst.type()));
    const std::uint64_t bytes = element * static_cast<std::uint64_t>(vector_count(inst));
    const auto offset = static_cast<std::uint64_t>(address.offset) + static_cast<std::uint64_t>(base.offset);
    return bytes <= variable.size() && offset <= variable.size() - bytes && offset % element == 0 &&
           variable.align() % element == 0;
}

// A bulk copy's, of which one thread's may be any number of bytes: what it does to global memory; between
// blocks of a cluster, to the one that it writes to.
static std::vector<Access> bulk_accesses(const ptx::Instruction& inst) {
    if (!is_bulk_copy(inst)) return {};
    const bool between = !inst.has(Modifier::global), loads = inst.has(Modifier::complete_bytes) && !between;
    const SiteKind writes = inst.has(Modifier::reduce) ? SiteKind::reduction : SiteKind::store;
    return {{.kind = loads ? SiteKind::load : writes,
             .space = between ? Space::shared : Space::global,
             .bytes = 16,
             .operand = loads ? 1u : 0u}};
}

bool is_bulk_copy(const ptx::Instruction& inst) {
    return inst.opcode == Opcode::cp && inst.has(Modifier::bulk) && !inst.has(Modifier::prefetch) &&
           !inst.has(Modifier::commit_group) && !inst.has(Modifier::wait_group);
}

std::vector<Access> accesses_of(const Function& function, const ptx::Instruction& inst) {
    const Space space = space_of(inst);
    switch (inst.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st: {
            if (is_plain_parameter_load(function, inst)) return {};
            const bool load = inst.opcode != Opcode::st;
            return {{.kind = load ? SiteKind::load : SiteKind::store,
                     .space = space,
                     .bytes = ptx::type_bytes(inst.type()) * vector_count(inst),
                     .operand = load ? 1u : 0u}};
        }
        case Opcode::atom:
        case Opcode::red: {
            const bool returns = inst.opcode == Opcode::atom;
            return {{.kind = returns ? SiteKind::atomic : SiteKind::reduction,
                     .space = space,
                     .bytes = ptx::type_bytes(inst.type()),
                     .operand = returns ? 1u : 0u}};
        }
        case Opcode::cp: {  // those that wait for it have fewer operands
            if (inst.has(Modifier::bulk)) return bulk_accesses(inst);
            if (inst.operands.size() < 3) return {};
            const auto bytes = static_cast<int>(inst.operands[2].bits);
            return {{.kind = SiteKind::load, .space = Space::global, .bytes = bytes, .operand = 1},
                    {.kind = SiteKind::store, .space = Space::shared, .bytes = bytes, .operand = 0}};
        }
        case Opcode::ldmatrix:
            return {{.kind = SiteKind::load, .space = space, .bytes = 16, .operand = 1}};
        case Opcode::stmatrix:
            return {{.kind = SiteKind::store, .space = space, .bytes = 16, .operand = 0}};
        case Opcode::wmma: {
            const bool store = inst.has(Modifier::store);
            if (!store && !inst.has(Modifier::load)) return {};
            std::vector<Access> accesses;
            for (const MatrixUnit& unit : matrix_units(inst))
                accesses.push_back({.kind = store ? SiteKind::store : SiteKind::load,
                                    .space = space,
                                    .bytes = unit.bytes,
                                    .operand = store ? 0u : 1u});
            return accesses;
        }
        // How many bytes a texture has at a point is its own affair.
        case Opcode::tex:
        case Opcode::tld4:
            return {{.kind = SiteKind::load, .space = Space::texture, .bytes = 16, .operand = 1}};
        case Opcode::suld:
        case Opcode::sust:
        case Opcode::sured: {
            const bool load = inst.opcode == Opcode::suld;
            return {{.kind = load                          ? SiteKind::load
                             : inst.opcode == Opcode::sust ? SiteKind::store
                                                           : SiteKind::reduction,
                     .space = Space::texture,
                     .bytes = ptx::type_bytes(inst.type()) * vector_count(inst),
                     .operand = load ? 1u : 0u}};
        }
        default: return {};
    }
}

}  // namespace lockstep::kernel
