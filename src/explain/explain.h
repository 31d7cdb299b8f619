// From a run to what makes it slow.
#pragma once
#include <functional>

#include "base/result.h"
#include "explain/finding.h"
#include "gpu/model.h"
#include "report/run-reader.h"

namespace lockstep::explain {

// `model`: of a device, null where it is not known. `other`: a run of the same kernels, by another compiler's
// code.
Result<Explanation> explain(const report::RunFile& run,
                            const std::function<const gpu::GpuModel*(int device)>& model,
                            const report::RunFile* other = nullptr);

}  // namespace lockstep::explain
