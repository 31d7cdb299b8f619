// Where a wavefront goes on, waits or ends.
#include "exec/wave/calls.h"
#include "exec/wave/emitter.h"
#include "exec/wave/service.h"

namespace lockstep::exec::wave {
namespace {

constexpr std::int64_t llvm_trap = 2, llvm_debug_trap = 3;

// Registers from v0 on that get an answer.
int results_of(std::int64_t service) {
    switch (service) {
        case service_print: return 1;
        case service_malloc:
        case service_workspace: return 2;
        case service_texture: return 4;
        default: return 0;
    }
}

void trap(Emitter& e, const gcn::Instruction& inst) {
    auto& b = e.builder();
    const std::int64_t number = inst.operands.empty() ? llvm_trap : inst.operands.at(0).integer;
    llvm::Value* site = b.getInt32(e.site(inst, kernel::SiteKind::none, ptx::Space::none, 0));
    if (number == llvm_debug_trap) return;  // nobody debugs: it is passed over, as on the hardware
    if (number >= service_print && number <= service_workspace) {
        llvm::Value* registers = e.array(service_registers);
        const gcn::Operand first{.kind = gcn::Operand::Kind::vector, .count = service_registers};
        const auto word = [&](int k) {
            return b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), registers,
                                                static_cast<unsigned>(k * e.lanes()));
        };
        for (int k = 0; k < service_registers; ++k)
            b.CreateAlignedStore(e.vector_part(first, k), word(k), llvm::Align(64));
        e.call("lockstep_wave_service", reinterpret_cast<void*>(&wave_service), b.getVoidTy(),
               {e.context(), site, b.getInt32(static_cast<std::uint32_t>(number)), e.exec(), registers});
        const int results = results_of(number);
        for (int k = 0; k < results; ++k)
            e.set_vector_part(first, k,
                              b.CreateAlignedLoad(e.vector_of(b.getInt32Ty()), word(k), llvm::Align(64)));
        return;
    }
    e.call("lockstep_wave_trap", reinterpret_cast<void*>(&wave_trap), b.getVoidTy(),
           {e.context(), site, e.exec()});
    e.end_program();
}

}  // namespace

bool emit_control(Emitter& e, const gcn::Instruction& inst) {
    auto& b = e.builder();
    const std::string& name = inst.name;
    if (!name.starts_with("s_")) return false;
    const auto no_lanes = [&](llvm::Value* bits) { return b.CreateICmpEQ(bits, b.getInt64(0)); };
    const auto to = [&] { return e.target(inst, inst.operands.at(0)); };
    if (name.starts_with("s_cbranch") || name == "s_branch") {
        if (inst.operands.empty()) {
            e.fail(inst, name + " has no target");
            return true;
        }
        if (name == "s_branch")
            e.jump(inst, to());
        else if (name == "s_cbranch_scc0")
            e.branch(inst, b.CreateNot(e.scc()), to());
        else if (name == "s_cbranch_scc1")
            e.branch(inst, e.scc(), to());
        else if (name == "s_cbranch_vccz")
            e.branch(inst, no_lanes(e.vcc()), to());
        else if (name == "s_cbranch_vccnz")
            e.branch(inst, b.CreateNot(no_lanes(e.vcc())), to());
        else if (name == "s_cbranch_execz")
            e.branch(inst, no_lanes(e.exec()), to());
        else if (name == "s_cbranch_execnz")
            e.branch(inst, b.CreateNot(no_lanes(e.exec())), to());
        else
            return false;
        return true;
    }
    if (name == "s_swappc_b64" || name == "s_setpc_b64") {
        const bool returns = name == "s_swappc_b64";
        llvm::Value* address = e.scalar64(inst.operands.at(returns ? 1 : 0));
        if (returns) e.set_scalar64(inst.operands.at(0), e.address_behind(inst));
        e.jump_to_address(inst, address);
        return true;
    }
    if (name == "s_endpgm") {
        e.end_program();
        return true;
    }
    if (name == "s_barrier") {
        e.call("lockstep_wave_barrier", reinterpret_cast<void*>(&wave_barrier), b.getVoidTy(),
               {e.context(), b.getInt32(e.site(inst, kernel::SiteKind::barrier, ptx::Space::none, 0))});
        return true;
    }
    if (name == "s_sleep") {
        e.call("lockstep_wave_yield", reinterpret_cast<void*>(&wave_yield), b.getVoidTy(), {e.context()});
        return true;
    }
    if (name == "s_trap") {
        trap(e, inst);
        return true;
    }
    // Results come when they are asked for, in program order: nothing is waited for, and caches hold nothing.
    return name.starts_with("s_waitcnt") || name == "s_nop" || name == "s_setprio" ||
           name == "s_incperflevel" || name == "s_decperflevel" || name == "s_icache_inv" ||
           name.starts_with("s_dcache") || name == "s_delay_alu" || name == "s_clause" ||
           name == "s_inst_prefetch" || name == "s_set_inst_prefetch_distance" || name == "s_code_end" ||
           name == "s_wait_idle" || name.starts_with("s_gl1_inv") || name == "s_round_mode" ||
           name == "s_denorm_mode" || name == "s_sendmsg";
}

}  // namespace lockstep::exec::wave
