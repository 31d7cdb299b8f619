// From a PTX function to basic blocks in priority order.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernel/graph.h"
#include "kernel/inline.h"
#include "kernel/ir.h"
#include "kernel/limits.h"
#include "kernel/loops.h"
#include "kernel/operands.h"
#include "kernel/print.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

Error too_large(const Function& function, const std::string& why) {
    return Error{fmt::format("'{}' is too large: {}", function.name, why), {}};
}

bool ends_block(const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::bra:
        case Opcode::brx:
        case Opcode::ret:
        case Opcode::exit: return true;
        default: return false;
    }
}

class BlockBuilder {
  public:
    BlockBuilder(const Flat& flat, Function& function) : flat_(flat), function_(function) {}

    void run() {
        find_leaders();
        for (std::uint32_t start : leaders_) {
            block_at_[start] = static_cast<BlockId>(function_.blocks.size());
            function_.blocks.emplace_back();
        }
        for (auto it = leaders_.begin(); it != leaders_.end(); ++it) {
            std::uint32_t end = std::next(it) == leaders_.end() ? size() : *std::next(it);
            fill(block_at_[*it], *it, end);
        }
        function_.blocks[end_block()].terminator.kind = Terminator::Kind::ret;
    }

  private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(flat_.code.size()); }

    void find_leaders() {
        leaders_.insert(0);
        leaders_.insert(size());  // a function may end without ret: an empty block that returns
        for (std::uint32_t i = 0; i < size(); ++i) {
            const Instruction& inst = flat_.code[i];
            // A label that nothing jumps to, as debug information has them, divides nothing.
            if (inst.opcode == Opcode::bra) leaders_.insert(flat_.labels[inst.operands[0].id]);
            if (inst.opcode == Opcode::brx)
                for (std::uint32_t label : flat_.branch_tables[inst.operands[1].id])
                    leaders_.insert(flat_.labels[label]);
            if (ends_block(inst)) leaders_.insert(i + 1);
            if (is_sync_point(inst)) {  // lanes may have to wait there: a block of its own
                leaders_.insert(i);
                leaders_.insert(i + 1);
            }
        }
    }

    BlockId end_block() { return block_at_[size()]; }
    BlockId label_block(std::uint32_t label) { return block_at_[flat_.labels[label]]; }

    // A block that only leaves, for a guarded ret or exit.
    BlockId leaving_block(const Instruction& inst) {
        auto id = static_cast<BlockId>(function_.blocks.size());
        function_.blocks.emplace_back();
        Terminator& end = function_.blocks.back().terminator;
        end.kind = inst.opcode == Opcode::ret ? Terminator::Kind::ret : Terminator::Kind::exit;
        end.line = inst.line;
        end.source = inst.source;
        return id;
    }

    void fill(BlockId id, std::uint32_t begin, std::uint32_t end) {
        Terminator terminator;
        BlockId next = end == size() ? end_block() : block_at_[end];
        terminator.kind = Terminator::Kind::jump;
        terminator.targets = {next};
        std::uint32_t body_end = end;
        if (begin < end && ends_block(flat_.code[end - 1])) {
            body_end = end - 1;
            const Instruction& inst = flat_.code[end - 1];
            terminator.has_instruction = true;
            terminator.guard = inst.guard;
            terminator.line = inst.line;
            terminator.source = inst.source;
            if (inst.opcode == Opcode::bra) {
                BlockId target = label_block(inst.operands[0].id);
                terminator.targets = {target};
                if (inst.guard && target != next) {
                    terminator.kind = Terminator::Kind::branch;
                    terminator.targets = {target, next};
                } else {
                    terminator.guard.reset();
                }
            } else if (inst.opcode == Opcode::brx) {
                terminator.kind = Terminator::Kind::table;
                terminator.index = inst.operands[0];
                terminator.targets.clear();
                for (std::uint32_t label : flat_.branch_tables[inst.operands[1].id])
                    terminator.targets.push_back(label_block(label));
            } else if (inst.guard) {
                terminator.kind = Terminator::Kind::branch;
                terminator.targets = {leaving_block(inst), next};
            } else {
                terminator.kind = inst.opcode == Opcode::ret ? Terminator::Kind::ret : Terminator::Kind::exit;
                terminator.targets.clear();
            }
        }
        Block& block = function_.blocks[id];
        block.instructions.assign(flat_.code.begin() + begin, flat_.code.begin() + body_end);
        if (id == end_block()) terminator = {};
        block.terminator = std::move(terminator);
    }

    const Flat& flat_;
    Function& function_;
    std::set<std::uint32_t> leaders_;
    std::map<std::uint32_t, BlockId> block_at_;
};

