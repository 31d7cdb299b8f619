#include "kernel/inline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernel/limits.h"
#include "kernel/operands.h"
#include "kernel/undefined-functions.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

class Flattener {
  public:
    Flattener(const ptx::Module& module, ExternalTest is_external, Function& out)
        : module_(module), is_external_(is_external), out_(out) {}

    // Appends the body of `index`. `bindings`: for an inlined call, the caller's variables that stand for the
    // callee's parameters and returns. `end`: the label that `ret` jumps to, or -1 for the outermost
    // function.
    Result<void> append(std::uint32_t index, const std::map<std::uint32_t, std::uint32_t>& bindings,
                        int end) {
        const ptx::Function& source = module_.functions[index];
        active_.push_back(index);
        Maps maps;
        maps.registers = static_cast<std::uint32_t>(out_.registers.size());
        out_.registers.insert(out_.registers.end(), source.registers.begin(), source.registers.end());
        for (std::uint32_t v = 0; v < source.variables.size(); ++v) {
            if (auto bound = bindings.find(v); bound != bindings.end()) {
                maps.variables.push_back(bound->second);
                continue;
            }
            maps.variables.push_back(static_cast<std::uint32_t>(out_.variables.size()));
            out_.variables.push_back(source.variables[v]);
        }
        maps.labels = static_cast<std::uint32_t>(flat.labels.size());
        flat.labels.resize(flat.labels.size() + source.labels.size());
        maps.tables = static_cast<std::uint32_t>(flat.branch_tables.size());
        for (const ptx::BranchTable& table : source.branch_tables) {
            std::vector<std::uint32_t> labels = table.labels;
            for (std::uint32_t& label : labels) label += maps.labels;
            flat.branch_tables.push_back(std::move(labels));
        }
        if (end < 0) {
            for (std::uint32_t v : source.params) out_.params.push_back(maps.variables[v]);
            for (std::uint32_t v : source.returns) out_.returns.push_back(maps.variables[v]);
        }

        std::multimap<std::uint32_t, std::uint32_t> labels_at;
        for (std::uint32_t l = 0; l < source.labels.size(); ++l)
            labels_at.emplace(source.labels[l].instruction, l);
        auto place_labels = [&](std::uint32_t position) {
            auto [first, last] = labels_at.equal_range(position);
            for (; first != last; ++first)
                flat.labels[maps.labels + first->second] = static_cast<std::uint32_t>(flat.code.size());
        };

        for (std::uint32_t i = 0; i < source.instructions.size(); ++i) {
            place_labels(i);
            Instruction inst = source.instructions[i];
            if (auto error = undefined_use(module_, inst, is_external_)) return *error;
            for (Operand& operand : inst.operands) remap(operand, maps);
            if (inst.guard) inst.guard->reg += maps.registers;
            if (inst.opcode == Opcode::ret && end >= 0) {
                flat.code.push_back(jump(inst, static_cast<std::uint32_t>(end)));
            } else if (inst.opcode == Opcode::call) {
                if (auto result = call(inst); !result) return result;
            } else if (inst.guard && only_unguarded(inst)) {
                const std::uint32_t end = skip_unless_guarded(inst);
                inst.guard.reset();
                flat.code.push_back(std::move(inst));
                flat.labels[end] = static_cast<std::uint32_t>(flat.code.size());
            } else {
                flat.code.push_back(std::move(inst));
            }
        }
        place_labels(static_cast<std::uint32_t>(source.instructions.size()));
        active_.pop_back();
        return {};
    }

    Flat flat;

  private:
    struct Maps {
        std::uint32_t registers = 0, labels = 0, tables = 0;
        std::vector<std::uint32_t> variables;
    };

    static Instruction jump(const Instruction& like, std::uint32_t label) {
        Instruction bra;
        bra.opcode = Opcode::bra;
        bra.guard = like.guard;
        bra.line = like.line;
        bra.source = like.source;
        Operand target;
        target.kind = Operand::Kind::label;
        target.id = label;
        bra.operands.push_back(target);
        return bra;
    }

    // What lanes do together or not at all: a guard becomes a branch around it.
    static bool only_unguarded(const Instruction& inst) {
        return inst.opcode == Opcode::bar || inst.opcode == Opcode::barrier || inst.opcode == Opcode::brx;
    }

    // A new label, for the caller to place behind what follows; lanes whose guard is off go there.
    std::uint32_t skip_unless_guarded(const Instruction& inst) {
        auto end = static_cast<std::uint32_t>(flat.labels.size());
        flat.labels.push_back(0);
        if (inst.guard) {
            Instruction skip = jump(inst, end);
            skip.guard->negated = !skip.guard->negated;
            flat.code.push_back(std::move(skip));
        }
        return end;
    }

