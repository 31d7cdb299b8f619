#include "check/code.h"

#include <algorithm>

#include "base/demangle.h"
#include "kernel/constants.h"
#include "kernel/graph.h"

namespace lockstep::check {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

constexpr int nothing = -1;  // not an address of a variable …
constexpr int several = -2;  // … or of more than one

// For each register of a function, the shared variable from whose address its value is counted. Sums keep it;
// what is loaded, or made of two addresses, has none.
class Provenance {
  public:
    Provenance(const kernel::Function& function, std::vector<SharedVariable>& variables,
               const std::map<std::string, std::uint64_t>& offsets)
        : function_(function), variables_(variables), offsets_(offsets) {
        of_.assign(function.registers.size(), unknown);
        for (bool changed = true; changed;) {
            changed = false;
            for (const kernel::Block& block : function.blocks)
                for (const ptx::Instruction& inst : block.instructions) changed |= visit(inst);
        }
    }

    int of(const Operand& operand) {
        switch (operand.kind) {
            case Operand::Kind::reg: return of_[operand.id] == unknown ? nothing : of_[operand.id];
            case Operand::Kind::address: return of(operand.elements[0]);
            case Operand::Kind::variable: return variable(operand);
            default: return nothing;
        }
    }

  private:
    static constexpr int unknown = -3;  // nothing is known to be written to it yet

    int variable(const Operand& operand) {
        const ptx::Variable& declared =
            operand.local ? function_.variables[operand.id] : function_.module->variables[operand.id];
        if (declared.space != ptx::Space::shared) return nothing;
        const auto offset = offsets_.find(declared.name);
        if (offset == offsets_.end()) return nothing;
        const auto known = std::find_if(variables_.begin(), variables_.end(),
                                        [&](const SharedVariable& v) { return v.name == declared.name; });
        if (known != variables_.end()) return static_cast<int>(known - variables_.begin());
        variables_.push_back({declared.name, offset->second, declared.size()});
        return static_cast<int>(variables_.size()) - 1;
    }

    int raw(const Operand& operand) {
        return operand.kind == Operand::Kind::reg ? of_[operand.id] : of(operand);
    }

    // Of a sum: the one that has one.
    static int joined(int a, int b) {
        if (a == unknown || b == unknown) return a == unknown ? b : a;
        if (a == nothing) return b;
        if (b == nothing || a == b) return a;
        return several;
    }

    bool visit(const ptx::Instruction& inst) {
        int result = nothing;
        const auto& ops = inst.operands;
        switch (inst.opcode) {
            case Opcode::mov:
            case Opcode::cvta:
            case Opcode::cvt: result = raw(ops[1]); break;
            case Opcode::add: result = joined(raw(ops[1]), raw(ops[2])); break;
            case Opcode::sub: result = raw(ops[1]); break;
            case Opcode::mad: result = raw(ops[3]); break;
            case Opcode::or_: result = joined(raw(ops[1]), raw(ops[2])); break;
            case Opcode::selp: {
                const int a = raw(ops[1]), b = raw(ops[2]);
                result = a == unknown ? b : b == unknown ? a : a == b ? a : several;
                break;
            }
            default: break;
        }
        bool changed = false;
        for (const kernel::RegId r : kernel::registers_written(function_, inst)) {
            // A register may be written in several places: it has one variable if all agree.
            const int before = of_[r];
            const int after = before == unknown || before == result ? result
                              : result == unknown                   ? before
                                                                    : several;
            changed |= after != before;
            of_[r] = after;
        }
        return changed;
    }

