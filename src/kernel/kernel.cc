#include "kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "kernel/accesses.h"
#include "kernel/limits.h"
#include "kernel/operands.h"
#include "kernel/print.h"
#include "kernel/slow-ways.h"
#include "ptx/kernel-memory.h"

namespace lockstep::kernel {
namespace {

using ptx::Opcode;
using ptx::Operand;

// Whether the block is always entered after its one predecessor, with the same lanes. Where lanes may be
// apart, they meet or part before and behind a barrier.
bool follows(const Function& function, const Shapes& shapes, BlockId id) {
    const Block& block = function.blocks[id];
    if (id == 0 || block.predecessors.size() != 1 || block.predecessors[0] >= id) return false;
    const BlockId before = block.predecessors[0];
    if (function.blocks[before].terminator.kind != Terminator::Kind::jump) return false;
    return !shapes.unordered && !meets(function, shapes, id) && !meets(function, shapes, before);
}

void number_blocks(Kernel& kernel) {
    for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
        const Function& function = kernel.functions[f];
        const auto first = static_cast<std::uint32_t>(kernel.blocks.size());
        for (BlockId b = 0; b < function.blocks.size(); ++b) {
            const Block& block = function.blocks[b];
            const std::uint32_t with = follows(function, kernel.shapes[f], b)
                                           ? kernel.blocks[first + block.predecessors[0]].entered_with
                                           : first + b;
            const auto instructions =
                static_cast<std::uint32_t>(block.instructions.size() + block.terminator.has_instruction);
            kernel.blocks.push_back({f, b, instructions, with});
        }
    }
}

// commit_group and the waits for such groups, which order a thread's own copies, or a warpgroup's products.
bool is_about_groups(const ptx::Instruction& inst) {
    return inst.has(ptx::Modifier::commit_group) || inst.has(ptx::Modifier::wait_group) ||
           inst.has(ptx::Modifier::wait_all);
}

// What else is told of than accesses.
SiteKind kind_of(const Function& function, const ptx::Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::membar:
        case Opcode::fence: return SiteKind::fence;
        case Opcode::mbarrier:
            return inst.has(ptx::Modifier::pending_count) ? SiteKind::none : SiteKind::phase;
        case Opcode::cp:
            return inst.has(ptx::Modifier::mbarrier) ? SiteKind::phase
                   : is_about_groups(inst)           ? SiteKind::fence
                                                     : SiteKind::none;
        case Opcode::wgmma:
            return inst.has(ptx::Modifier::mma_async) ? SiteKind::product
                   : is_about_groups(inst)            ? SiteKind::fence
                                                      : SiteKind::none;
        case Opcode::call: {
            const Operand& callee = *call_operands(inst).callee;
            if (callee.kind != Operand::Kind::function) return SiteKind::none;
            const std::string& name = function.module->functions[callee.id].name;
            return name == "malloc" ? SiteKind::allocation
                   : name == "free" ? SiteKind::release
                                    : SiteKind::none;
        }
        default: break;
    }
    if (slow_way(inst) != SlowWay::none) return SiteKind::slow_way;
    if (!is_sync_point(inst)) return SiteKind::none;
    return is_block_barrier(inst) ? SiteKind::barrier : SiteKind::warp_sync;
}

void number_sites(Kernel& kernel) {
    for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
        const Function& function = kernel.functions[f];
        for (BlockId b = 0; b < function.blocks.size(); ++b) {
            const auto& instructions = function.blocks[b].instructions;
            for (std::uint32_t i = 0; i < instructions.size(); ++i) {
                Site site{.ptx_line = instructions[i].line,
                          .source = instructions[i].source,
                          .function = f,
                          .block = b,
                          .instruction = i};
                for (const Access& access : accesses_of(function, instructions[i])) {
                    site.bytes = access.bytes;
                    site.kind = access.kind;
                    site.space = access.space;
                    kernel.sites.push_back(site);
                }
                site.kind = kind_of(function, instructions[i]);
                if (site.kind != SiteKind::none) kernel.sites.push_back(site);
            }
        }
    }
}

