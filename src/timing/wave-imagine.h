// A launch of AMD's machine code as it would be without one thing that costs it time: what was counted is
// changed, and the model of timing/wave-time.h asked again.
#pragma once
#include "timing/wave-time.h"

namespace lockstep::timing {

// Says so in the launch's prediction.
void imagine_waves(const WaveLaunch& launch, Prediction& prediction);

}  // namespace lockstep::timing
