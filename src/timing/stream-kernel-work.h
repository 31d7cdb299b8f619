// From a prediction of a launch to what the streams need to know of it.
#pragma once
#include "gpu/model.h"
#include "timing/prediction.h"
#include "timing/stream-operation.h"

namespace lockstep::timing {

KernelWork kernel_work(const timing::Prediction& prediction, std::uint64_t blocks, const gpu::GpuModel& gpu);

}  // namespace lockstep::timing
