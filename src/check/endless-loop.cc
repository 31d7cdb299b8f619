#include "check/endless-loop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/demangle.h"
#include "kernel/accesses.h"
#include "kernel/graph.h"

namespace lockstep::check {
namespace {

using kernel::BlockId;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

class Loop {
  public:
    // `loop`: an index into Function::loops; none of them: the block alone.
    Loop(const kernel::Function& function, BlockId at, int loop)
        : function_(function), module_(*function.module), loop_(loop) {
        for (BlockId b = 0; b < function.blocks.size(); ++b) {
            const bool in = loop_ < 0 ? b == at : function.loops[static_cast<std::size_t>(loop_)].contains[b];
            if (in) blocks_.push_back(b);
        }
    }

    bool is_loop() const { return loop_ >= 0; }

    // The first line that is the loop's own, and not one of a function that is called in it.
    std::optional<ptx::SourceLine> line() const {
        const ptx::SourceLine* scope = nullptr;
        for (const BlockId b : blocks_) {
            const kernel::Terminator& end = function_.blocks[b].terminator;
            for (const BlockId to : end.targets)
                if (is_loop() && to == function_.loops[static_cast<std::size_t>(loop_)].header)
                    if (const ptx::SourceLine* const line = line_of(end.source)) scope = line;
        }
        std::optional<ptx::SourceLine> first;
        const auto look = [&](int source) {
            const ptx::SourceLine* line = line_of(source);
            if (scope)
                while (line && !same_scope(*line, *scope)) line = line_of(line->inlined_at);
            if (line && (!first || line->line < first->line)) first = *line;
        };
        for (const BlockId b : blocks_) {
            for (const ptx::Instruction& inst : function_.blocks[b].instructions) look(inst.source);
            look(function_.blocks[b].terminator.source);
        }
        return first;
    }

    // Whether its end follows from what it computes, without a look at memory.
    bool counts() const {
        why();
        return counts_;
    }

    // Whether other code of the kernel would have to end it.
    bool waits() const {
        why();
        return waits_;
    }

    std::string why() const {
        counts_ = waits_ = false;
        if (!is_loop()) return {};
        std::vector<kernel::RegId> conditions;
        bool leaves = false;
        for (const BlockId b : blocks_) {
            const kernel::Terminator& end = function_.blocks[b].terminator;
            const bool out = std::any_of(end.targets.begin(), end.targets.end(), [&](BlockId to) {
                return std::find(blocks_.begin(), blocks_.end(), to) == blocks_.end();
            });
            const bool ends =
                end.kind == kernel::Terminator::Kind::ret || end.kind == kernel::Terminator::Kind::exit;
            leaves |= out || ends;
            if (out && end.guard) conditions.push_back(end.guard->reg);
        }
        if (!leaves) return "the loop has no way out";
        if (conditions.empty()) return {};
        return why(conditions);
    }

  private:
    const ptx::SourceLine* line_of(int source) const {
        if (source < 0 || source >= static_cast<int>(module_.lines.size())) return nullptr;
        const ptx::SourceLine& line = module_.lines[static_cast<std::size_t>(source)];
        return line.line > 0 && line.file > 0 ? &line : nullptr;
    }
    static bool same_scope(const ptx::SourceLine& a, const ptx::SourceLine& b) {
        return a.file == b.file && a.function == b.function && a.inlined_at == b.inlined_at;
    }

