#include "curand/sequenced.h"

namespace lockstep::curand {

Engine* make_philox() { return new SequencedEngine<curandStatePhilox4_32_10_t>(65536, 65536, 4); }

}  // namespace lockstep::curand