    void remap(Operand& operand, const Maps& maps) const {
        switch (operand.kind) {
            case Operand::Kind::reg: operand.id += maps.registers; break;
            case Operand::Kind::label: operand.id += maps.labels; break;
            case Operand::Kind::table: operand.id += maps.tables; break;
            case Operand::Kind::variable:
                if (operand.local) operand.id = maps.variables[operand.id];
                break;
            default: break;
        }
        for (Operand& element : operand.elements) remap(element, maps);
    }

    Result<void> call(Instruction& inst) {
        CallOperands parts = call_operands(inst);
        bool direct = parts.callee && parts.callee->kind == Operand::Kind::function;
        if (!direct) {
            flat.code.push_back(std::move(inst));
            return {};
        }
        const ptx::Function& callee = module_.functions[parts.callee->id];
        if (callee.declaration) {
            flat.code.push_back(std::move(inst));
            return {};
        }
        bool recursive = std::find(active_.begin(), active_.end(), parts.callee->id) != active_.end();
        const std::size_t most = out_.entry ? max_inlined_instructions : max_inlined_into_callee;
        if (recursive || flat.code.size() + weight(callee) > most || copied_ + weight(callee) > 2 * most ||
            flat.labels.size() + callee.labels.size() >= std::min(most, max_inlined_labels) ||
            out_.registers.size() + callee.registers.size() > max_inlined_registers) {
            flat.code.push_back(std::move(inst));
            return {};
        }
        std::map<std::uint32_t, std::uint32_t> bindings;
        auto bind = [&](const Operand* actual, const std::vector<std::uint32_t>& formal) {
            if (!actual) return formal.empty();
            if (actual->elements.size() != formal.size()) return false;
            for (std::size_t i = 0; i < formal.size(); ++i) {
                if (actual->elements[i].kind != Operand::Kind::variable) return false;
                bindings[formal[i]] = actual->elements[i].id;
            }
            return true;
        };
        if (!bind(parts.returns, callee.returns) || !bind(parts.args, callee.params))
            return Error{fmt::format("call of {}: its parameters do not match the function's", callee.name),
                         {module_.name, inst.line, inst.column}};
        const std::uint32_t end = skip_unless_guarded(inst);
        copied_ += weight(callee);
        if (auto result = append(parts.callee->id, bindings, static_cast<int>(end)); !result) return result;
        flat.labels[end] = static_cast<std::uint32_t>(flat.code.size());
        return {};
    }

    // What a copy of the function costs.
    static std::size_t weight(const ptx::Function& function) {
        std::size_t entries = function.instructions.size() + function.variables.size();
        for (const ptx::BranchTable& table : function.branch_tables) entries += table.labels.size();
        return entries;
    }

    const ptx::Module& module_;
    ExternalTest is_external_;
    Function& out_;
    std::vector<std::uint32_t> active_;
    std::size_t copied_ = 0;  // weight of all that was inlined
};

// ---- parameters ----

struct ParamUse {
    std::uint32_t offset, bytes;
    auto operator<=>(const ParamUse&) const = default;
};

// The address of an access that names the parameters' space; null: it is none.
const Operand* address_of_param_access(const Instruction& inst) {
    if (inst.opcode != Opcode::ld && inst.opcode != Opcode::st) return nullptr;
    if (!inst.has(Modifier::param)) return nullptr;
    const Operand& address = inst.operands[inst.opcode == Opcode::ld ? 1 : 0];
    return address.kind == Operand::Kind::address && !address.elements.empty() ? &address : nullptr;
}

// … which is a variable's.
const Operand* param_address(const Instruction& inst) {
    const Operand* address = address_of_param_access(inst);
    if (!address) return nullptr;
    const Operand& base = address->elements[0];
    return base.kind == Operand::Kind::variable && base.local ? address : nullptr;
}

ptx::Type bits_type(std::uint32_t bytes) {
    switch (bytes) {
        case 1: return ptx::Type::b8;
        case 2: return ptx::Type::b16;
        case 4: return ptx::Type::b32;
        default: return ptx::Type::b64;
    }
}

// An access of a parameter that lies on the stack.
void make_local(Instruction& inst) {
    ptx::ModifierSet mods;
    for (Modifier m : {Modifier::v2, Modifier::v4, Modifier::v8})
        if (inst.has(m)) mods.add(m);
    mods.add(Modifier::local);
    inst.mods = mods;
}

bool is_indirect_param_access(const Instruction& inst) {
    const Operand* address = address_of_param_access(inst);
    return address && address->elements[0].kind == Operand::Kind::reg;
}

}  // namespace

Result<Flat> flatten(const ptx::Module& module, std::uint32_t index, ExternalTest is_external,
                     Function& function) {
    Flattener flattener(module, is_external, function);
    if (auto result = flattener.append(index, {}, -1); !result) return result.error();
    return std::move(flattener.flat);
}

