#include "curand/sequenced.h"

namespace lockstep::curand {

Engine* make_mrg32k3a() { return new SequencedEngine<curandStateMRG32k3a_t>(81920, 4096, 1); }

}  // namespace lockstep::curand