    // What the ways out depend on, as far as the loop computes it.
    std::string why(std::vector<kernel::RegId> left) const {
        std::map<kernel::RegId, std::vector<const ptx::Instruction*>> inside;
        for (const BlockId b : blocks_)
            for (const ptx::Instruction& inst : function_.blocks[b].instructions)
                for (const kernel::RegId reg : kernel::registers_written(function_, inst))
                    inside[reg].push_back(&inst);
        std::set<kernel::RegId> seen(left.begin(), left.end());
        std::vector<const ptx::Instruction*> looks;
        std::set<int> changes;
        bool calls = false, changed = false;
        while (!left.empty()) {
            const kernel::RegId reg = left.back();
            left.pop_back();
            const auto found = inside.find(reg);
            if (found == inside.end()) continue;
            for (const ptx::Instruction* const made : found->second) {
                const ptx::Instruction& inst = *made;
                calls |= inst.opcode == Opcode::call;
                if (!kernel::accesses_of(function_, inst).empty() && inst.opcode != Opcode::st) {
                    looks.push_back(&inst);
                    continue;
                }
                bool own = false;  // it is computed from what it was before
                for (const kernel::RegId source : kernel::registers_read(function_, inst)) {
                    own |= seen.count(source) && inside.count(source);
                    if (seen.insert(source).second) left.push_back(source);
                }
                changed |= own;
                if (const ptx::SourceLine* const line = line_of(inst.source); line && own)
                    changes.insert(line->line);
            }
        }
        if (calls) return {};
        // A look at one place waits for it to change; one at many searches.
        const auto searches = [&](const ptx::Instruction* look) {
            const Operand& address = look->operands[kernel::accesses_of(function_, *look)[0].operand];
            const Operand& base = address.kind == Operand::Kind::address ? address.elements[0] : address;
            return base.kind == Operand::Kind::reg && inside.count(base.id);
        };
        if (const auto waits = std::find_if_not(looks.begin(), looks.end(), searches); waits != looks.end())
            return waits_for(**waits);
        if (!looks.empty()) {
            std::set<int> lines;
            for (const ptx::Instruction* const look : looks)
                if (const ptx::SourceLine* const line = line_of(look->source)) lines.insert(line->line);
            if (lines.empty()) return {};
            return fmt::format("its condition depends on what it reads at line{} {}, which never ends it",
                               lines.size() > 1 ? "s" : "", fmt::join(lines, ", "));
        }
        if (!changed) return "its condition depends on nothing that the loop changes";
        counts_ = true;
        if (changes.empty()) return {};
        return fmt::format("its condition depends on what line{} {} compute{}, which never comes to end it",
                           changes.size() > 1 ? "s" : "", fmt::join(changes, ", "),
                           changes.size() > 1 ? "" : "s");
    }

    std::string waits_for(const ptx::Instruction& look) const {
        const auto access = kernel::accesses_of(function_, look)[0];
        const auto root = root_of(look.operands[access.operand]);
        std::set<int> writers;
        bool known = root.has_value(), written_here = false;
        for (BlockId b = 0; b < function_.blocks.size() && known; ++b)
            for (const ptx::Instruction& inst : function_.blocks[b].instructions)
                for (const kernel::Access& other : kernel::accesses_of(function_, inst)) {
                    if (inst.opcode == Opcode::ld || inst.opcode == Opcode::ldu) continue;
                    if (&inst == &look && !changes_memory(inst)) continue;
                    const auto base = root_of(inst.operands[other.operand]);
                    if (!base) {
                        known = false;
                        continue;
                    }
                    if (*base != *root) continue;
                    written_here |= std::find(blocks_.begin(), blocks_.end(), b) != blocks_.end();
                    if (const ptx::SourceLine* const line = line_of(inst.source)) writers.insert(line->line);
                }
        const ptx::SourceLine* const line = line_of(look.source);
        const std::string at = line ? fmt::format(" at line {}", line->line) : "";
        const bool atomic = look.opcode == Opcode::atom;
        const char* const memory = access.space == ptx::Space::shared ? "shared memory" : "memory";
        std::string text = fmt::format("it ends when the {} that it {}{} has another value", memory,
                                       atomic ? "tries" : "reads", at);
        if (!known) return text;
        if (writers.empty()) return text + ", and nothing in this kernel writes that";
        waits_ = !written_here;
        return text + fmt::format(", which line{} {} would have to write", writers.size() > 1 ? "s" : "",
                                  fmt::join(writers, ", "));
    }

