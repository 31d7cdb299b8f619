// The local data share: the work-group's memory.
#include <optional>
#include <string_view>

#include "exec/wave/access.h"
#include "exec/wave/emitter.h"
#include "exec/wave/names.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;

Value* address(Emitter& e, const Inst& inst, std::size_t operand, std::uint64_t offset) {
    auto& b = e.builder();
    // 32 bits, and the sum wraps round: since gfx9 the register may hold a negative number.
    Value* sum =
        b.CreateAdd(e.vector32(inst.operands.at(operand)), e.number32(static_cast<std::uint32_t>(offset)));
    return b.CreateZExt(sum, e.vector_of(b.getInt64Ty()));
}

// Of the LDS.
std::optional<MemoryForm> shared_form(std::string_view type) {
    auto form = form_of(type);
    if (form) form->space = Space::shared;
    return form;
}

// ds_read2_b32 d, address offset0:A offset1:B: two accesses, offsets in elements; st64: in 64 of them.
bool two(Emitter& e, const Inst& inst, std::string_view type, bool read, bool strided) {
    const auto form = shared_form(type);
    if (!form || form->bytes < 4) return false;
    const std::uint64_t step = std::uint64_t{form->bytes} * (strided ? 64 : 1);
    const auto offset = [&](const char* name) { return static_cast<std::uint64_t>(inst.value(name)) * step; };
    const int words = static_cast<int>(form->bytes / 4);
    if (read) {
        // Both addresses are read before the first result is written: it may be the address's register.
        Value* first = address(e, inst, 1, offset("offset0"));
        Value* second = address(e, inst, 1, offset("offset1"));
        access_load(e, inst, *form, first, inst.operands.at(0), 0);
        access_load(e, inst, *form, second, inst.operands.at(0), words);
    } else {
        access_store(e, inst, *form, address(e, inst, 0, offset("offset0")), inst.operands.at(1));
        access_store(e, inst, *form, address(e, inst, 0, offset("offset1")), inst.operands.at(2));
    }
    return true;
}

bool atomic(Emitter& e, const Inst& inst, std::string_view name) {
    MemoryForm form;
    form.space = Space::shared;
    form.bytes = name.ends_with("64") ? 8 : 4;
    const std::size_t split = name.rfind('_');
    if (split == std::string_view::npos) return false;
    const std::string_view type = name.substr(split + 1);
    std::string_view op = name.substr(0, split);
    bool exchange = takes_prefix(op, "wrxchg") || takes_prefix(op, "storexchg");
    if (exchange && op.starts_with("_rtn")) op.remove_prefix(4);
    form.returns = exchange;
    if (op.ends_with("_rtn")) {
        form.returns = true;
        op.remove_suffix(4);
    }
    const bool is_signed = type.starts_with("i"), floating = type.starts_with("f");
    bool compares = false;
    if (exchange)
        form.atomic = AtomicOp::swap;
    else if (op == "add")
        form.atomic = floating ? AtomicOp::fadd : AtomicOp::add;
    else if (op == "sub")
        form.atomic = AtomicOp::sub;
    else if (op == "rsub")
        form.atomic = AtomicOp::rsub;
    else if (op == "min")
        form.atomic = floating ? AtomicOp::fmin : is_signed ? AtomicOp::smin : AtomicOp::umin;
    else if (op == "max")
        form.atomic = floating ? AtomicOp::fmax : is_signed ? AtomicOp::smax : AtomicOp::umax;
    else if (op == "and")
        form.atomic = AtomicOp::bit_and;
    else if (op == "or")
        form.atomic = AtomicOp::bit_or;
    else if (op == "xor")
        form.atomic = AtomicOp::bit_xor;
    else if (op == "inc")
        form.atomic = AtomicOp::inc;
    else if (op == "dec")
        form.atomic = AtomicOp::dec;
    else if (op == "cmpst" || op == "cmpstore")
        form.atomic = AtomicOp::cmpswap, compares = true;
    else
        return false;
    const std::size_t at = form.returns ? 1 : 0;
    Value* where = address(e, inst, at, static_cast<std::uint64_t>(inst.value("offset")));
    if (compares) {
        // ds_cmpst has what is compared first; ds_cmpstore of gfx11 the new value.
        const bool value_first = op == "cmpstore";
        const gcn::Operand& value = inst.operands.at(value_first ? at + 1 : at + 2);
        const gcn::Operand& compared = inst.operands.at(value_first ? at + 2 : at + 1);
        access_atomic(e, inst, form, where, value, &compared);
    } else {
        access_atomic(e, inst, form, where, inst.operands.at(at + 1));
    }
    return true;
}

}  // namespace

bool emit_lds(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    if (!takes_prefix(name, "ds_") || inst.has("gds")) return false;
    if (name == "bpermute_b32" || name == "permute_b32" || name == "swizzle_b32") return false;
    if (name == "nop") return true;
    for (const auto& [prefix, read] :
         {std::pair{"read", true}, {"load", true}, {"write", false}, {"store", false}}) {
        std::string_view rest = name;
        if (!takes_prefix(rest, prefix) || rest.starts_with("x")) continue;
        if (takes_prefix(rest, "2st64_") || takes_prefix(rest, "_2addr_stride64_"))
            return two(e, inst, rest, read, true);
        if (takes_prefix(rest, "2_") || takes_prefix(rest, "_2addr_")) return two(e, inst, rest, read, false);
        if (!takes_prefix(rest, "_")) return false;
        auto form = shared_form(rest);
        if (!form) return false;
        if (!read) form->keeps_half = false;
        Value* where = address(e, inst, read ? 1 : 0, static_cast<std::uint64_t>(inst.value("offset")));
        read ? access_load(e, inst, *form, where, inst.operands.at(0))
             : access_store(e, inst, *form, where, inst.operands.at(1));
        return true;
    }
    return atomic(e, inst, name);
}

}  // namespace lockstep::exec::wave
