#include "machine/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernel/graph.h"
#include "kernel/print.h"
#include "machine/ptxas.h"
#include "ptx/printer.h"

namespace lockstep::machine {

Selection::Selection(const kernel::Function& function, const kernel::Shapes& shapes, Generation generation)
    : function(function),
      shapes(shapes),
      generation(generation),
      uses(function),
      additions(function.blocks.size()),
      windows(function.blocks.size()),
      constant_loads(function.blocks.size()),
      constants_at_hand(function.blocks.size()),
      tables(function.blocks.size(), kernel::no_block),
      double_constants(function.blocks.size()) {
    for (const kernel::Block& block : function.blocks) {
        std::vector<Choice>& row = choices.emplace_back();
        for (const ptx::Instruction& instruction : block.instructions)
            row.push_back(plain_choice(instruction, *function.module, generation));
    }
    find_first_shared();
}

// Those of unknown size lie behind all others.
void Selection::find_first_shared() {
    std::pair<bool, std::uint32_t> first{true, any_shared};  // of unknown size, which
    for (const kernel::Block& block : function.blocks)
        for (const ptx::Instruction& instruction : block.instructions)
            for (const ptx::Operand& any : instruction.operands) {
                const ptx::Operand& operand = any.kind == ptx::Operand::Kind::address ? any.elements[0] : any;
                if (operand.kind != ptx::Operand::Kind::variable) continue;
                const auto& variables = operand.local ? function.variables : function.module->variables;
                const ptx::Variable& variable = variables[operand.id];
                if (variable.space == ptx::Space::shared)
                    first = std::min(first, {variable.size() == 0, operand.id});
            }
    first_shared = first.second;
}

int window_issues(const Selection& s, const std::set<std::uint32_t>& variables) {
    if (variables.empty()) return 0;
    int issues = ptxas::shared_window_issues - 1;
    for (const std::uint32_t variable : variables)
        if (variable != Selection::any_shared)
            issues += variable == s.first_shared ? 1 : ptxas::shared_variable_issues;
    return std::max<int>(issues, ptxas::shared_window_issues);
}

std::string to_string(const Selection& s) {
    const ptx::Function names = kernel::names_of(s.function);
    std::string out = fmt::format("function {}\n", s.function.name);
    const auto line = [&](std::string_view mnemonic, int issues, const std::string& ptx) {
        const std::string machine = issues > 1    ? fmt::format("{} x{}", mnemonic, issues)
                                    : issues == 1 ? std::string(mnemonic)
                                                  : "-";
        fmt::format_to(std::back_inserter(out), "  {:<24} {}\n", machine, ptx);
    };
    for (kernel::BlockId b = 0; b < s.function.blocks.size(); ++b) {
        fmt::format_to(std::back_inserter(out), "block {}:\n", b);
        for (const Instruction& added : s.additions[b])
            line(added.row().mnemonic, added.issues, "(added by the machine)");
        const auto& instructions = s.function.blocks[b].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i)
            line(s.choices[b][i].row().mnemonic, s.choices[b][i].issues,
                 ptx::print(instructions[i], *s.function.module, names));
    }
    return out;
}

bool leads_out(const kernel::Function& function, kernel::BlockId block) {
    const kernel::Block& there = function.blocks[block];
    if (there.instructions.empty() && there.terminator.kind == kernel::Terminator::Kind::jump)
        block = there.terminator.targets[0];
    return kernel::is_leaving(function, block);
}

bool follows_branch(const kernel::Function& function, kernel::BlockId block) {
    const kernel::Block& it = function.blocks[block];
    return it.instructions.empty() && it.predecessors.size() == 1 &&
           function.blocks[it.predecessors[0]].terminator.kind == kernel::Terminator::Kind::branch;
}

bool is_every_turn(const kernel::Function& function, const std::vector<kernel::BlockId>& idom,
                   const kernel::Loop& loop, kernel::BlockId block) {
    return std::ranges::all_of(function.blocks[loop.header].predecessors, [&](kernel::BlockId before) {
        return !loop.contains[before] || kernel::dominates(idom, block, before);
    });
}

}  // namespace lockstep::machine
