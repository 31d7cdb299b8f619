#include "ptx/link.h"

#include <fmt/format.h>

#include <set>

namespace lockstep::ptx {
namespace {

// Positions of one input's tables in the joined module.
struct Maps {
    std::vector<std::uint32_t> functions, variables;
    int first_line = 0, first_file = 0;
};

void remap(Operand& operand, const Maps& maps) {
    if (operand.kind == Operand::Kind::function) operand.id = maps.functions[operand.id];
    if (operand.kind == Operand::Kind::variable && !operand.local) operand.id = maps.variables[operand.id];
    for (Operand& element : operand.elements) remap(element, maps);
}

bool is_defined(const Variable& variable) { return variable.linkage != Linkage::external; }
bool is_public(Linkage linkage) {
    return linkage == Linkage::visible || linkage == Linkage::weak || linkage == Linkage::common;
}

// A block's shared memory is laid out by name. Functions, blocks of statements and other inputs may use the
// same name for variables of their own: all but the first get another one, which no PTX can contain.
void name_shared_apart(Module& module) {
    std::set<std::string> taken;
    auto name_apart = [&](std::vector<Variable>& variables) {
        for (Variable& variable : variables) {
            if (variable.space != Space::shared) continue;
            const std::string name = variable.name;
            for (int n = 2; !taken.insert(variable.name).second; ++n)
                variable.name = fmt::format("{}.{}", name, n);
        }
    };
    name_apart(module.variables);
    for (Function& function : module.functions) name_apart(function.variables);
}

}  // namespace

Result<Linked> link(std::vector<Module> modules) {
    Linked out;
    out.module.name = modules.empty() ? "" : modules[0].name;
    if (!modules.empty()) {
        out.module.version_major = modules[0].version_major;
        out.module.version_minor = modules[0].version_minor;
        out.module.target = modules[0].target;
        out.module.target_options = modules[0].target_options;
        out.module.address_size = modules[0].address_size;
    }
    std::vector<Maps> maps(modules.size());
    std::map<std::string, std::uint32_t> public_functions, public_variables;
    out.module.files.push_back("");
    out.functions.resize(modules.size());
    out.variables.resize(modules.size());

    // Everything that is defined gets its place first.
    for (std::size_t m = 0; m < modules.size(); ++m) {
        Module& module = modules[m];
        maps[m].first_file = static_cast<int>(out.module.files.size()) - 1;
        maps[m].first_line = static_cast<int>(out.module.lines.size());
        if (!module.files.empty())
            out.module.files.insert(out.module.files.end(), module.files.begin() + 1, module.files.end());
        for (SourceLine line : module.lines) {
            if (line.file > 0) line.file += maps[m].first_file;
            if (line.inlined_at >= 0) line.inlined_at += maps[m].first_line;
            out.module.lines.push_back(std::move(line));
        }
        maps[m].functions.assign(module.functions.size(), ~0u);
        maps[m].variables.assign(module.variables.size(), ~0u);
        for (std::size_t f = 0; f < module.functions.size(); ++f) {
            Function& function = module.functions[f];
            if (function.declaration) continue;
            auto index = static_cast<std::uint32_t>(out.module.functions.size());
            if (is_public(function.linkage) || function.entry) {
                auto [place, fresh] = public_functions.emplace(function.name, index);
                bool clash = function.linkage == Linkage::visible && !fresh && !function.entry &&
                             out.module.functions[place->second].linkage == Linkage::visible;
                if (clash)
                    return Error{"function " + function.name + " is defined twice",
                                 {module.name, function.line, 0}};
            }
            maps[m].functions[f] = index;
            out.module.functions.push_back(std::move(function));
        }
        for (std::size_t v = 0; v < module.variables.size(); ++v) {
            const Variable& variable = module.variables[v];
            if (!is_defined(variable)) continue;
            auto index = static_cast<std::uint32_t>(out.module.variables.size());
            if (is_public(variable.linkage)) public_variables.emplace(variable.name, index);
            maps[m].variables[v] = index;
            out.module.variables.push_back(variable);
        }
    }
    // Then what is only declared finds its definition, or stays declared.
    for (std::size_t m = 0; m < modules.size(); ++m) {
        Module& module = modules[m];
        for (std::size_t f = 0; f < module.functions.size(); ++f) {
            std::uint32_t& place = maps[m].functions[f];
            if (place != ~0u) continue;
            auto [known, fresh] = public_functions.emplace(
                module.functions[f].name, static_cast<std::uint32_t>(out.module.functions.size()));
            if (fresh) out.module.functions.push_back(std::move(module.functions[f]));
            place = known->second;
        }
        for (std::size_t v = 0; v < module.variables.size(); ++v) {
            std::uint32_t& place = maps[m].variables[v];
            if (place != ~0u) continue;
            auto [known, fresh] = public_variables.emplace(
                module.variables[v].name, static_cast<std::uint32_t>(out.module.variables.size()));
            if (fresh) out.module.variables.push_back(module.variables[v]);
            place = known->second;
        }
    }
    for (std::size_t m = 0; m < modules.size(); ++m) {
        for (std::uint32_t f : maps[m].functions) out.functions[m].emplace(out.module.functions[f].name, f);
        for (std::uint32_t v : maps[m].variables) out.variables[m].emplace(out.module.variables[v].name, v);
    }
    // References, each input's own once.
    std::vector<bool> done_functions(out.module.functions.size()),
        done_variables(out.module.variables.size());
    for (std::size_t m = 0; m < modules.size(); ++m) {
        for (std::uint32_t f : maps[m].functions) {
            Function& function = out.module.functions[f];
            if (function.declaration || done_functions[f]) continue;
            done_functions[f] = true;
            for (Instruction& inst : function.instructions) {
                if (inst.source >= 0) inst.source += maps[m].first_line;
                for (Operand& operand : inst.operands) remap(operand, maps[m]);
            }
        }
        for (std::uint32_t v : maps[m].variables) {
            if (done_variables[v]) continue;
            done_variables[v] = true;
            for (InitElement& element : out.module.variables[v].init) {
                if (element.kind == InitElement::Kind::function) element.id = maps[m].functions[element.id];
                if (element.kind == InitElement::Kind::variable) element.id = maps[m].variables[element.id];
            }
        }
    }
    name_shared_apart(out.module);
    return out;
}

}  // namespace lockstep::ptx
