// The video instructions: scalar and SIMD-in-a-word operations on bytes and half words, lane by lane.
#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

bool Emitter::emit_video(const Inst&) { return false; }

}  // namespace lockstep::exec::jit
