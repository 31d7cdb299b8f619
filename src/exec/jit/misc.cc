// trap, brkpt, nanosleep and what has no effect here.
#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Opcode;

bool Emitter::emit_misc(const Inst& inst) {
    switch (inst.opcode) {
        case Opcode::trap:
        case Opcode::brkpt: {
            Value* mask = instruction_mask(inst);
            Value* site = builder_.getInt32(add_site(inst));
            when(builder_.CreateICmpNE(mask, constant(mask, 0)),
                 [&] { builder_.CreateCall(program_.callback(Callback::trap), {ctx_, site, mask}); });
            return true;
        }
        case Opcode::nanosleep: {  // a chance for the other warps
            yield({});
            return true;
        }
        case Opcode::pmevent: return true;         // performance-monitor triggers: nobody listens
        case Opcode::griddepcontrol: return true;  // launches are in order already
        case Opcode::setmaxnreg: return true;      // registers are not shared out among warps here
        default: return false;
    }
}

}  // namespace lockstep::exec::jit