void promote_call_params(Flat& flat, Function& function) {
    std::set<std::uint32_t> own_params(function.params.begin(), function.params.end());
    auto is_call_param = [&](std::uint32_t v) {
        return function.variables[v].space == ptx::Space::param && !(function.entry && own_params.count(v));
    };

    std::map<std::uint32_t, std::set<ParamUse>> accesses;
    // Their address is taken, accesses overlap, or one leaves the variable: then it is checked as memory is.
    std::set<std::uint32_t> in_memory;
    bool takes_own = false;  // the kernel takes its own parameters' addresses
    for (const Instruction& inst : flat.code) {
        const Operand* address = param_address(inst);
        auto scan = [&](auto&& self, const Operand& operand) -> void {
            if (&operand == address) return;
            if (operand.kind == Operand::Kind::variable && operand.local) {
                if (is_call_param(operand.id)) in_memory.insert(operand.id);
                takes_own |= function.entry && own_params.count(operand.id) != 0;
            }
            for (const Operand& element : operand.elements) self(self, element);
        };
        if (inst.opcode != Opcode::call)
            for (const Operand& operand : inst.operands) scan(scan, operand);
        if (!address || !is_call_param(address->elements[0].id)) continue;
        const std::uint32_t variable = address->elements[0].id;
        const std::uint64_t bytes = static_cast<std::uint64_t>(ptx::type_bytes(inst.type()));
        const std::uint64_t count = static_cast<std::uint64_t>(vector_count(inst));
        const std::uint64_t offset = static_cast<std::uint64_t>(address->offset) +
                                     static_cast<std::uint64_t>(address->elements[0].offset);
        const std::uint64_t size = function.variables[variable].size();
        if (bytes > 8 || bytes * count > size || offset > size - bytes * count) {
            in_memory.insert(variable);
            continue;
        }
        for (std::uint64_t k = 0; k < count; ++k)
            accesses[variable].insert(
                {static_cast<std::uint32_t>(offset + k * bytes), static_cast<std::uint32_t>(bytes)});
    }
    for (auto& [variable, set] : accesses) {
        std::uint32_t end = 0;
        for (const ParamUse& access : set) {
            if (access.offset < end) in_memory.insert(variable);
            end = access.offset + access.bytes;
        }
    }
    for (std::uint32_t v : in_memory) {
        function.variables[v].space = ptx::Space::local;
        accesses.erase(v);
    }
    for (auto& [variable, set] : accesses) {
        for (const ParamUse& access : set) {
            ParamSlot slot{access.offset, bits_type(access.bytes),
                           static_cast<RegId>(function.registers.size())};
            function.registers.push_back(
                {fmt::format("%{}.{}", function.variables[variable].name, access.offset), slot.type});
            function.slots[variable].push_back(slot);
        }
    }

    std::vector<Instruction> code;
    std::vector<std::uint32_t> position(flat.code.size() + 1);
    for (std::size_t i = 0; i < flat.code.size(); ++i) {
        position[i] = static_cast<std::uint32_t>(code.size());
        Instruction& inst = flat.code[i];
        const Operand* address = param_address(inst);
        if (!address || !is_call_param(address->elements[0].id)) {
            const bool named =
                address && function.variables[address->elements[0].id].space == ptx::Space::local;
            if (named || (!in_memory.empty() && !takes_own && is_indirect_param_access(inst)))
                make_local(inst);
            code.push_back(std::move(inst));
            continue;
        }
        const auto& slots = function.slots[address->elements[0].id];
        auto bytes = static_cast<std::uint32_t>(ptx::type_bytes(inst.type()));
        auto offset = static_cast<std::uint32_t>(address->offset + address->elements[0].offset);
        bool load = inst.opcode == Opcode::ld;
        const Operand& value = inst.operands[load ? 0 : 1];
        for (int k = 0; k < vector_count(inst); ++k) {
            auto slot = std::find_if(slots.begin(), slots.end(),
                                     [&](const ParamSlot& s) { return s.offset == offset + k * bytes; });
            Operand reg;
            reg.kind = Operand::Kind::reg;
            reg.id = slot->reg;
            const Operand& element = value.kind == Operand::Kind::vector ? value.elements[k] : value;
            if (element.kind == Operand::Kind::sink) continue;
            Instruction move;
            move.opcode = Opcode::mov;
            move.types[0] = load ? inst.type() : slot->type;  // a narrow load extends as its type says
            move.guard = inst.guard;
            move.line = inst.line;
            move.column = inst.column;
            move.source = inst.source;
            move.operands = load ? std::vector<Operand>{element, reg} : std::vector<Operand>{reg, element};
            code.push_back(std::move(move));
        }
    }
    position.back() = static_cast<std::uint32_t>(code.size());
    for (std::uint32_t& label : flat.labels) label = position[label];
    flat.code = std::move(code);
}

}  // namespace lockstep::kernel
