#include "ptx/compare.h"

#include <map>
#include <tuple>

#include "ptx/printer.h"

namespace lockstep::ptx {
namespace {

// Numbers places by what they say, the same for both modules.
class Places {
  public:
    std::vector<int> number(const Module& module) {
        std::vector<int> ids;
        for (const SourceLine& line : module.lines) {
            int parent = line.inlined_at == -1 ? -1 : ids[static_cast<std::size_t>(line.inlined_at)];
            auto key = std::tuple(line.file, line.line, line.column, parent, line.function);
            ids.push_back(known_.try_emplace(std::move(key), static_cast<int>(known_.size())).first->second);
        }
        return ids;
    }

  private:
    std::map<std::tuple<int, int, int, int, std::string>, int> known_;
};

bool same_header(const Function& a, const Function& b) {
    auto fields = [](const Function& f) {
        return std::tie(f.name, f.entry, f.declaration, f.linkage, f.noreturn, f.returns, f.params,
                        f.variables, f.max_threads, f.required_threads, f.min_blocks_per_sm, f.max_registers,
                        f.cluster, f.max_cluster_rank, f.explicit_cluster, f.blocks_are_clusters, f.alias_of);
    };
    return fields(a) == fields(b);
}

bool same_tables(const Function& a, const Function& b) {
    auto fields = [](const Function& f) {
        return std::tie(f.registers, f.labels, f.branch_tables, f.prototypes);
    };
    return fields(a) == fields(b);
}

bool same_instruction(const Instruction& a, const Instruction& b) {
    auto fields = [](const Instruction& i) {
        return std::tie(i.opcode, i.mods, i.types, i.operands, i.guard, i.row, i.words);
    };
    return fields(a) == fields(b);
}

}  // namespace

std::string difference(const Module& a, const Module& b) {
    auto head = [](const Module& m) {
        return std::tie(m.version_major, m.version_minor, m.target, m.target_options, m.address_size,
                        m.files);
    };
    if (head(a) != head(b)) return "version, target or files differ";
    if (a.variables.size() != b.variables.size()) return "the number of variables differs";
    for (std::size_t i = 0; i < a.variables.size(); ++i)
        if (a.variables[i] != b.variables[i]) return "variable " + a.variables[i].name + " differs";
    if (a.functions.size() != b.functions.size()) return "the number of functions differs";
    Places places;
    std::vector<int> a_lines = places.number(a);
    std::vector<int> b_lines = places.number(b);
    for (std::size_t i = 0; i < a.functions.size(); ++i) {
        const Function& f = a.functions[i];
        const Function& g = b.functions[i];
        if (!same_header(f, g)) return "the header or variables of " + f.name + " differ";
        if (!same_tables(f, g)) return "registers, labels or tables of " + f.name + " differ";
        if (f.instructions.size() != g.instructions.size())
            return "the number of instructions of " + f.name + " differs";
        for (std::size_t k = 0; k < f.instructions.size(); ++k) {
            const Instruction& x = f.instructions[k];
            const Instruction& y = g.instructions[k];
            auto where = [&] { return f.name + ": " + print(x, a, f); };
            if (!same_instruction(x, y)) return where() + " differs from " + print(y, b, g);
            int x_line = x.source == -1 ? -1 : a_lines[static_cast<std::size_t>(x.source)];
            int y_line = y.source == -1 ? -1 : b_lines[static_cast<std::size_t>(y.source)];
            if (x_line != y_line) return where() + " has another source line";
            if (x.no_unroll != y.no_unroll) return where() + " has another pragma";
        }
    }
    return {};
}

}  // namespace lockstep::ptx
