// Vector memory: global, flat and scratch addresses, and buffers as far as they are a thread's own memory.
#include <optional>
#include <string_view>

#include "exec/wave/access.h"
#include "exec/wave/calls.h"
#include "exec/wave/emitter.h"
#include "exec/wave/names.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;
using Kind = gcn::Operand::Kind;

std::optional<AtomicOp> atomic_op(std::string_view name) {
    struct Named {
        std::string_view name;
        AtomicOp op;
    };
    static constexpr Named names[] = {
        {"add", AtomicOp::add},
        {"add_u32", AtomicOp::add},
        {"add_u64", AtomicOp::add},
        {"sub", AtomicOp::sub},
        {"sub_u32", AtomicOp::sub},
        {"sub_u64", AtomicOp::sub},
        {"smin", AtomicOp::smin},
        {"min_i32", AtomicOp::smin},
        {"min_i64", AtomicOp::smin},
        {"umin", AtomicOp::umin},
        {"min_u32", AtomicOp::umin},
        {"min_u64", AtomicOp::umin},
        {"smax", AtomicOp::smax},
        {"max_i32", AtomicOp::smax},
        {"max_i64", AtomicOp::smax},
        {"umax", AtomicOp::umax},
        {"max_u32", AtomicOp::umax},
        {"max_u64", AtomicOp::umax},
        {"and", AtomicOp::bit_and},
        {"and_b32", AtomicOp::bit_and},
        {"and_b64", AtomicOp::bit_and},
        {"or", AtomicOp::bit_or},
        {"or_b32", AtomicOp::bit_or},
        {"or_b64", AtomicOp::bit_or},
        {"xor", AtomicOp::bit_xor},
        {"xor_b32", AtomicOp::bit_xor},
        {"xor_b64", AtomicOp::bit_xor},
        {"inc", AtomicOp::inc},
        {"inc_u32", AtomicOp::inc},
        {"inc_u64", AtomicOp::inc},
        {"dec", AtomicOp::dec},
        {"dec_u32", AtomicOp::dec},
        {"dec_u64", AtomicOp::dec},
        {"swap", AtomicOp::swap},
        {"swap_b32", AtomicOp::swap},
        {"swap_b64", AtomicOp::swap},
        {"cmpswap", AtomicOp::cmpswap},
        {"cmpswap_b32", AtomicOp::cmpswap},
        {"cmpswap_b64", AtomicOp::cmpswap},
        {"add_f32", AtomicOp::fadd},
        {"add_f64", AtomicOp::fadd},
        {"min_f64", AtomicOp::fmin},
        {"max_f64", AtomicOp::fmax},
        {"min_f32", AtomicOp::fmin},
        {"max_f32", AtomicOp::fmax},
        {"pk_add_f16", AtomicOp::pk_add_f16},
    };
    for (const Named& named : names)
        if (named.name == name) return named.op;
    return std::nullopt;
}

// Every lane's address of a global or flat instruction whose address operand is number `at`.
Value* flat_address(Emitter& e, const Inst& inst, std::size_t at) {
    auto& b = e.builder();
    const auto offset = static_cast<std::uint64_t>(inst.value("offset"));
    auto* i64 = e.vector_of(b.getInt64Ty());
    const bool has_base = at + 1 < inst.operands.size() && inst.operands.back().kind == Kind::scalar;
    Value* address = nullptr;
    const gcn::Operand& op = inst.operands.at(at);
    if (has_base) {
        Value* base = e.splat(e.scalar64(inst.operands.back()));
        address = op.kind == Kind::none ? base : b.CreateAdd(base, b.CreateZExt(e.vector32(op), i64));
    } else {
        address = e.vector64(op);
    }
    return b.CreateAdd(address, e.number64(offset));
}

