// mbarrier.*, and cp.async's arrivals at one: each active lane in turn.
#include "exec/scalar/memory-barrier.h"

#include "exec/jit/emitter.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using ptx::Modifier;

static MemoryBarrierOperation operation_of(const ptx::Instruction& inst) {
    if (inst.opcode == ptx::Opcode::cp) {
        // What the thread has copied is there. Without .noinc the arrival is expected for itself, and changes
        // nothing.
        return inst.has(Modifier::noinc) ? MemoryBarrierOperation{"mbarrier.arrive", &memory_barrier_arrive}
                                         : MemoryBarrierOperation{"mbarrier.look", &memory_barrier_look};
    }
    if (inst.has(Modifier::init)) return {"mbarrier.init", &memory_barrier_init};
    if (inst.has(Modifier::inval)) return {"mbarrier.inval", &memory_barrier_inval};
    if (inst.has(Modifier::arrive)) return {"mbarrier.arrive", &memory_barrier_arrive};
    if (inst.has(Modifier::arrive_drop)) return {"mbarrier.drop", &memory_barrier_drop};
    if (inst.has(Modifier::expect_tx)) return {"mbarrier.expect", &memory_barrier_expect};
    if (inst.has(Modifier::complete_tx)) return {"mbarrier.complete", &memory_barrier_complete};
    return {"mbarrier.look", &memory_barrier_look};
}

// What the function gives for each lane, with the barrier that the operand `at` names.
Emitter::Value* Emitter::call_memory_barrier(const Inst& inst, const MemoryBarrierOperation& operation,
                                             std::uint32_t at, Value* first, Value* second) {
    llvm::Type* i64 = int_type(64);
    llvm::Function* loop = program_.object_lanes(
        operation.name,
        program_.external(operation.name, reinterpret_cast<void*>(operation.function),
                          llvm::FunctionType::get(i64, {builder_.getPtrTy(), i64, i64}, false)));
    const kernel::Access said{
        .kind = kernel::SiteKind::atomic, .space = kernel::space_of(inst), .bytes = 8, .operand = at};
    const std::uint32_t site = add_site(inst, said.bytes, said.kind);
    Access a = access(inst, said, site);
    load_range(a);
    llvm::Type* lanes = llvm::FixedVectorType::get(int_type(64), warp_lanes);
    Value* out = scratch(lanes);
    builder_.CreateStore(llvm::Constant::getNullValue(lanes), out);
    barrier_addresses_ = spill(lane_addresses(a));
    builder_.CreateCall(loop, {ctx_, range_pointer(a), builder_.getInt32(a.site), barrier_addresses_,
                               instruction_mask(inst), spill(first), spill(second), out});
    return builder_.CreateLoad(lanes, out);
}

// The barrier of st.async and red.async learns that a lane's bytes have come.
void Emitter::complete_bytes(const Inst& inst) {
    const auto bytes = static_cast<std::uint64_t>(ptx::type_bytes(inst.type()) * kernel::vector_count(inst));
    Value* count = splat(llvm::ConstantInt::get(int_type(64), bytes));
    call_memory_barrier(inst, {"mbarrier.complete", &memory_barrier_complete}, 2, count, count);
}

// More arrivals, or bytes, than the phase that a barrier was in can have end the kernel.
void Emitter::fault_beyond(const Inst& inst, Value* before, bool arrives, Value* arrivals, Value* bytes) {
    if (!arrives && !bytes) return;
    auto field = [&](int first) {
        return builder_.CreateLShr(before, constant(before, static_cast<std::uint64_t>(first)));
    };
    Value* most = constant(before, memory_barrier_counts);
    Value* over = nullptr;
    if (arrives)
        over = builder_.CreateICmpUGT(arrivals, builder_.CreateAnd(field(memory_barrier_pending), most));
    if (bytes) {
        // Bytes that came before they were expected make the count negative.
        constexpr std::uint64_t above = 63 - (memory_barrier_bytes + 20);
        Value* waited = builder_.CreateAShr(builder_.CreateShl(before, constant(before, above)),
                                            constant(before, memory_barrier_bytes + above));
        Value* too_many = builder_.CreateICmpSGT(builder_.CreateAdd(waited, bytes), most);
        over = over ? builder_.CreateOr(over, too_many) : too_many;
    }
    Value* mask = builder_.CreateAnd(instruction_mask(inst), to_bits(over));
    Value* site = builder_.getInt32(add_site(inst));
    when(builder_.CreateICmpNE(mask, constant(mask, 0)), [&] {
        builder_.CreateCall(program_.callback(Callback::beyond_barrier), {ctx_, site, mask, spill(before)});
    });
}

bool Emitter::emit_memory_barrier(const Inst& inst) {
    const auto& ops = inst.operands;
    if (inst.has(Modifier::pending_count)) {
        Value* state = read_bits(ops[1], 64, scalar_result(inst));
        Value* count = builder_.CreateAnd(builder_.CreateLShr(state, constant(state, memory_barrier_pending)),
                                          constant(state, memory_barrier_counts));
        write(inst, ops[0], count);
        return true;
    }
    const auto at = static_cast<std::uint32_t>(ops[0].kind == Op::Kind::address ? 0 : 1);
    auto number = [&](std::uint64_t n) { return splat(llvm::ConstantInt::get(int_type(64), n)); };
    Value* value = ops.size() > at + 1 ? read_bits(ops[at + 1], 64, false) : number(1);
    const bool arrives = inst.has(Modifier::arrive) || inst.has(Modifier::arrive_drop);
    const bool expects = arrives && inst.has(Modifier::expect_tx);
    Value* before = call_memory_barrier(inst, operation_of(inst), at, expects ? number(1) : value,
                                        expects ? value : number(0));
    fault_beyond(inst, before, arrives || (inst.opcode == ptx::Opcode::cp && inst.has(Modifier::noinc)),
                 expects ? number(1) : value, inst.has(Modifier::expect_tx) ? value : nullptr);
    if (inst.has(Modifier::init)) record_phase(MemoryBarrierEvent::init, instruction_mask(inst));
    if (arrives || inst.has(Modifier::complete_tx) || inst.opcode == ptx::Opcode::cp)
        record_phase(MemoryBarrierEvent::arrival, instruction_mask(inst));
    if (at == 0) return true;
    if (!inst.has(Modifier::test_wait) && !inst.has(Modifier::try_wait)) {
        write(inst, ops[0], before);
        return true;
    }
    // The phase is over that has the state's parity, or the one given, when the object is in another.
    auto bit = [&](Value* v, int n) {
        return builder_.CreateAnd(builder_.CreateLShr(v, constant(v, static_cast<std::uint64_t>(n))),
                                  constant(v, 1));
    };
    Value* over = builder_.CreateICmpNE(bit(before, memory_barrier_phase),
                                        bit(value, inst.has(Modifier::parity) ? 0 : memory_barrier_phase));
    record_phase(MemoryBarrierEvent::wait, builder_.CreateAnd(instruction_mask(inst), to_bits(over)));
    write(inst, ops[0], over);
    return true;
}

// Of the barriers that the instruction's lanes have just been at.
void Emitter::record_phase(MemoryBarrierEvent event, Value* mask) {
    if (!records(events::Wants::accesses)) return;
    publish_records();  // the function makes its own
    builder_.CreateCall(program_.callback(Callback::barrier_event),
                        {ctx_, builder_.getInt32(own_site()),
                         builder_.getInt32(static_cast<std::uint32_t>(event)), mask, barrier_addresses_});
}

}  // namespace lockstep::exec::jit
