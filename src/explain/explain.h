// From a run to what makes its kernels slow.
#pragma once
#include <functional>
#include <vector>

#include "base/result.h"
#include "explain/finding.h"
#include "gpu/model.h"
#include "report/run-reader.h"

namespace lockstep::explain {

// The kernels that take most time first. `model`: of a device, null where it is not known.
Result<std::vector<KernelFindings>> explain(const report::RunFile& run,
                                            const std::function<const gpu::GpuModel*(int device)>& model);

}  // namespace lockstep::explain