    const kernel::Function& function_;
    std::vector<SharedVariable>& variables_;
    const std::map<std::string, std::uint64_t>& offsets_;
    std::vector<int> of_;  // by register
};

SiteFacts facts_of(const kernel::Site& site, const ptx::Instruction& inst) {
    SiteFacts facts;
    if (!kernel::is_access(site.kind)) return facts;
    facts.atomic = kernel::is_atomic(site.kind);
    facts.reads = site.kind == kernel::SiteKind::load || facts.atomic;
    facts.writes = site.kind != kernel::SiteKind::load;
    facts.strong = facts.atomic || inst.has(Modifier::volatile_) || inst.has(Modifier::relaxed) ||
                   inst.has(Modifier::acquire) || inst.has(Modifier::release) || inst.has(Modifier::acq_rel);
    facts.releases = inst.has(Modifier::release) || inst.has(Modifier::acq_rel);
    facts.acquires =
        facts.strong && (site.kind == kernel::SiteKind::load || site.kind == kernel::SiteKind::atomic);
    facts.publishes = facts.strong && facts.writes;
    facts.block_scope = inst.has(Modifier::cta);
    facts.async = inst.opcode == Opcode::cp;
    return facts;
}

// Registers that hold a copy of what a load gives, and come to be what a compare-and-swap expects. Most loops
// around one begin with a plain load, as the CUDA C++ Programming Guide shows it.
std::vector<bool> expected_registers(const kernel::Function& function) {
    std::vector<bool> expected(function.registers.size());
    for (const kernel::Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            if (inst.opcode == Opcode::atom && inst.has(Modifier::cas) &&
                inst.operands[2].kind == Operand::Kind::reg)
                expected[inst.operands[2].id] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const kernel::Block& block : function.blocks)
            for (const ptx::Instruction& inst : block.instructions) {
                if (inst.opcode != Opcode::mov || inst.operands[0].kind != Operand::Kind::reg ||
                    inst.operands[1].kind != Operand::Kind::reg || !expected[inst.operands[0].id] ||
                    expected[inst.operands[1].id])
                    continue;
                expected[inst.operands[1].id] = changed = true;
            }
    }
    return expected;
}

// What a store says to write, if it is a number.
std::optional<std::uint64_t> stored(const ptx::Instruction& inst, const kernel::Constants& constants) {
    if (inst.opcode != Opcode::st || inst.operands.size() < 2) return std::nullopt;
    const Operand& value = inst.operands[1];
    if (value.kind == Operand::Kind::integer || value.kind == Operand::Kind::f32 ||
        value.kind == Operand::Kind::f64)
        return value.bits;
    if (const auto known = kernel::constant_of(value, constants)) return *known;
    return std::nullopt;
}

}  // namespace

const ptx::Instruction& KernelCode::instruction(std::uint32_t site) const {
    const kernel::Site& at = kernel->sites[site];
    return kernel->functions[at.function].blocks[at.block].instructions[at.instruction];
}

Place KernelCode::place(std::uint32_t site, std::string role, std::string who) const {
    const kernel::Site& at = kernel->sites[site];
    const kernel::Function& function = kernel->functions[at.function];
    Place place{.role = std::move(role), .who = std::move(who)};
    place.function = base::demangle(function.name);
    const ptx::Module& module = *function.module;
    if (at.source < 0 || at.source >= static_cast<int>(module.lines.size())) return place;
    const ptx::SourceLine& line = module.lines[static_cast<std::size_t>(at.source)];
    if (line.file <= 0 || line.file >= static_cast<int>(module.files.size())) return place;
    place.file = module.files[static_cast<std::size_t>(line.file)];
    place.line = line.line;
    if (!line.function.empty()) place.function = base::demangle(line.function);
    return place;
}

KernelCode describe(const kernel::Kernel& kernel, std::string name,
                    const std::map<std::string, std::uint64_t>& shared_offsets) {
    KernelCode code{.kernel = &kernel, .name = std::move(name), .sites = {}, .variables = {}};
    code.sites.resize(kernel.sites.size());
    std::uint32_t site = 0;
    for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
        const kernel::Function& function = kernel.functions[f];
        const auto constants = kernel::constant_registers(function);
        const std::vector<bool> expected = expected_registers(function);
        Provenance provenance(function, code.variables, shared_offsets);
        for (; site < kernel.sites.size() && kernel.sites[site].function == f; ++site) {
            const kernel::Site& at = kernel.sites[site];
            const ptx::Instruction& inst = code.instruction(site);
            SiteFacts& facts = code.sites[site] = facts_of(at, inst);
            facts.value = stored(inst, constants);
            facts.verified = at.kind == kernel::SiteKind::load &&
                             inst.operands[0].kind == Operand::Kind::reg && expected[inst.operands[0].id];
            if (!kernel::is_access(at.kind) || at.space == ptx::Space::texture) continue;
            for (const Operand& operand : inst.operands) {
                if (operand.kind != Operand::Kind::address) continue;
                if (inst.opcode == Opcode::cp && (&operand == &inst.operands[0]) != facts.writes) continue;
                facts.variable = std::max(provenance.of(operand), -1);
                break;
            }
        }
    }
    return code;
}

}  // namespace lockstep::check