// Scratch: a lane's own offset, by a register, a scalar that counts for all lanes, and a constant.
Value* scratch_address(Emitter& e, const Inst& inst, std::size_t at) {
    auto& b = e.builder();
    auto* i64 = e.vector_of(b.getInt64Ty());
    Value* sum = e.number32(static_cast<std::uint32_t>(inst.value("offset")));
    if (inst.operands.at(at).kind == Kind::vector) sum = b.CreateAdd(sum, e.vector32(inst.operands.at(at)));
    if (at + 1 < inst.operands.size() && inst.operands.back().kind == Kind::scalar)
        sum = b.CreateAdd(sum, e.splat(e.scalar32(inst.operands.back())));
    return b.CreateZExt(sum, i64);
}

// buffer_load v, address, s[0:3], scalar offset: with the descriptor that the kernel got for its scratch
// memory, in which a scalar offset counts all lanes' bytes.
Value* buffer_address(Emitter& e, const Inst& inst) {
    auto& b = e.builder();
    auto* i64 = e.vector_of(b.getInt64Ty());
    if (inst.has("idxen")) {
        e.fail(inst, inst.name + " with an index: buffers other than scratch memory are not supported");
        return e.number64(0);
    }
    Value* sum = e.number32(static_cast<std::uint32_t>(inst.value("offset")));
    if (inst.has("offen")) sum = b.CreateAdd(sum, e.vector32(inst.operands.at(1)));
    const gcn::Operand& scalar = inst.operands.at(3);
    if (scalar.kind != Kind::integer || scalar.integer != 0)
        sum = b.CreateAdd(sum, e.splat(b.CreateUDiv(e.scalar32(scalar),
                                                    b.getInt32(static_cast<std::uint32_t>(e.lanes())))));
    return b.CreateZExt(sum, i64);
}

bool atomic(Emitter& e, const Inst& inst, std::string_view name, Space space) {
    MemoryForm form;
    form.space = space;
    if (name.ends_with("_x2")) {
        form.bytes = 8;
        name.remove_suffix(3);
    } else {
        form.bytes = name.ends_with("64") ? 8 : 4;
    }
    const auto op = atomic_op(name);
    if (!op) return false;
    form.atomic = *op;
    // With a result it is the first operand.
    form.returns = inst.has("glc") || inst.has("sc0") || inst.has("th");
    const std::size_t at = form.returns ? 1 : 0;
    access_atomic(e, inst, form, flat_address(e, inst, at), inst.operands.at(at + 1));
    return true;
}

}  // namespace

bool emit_memory(Emitter& e, const gcn::Instruction& inst) {
    std::string_view name = inst.name;
    Space space = Space::global;
    bool buffer = false;
    if (takes_prefix(name, "global_"))
        space = Space::global;
    else if (takes_prefix(name, "flat_"))
        space = Space::flat;
    else if (takes_prefix(name, "scratch_"))
        space = Space::scratch;
    else if (takes_prefix(name, "buffer_"))
        space = Space::scratch, buffer = true;
    else
        return false;
    // Caches are written through and read anew: there is nothing to do.
    if (name.starts_with("wbinvl1") || name.starts_with("wbl2") || name.starts_with("invl2") ||
        name.starts_with("inv") || name.starts_with("wb") || name.starts_with("gl0_inv") ||
        name.starts_with("gl1_inv"))
        return true;
    if (takes_prefix(name, "atomic_"))
        return !buffer && space != Space::scratch && atomic(e, inst, name, space);
    const bool load = takes_prefix(name, "load_");
    if (!load && !takes_prefix(name, "store_")) return false;
    if (inst.has("lds")) return false;
    auto form = form_of(name);
    if (!form) return false;
    form->space = space;
    if (!load) form->keeps_half = false;
    if (buffer) {
        Value* address = buffer_address(e, inst);
        load ? access_load(e, inst, *form, address, inst.operands.at(0))
             : access_store(e, inst, *form, address, inst.operands.at(0));
        return true;
    }
    const std::size_t at = load ? 1 : 0;
    Value* address = space == Space::scratch ? scratch_address(e, inst, at) : flat_address(e, inst, at);
    load ? access_load(e, inst, *form, address, inst.operands.at(0))
         : access_store(e, inst, *form, address, inst.operands.at(1));
    return true;
}

}  // namespace lockstep::exec::wave