// Adds the functions that calls of the last one reach.
void add_callees(const Function& function, const std::vector<bool>& address_taken,
                 std::vector<std::uint32_t>& wanted) {
    for (const Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            for (const std::uint32_t callee : callees(function, inst, address_taken))
                if (std::find(wanted.begin(), wanted.end(), callee) == wanted.end()) wanted.push_back(callee);
}

// The variables that a call passes, the returns first; null: something else is passed.
std::vector<const ptx::Variable*> passed(const Function& function, const CallOperands& call) {
    std::vector<const ptx::Variable*> variables;
    for (const Operand* list : {call.returns, call.args}) {
        if (!list) continue;
        for (const Operand& element : list->elements)
            variables.push_back(element.kind == Operand::Kind::variable && element.local
                                    ? &function.variables[element.id]
                                    : nullptr);
    }
    return variables;
}

}  // namespace

std::uint32_t Kernel::first_block(std::uint32_t function) const {
    std::uint32_t first = 0;
    for (std::uint32_t f = 0; f < function; ++f)
        first += static_cast<std::uint32_t>(functions[f].blocks.size());
    return first;
}

std::uint32_t Kernel::first_site(std::uint32_t function, BlockId block, std::uint32_t instruction) const {
    const auto at =
        std::lower_bound(sites.begin(), sites.end(), std::tuple(function, block, instruction),
                         [](const Site& site, const auto& place) {
                             return std::tuple(site.function, site.block, site.instruction) < place;
                         });
    return static_cast<std::uint32_t>(at - sites.begin());
}

SlowWay Kernel::slow_way(const Site& site) const {
    if (site.kind != SiteKind::slow_way) return SlowWay::none;
    return kernel::slow_way(instruction_of(site));
}

bool call_fits(const Function& function, const ptx::Instruction& inst, const ptx::Function& callee) {
    const CallOperands call = call_operands(inst);
    const std::size_t returns = call.returns ? call.returns->elements.size() : 0;
    const std::vector<const ptx::Variable*> variables = passed(function, call);
    if (callee.returns.size() != returns || callee.params.size() != variables.size() - returns) return false;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const std::uint32_t own = i < returns ? callee.returns[i] : callee.params[i - returns];
        if (!variables[i] || callee.variables[own].size() != variables[i]->size()) return false;
    }
    return true;
}

std::vector<std::uint32_t> callees(const Function& function, const ptx::Instruction& inst,
                                   const std::vector<bool>& address_taken) {
    if (inst.opcode != Opcode::call) return {};
    const ptx::Module& module = *function.module;
    const Operand& callee = *call_operands(inst).callee;
    std::vector<std::uint32_t> found;
    if (callee.kind == Operand::Kind::function) {
        if (!module.functions[callee.id].declaration) found.push_back(callee.id);
        return found;
    }
    for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
        const ptx::Function& candidate = module.functions[f];
        if (!candidate.entry && !candidate.declaration && address_taken[f] &&
            call_fits(function, inst, candidate))
            found.push_back(f);
    }
    return found;
}

Source source_of(const ptx::Module& module, std::uint32_t entry) {
    return {.module = &module,
            .entry = entry,
            .is_external = [](const std::string&) { return true; },
            .address_taken = ptx::address_taken(module)};
}

Result<Kernel> analyse(const Source& source, const PassTap& tap) {
    Kernel kernel;
    kernel.row_lanes = source.row_lanes;
    std::vector<std::uint32_t> wanted{source.entry};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto function = build(*source.module, wanted[i], source.is_external, tap);
        if (!function) return function.error();
        kernel.shapes.push_back(find_shapes(*function, source.row_lanes));
        tap.after("shapes", [&] { return print(kernel.shapes.back(), *function); });
        add_callees(*function, source.address_taken, wanted);
        kernel.functions.push_back(std::move(*function));
    }
    number_blocks(kernel);
    number_sites(kernel);
    if (std::max(kernel.blocks.size(), kernel.sites.size()) > max_numbers)
        return Error{
            fmt::format("'{}' is too large: with all functions that it calls it has {} basic blocks and {} "
                        "memory accesses; the limit is {}",
                        kernel.functions.front().name, kernel.blocks.size(), kernel.sites.size(),
                        max_numbers),
            {}};
    tap.after("numbers", [&] { return print_numbers(kernel); });
    return kernel;
}

}  // namespace lockstep::kernel