    static bool changes_memory(const ptx::Instruction& inst) { return !inst.has(Modifier::cas); }

    // The parameter or variable from which an address is made; none: not known.
    std::optional<std::string> root_of(const Operand& address) const {
        const Operand* at = address.kind == Operand::Kind::address ? &address.elements[0] : &address;
        std::set<kernel::RegId> seen;
        while (at->kind == Operand::Kind::reg) {
            if (!seen.insert(at->id).second) return std::nullopt;
            const ptx::Instruction* const made = only_definition(at->id);
            if (!made) return std::nullopt;
            switch (made->opcode) {
                case Opcode::ld:
                    if (!kernel::is_plain_parameter_load(function_, *made)) return std::nullopt;
                    return fmt::format("parameter {} {}", made->operands[1].elements[0].id,
                                       made->operands[1].offset);
                case Opcode::cvta:
                case Opcode::mov: at = &made->operands[1]; break;
                case Opcode::add:
                case Opcode::mad: {
                    // The one that is wide: an index has been multiplied.
                    const Operand& last = made->operands.back();
                    const Operand& first = made->operands[1];
                    const auto pointer = [&](const Operand& o) {
                        if (o.kind != Operand::Kind::reg) return o.kind != Operand::Kind::integer;
                        const ptx::Instruction* const d = only_definition(o.id);
                        return d && d->opcode != Opcode::mul && d->opcode != Opcode::shl &&
                               d->opcode != Opcode::cvt;
                    };
                    if (made->opcode == Opcode::mad)
                        at = &last;
                    else if (pointer(first) != pointer(last))
                        at = pointer(first) ? &first : &last;
                    else
                        return std::nullopt;
                    break;
                }
                default: return std::nullopt;
            }
            if (at->kind == Operand::Kind::address) at = &at->elements[0];
        }
        if (at->kind == Operand::Kind::variable) return fmt::format("variable {} {}", at->local, at->id);
        return std::nullopt;
    }

    const ptx::Instruction* only_definition(kernel::RegId reg) const {
        if (definitions_.empty())
            for (const kernel::Block& block : function_.blocks)
                for (const ptx::Instruction& inst : block.instructions)
                    for (const kernel::RegId written : kernel::registers_written(function_, inst)) {
                        auto [known, fresh] = definitions_.try_emplace(written, &inst);
                        if (!fresh) known->second = nullptr;
                    }
        const auto found = definitions_.find(reg);
        return found == definitions_.end() ? nullptr : found->second;
    }

    const kernel::Function& function_;
    const ptx::Module& module_;
    int loop_;
    std::vector<BlockId> blocks_;
    mutable bool counts_ = false, waits_ = false;
    mutable std::map<kernel::RegId, const ptx::Instruction*> definitions_;  // null: several
};

}  // namespace

EndlessLoop endless_loop(const KernelCode& code, std::uint32_t numbered_block) {
    const kernel::NumberedBlock& at = code.kernel->blocks[numbered_block];
    const kernel::Function& function = code.kernel->functions[at.function];
    // A loop that counts comes to its end: it is the one around it that does not.
    int number = function.blocks[at.block].loop;
    for (int around = number; around >= 0; around = function.loops[static_cast<std::size_t>(around)].parent)
        if (!Loop(function, at.block, around).counts()) {
            number = around;
            break;
        }
    const Loop loop(function, at.block, number);
    EndlessLoop found{
        .place = {.function = code.name, .role = "loop"}, .why = loop.why(), .waits = loop.waits()};
    if (const auto line = loop.line()) {
        found.place.line = line->line;
        found.place.file = function.module->files[static_cast<std::size_t>(line->file)];
        if (!line->function.empty()) found.place.function = base::demangle(line->function);
    }
    return found;
}

}  // namespace lockstep::check
