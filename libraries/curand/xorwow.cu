#include "curand/sequenced.h"

namespace lockstep::curand {

Engine* make_xorwow() { return new SequencedEngine<curandStateXORWOW_t>(4096, 4096, 1); }

}  // namespace lockstep::curand