Result<void> place_local_variables(Function& function) {
    std::uint64_t offset = 0;
    const std::set<std::uint32_t> own(function.params.begin(), function.params.end());
    for (std::uint32_t v = 0; v < function.variables.size(); ++v) {
        const ptx::Variable& variable = function.variables[v];
        const bool passed = variable.space == ptx::Space::param && !(function.entry && own.count(v));
        if (passed && variable.size() > max_call_bytes)
            return too_large(function, fmt::format("the parameter '{}' has {} bytes; the limit is {}",
                                                   variable.name, variable.size(), max_call_bytes));
        if (variable.space != ptx::Space::local) continue;
        const std::uint64_t align = std::max<std::uint64_t>(variable.align(), 1);
        offset = (offset + align - 1) / align * align;
        function.local_offsets[v] = static_cast<std::uint32_t>(offset);
        offset += variable.size();
        if (offset > max_local_bytes)
            return too_large(function, fmt::format("its local variables take {} bytes or more a thread; the "
                                                   "limit is {}",
                                                   offset, max_local_bytes));
    }
    function.local_bytes = static_cast<std::uint32_t>((offset + 15) / 16 * 16);
    return {};
}

Result<void> check_code(const Function& function, const Flat& flat) {
    if (flat.code.size() > max_instructions)
        return too_large(function, fmt::format("it has {} instructions; the limit is {}", flat.code.size(),
                                               max_instructions));
    std::size_t targets = 0;
    for (const Instruction& inst : flat.code)
        if (inst.opcode == Opcode::brx) targets += flat.branch_tables[inst.operands[1].id].size();
    if (targets > max_branch_targets)
        return too_large(function, fmt::format("its brx.idx instructions have {} targets; the limit is {}",
                                               targets, max_branch_targets));
    return {};
}

Result<void> check_blocks(const Function& function) {
    const std::uint64_t blocks = function.blocks.size(), registers = function.registers.size();
    if (blocks > max_blocks)
        return too_large(function,
                         fmt::format("it has {} basic blocks; the limit is {}", blocks, max_blocks));
    if (blocks * registers > max_block_registers)
        return too_large(function,
                         fmt::format("it has {} basic blocks and {} registers; their product may be "
                                     "at most {}",
                                     blocks, registers, max_block_registers));
    return {};
}

// wgmma adds to what its first operand holds: that is read, too.
void add_accumulators(Flat& flat) {
    for (Instruction& inst : flat.code)
        if (inst.opcode == Opcode::wgmma && inst.has(Modifier::mma_async)) {
            Operand accumulators = inst.operands[0];
            inst.operands.push_back(std::move(accumulators));
        }
}

}  // namespace

bool is_sync_point(const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::bar: return true;
        case Opcode::barrier: return !inst.has(Modifier::cluster) || inst.has(Modifier::wait);
        case Opcode::shfl:
        case Opcode::vote:
        case Opcode::match:
        case Opcode::redux: return inst.has(Modifier::sync);
        default: return false;
    }
}

bool is_block_barrier(const Instruction& inst) {
    return (inst.opcode == Opcode::bar || inst.opcode == Opcode::barrier) && !inst.has(Modifier::warp) &&
           is_sync_point(inst);
}

Result<Function> build(const ptx::Module& module, std::uint32_t index, ExternalTest is_external,
                       const PassTap& tap) {
    Function function;
    function.module = &module;
    function.index = index;
    function.name = module.functions[index].name;
    function.entry = module.functions[index].entry;
    auto flat = flatten(module, index, is_external, function);
    if (!flat) return flat.error();
    if (auto fits = check_code(function, *flat); !fits) return fits.error();
    add_accumulators(*flat);
    tap.after("inline", [&] { return print(*flat, function); });
    promote_call_params(*flat, function);
    tap.after("parameters", [&] { return print(*flat, function); });
    if (auto fits = place_local_variables(function); !fits) return fits.error();
    BlockBuilder(*flat, function).run();
    if (auto fits = check_blocks(function); !fits) return fits.error();
    tap.after("blocks", [&] { return print(function); });
    order_blocks(function);
    tap.after("order", [&] { return print(function); });
    return function;
}

}  // namespace lockstep::kernel
