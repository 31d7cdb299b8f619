// Where a module's code comes from, as a profile tells it.
#pragma once
#include <string_view>

#include "gpu/model.h"
#include "report/result.h"

namespace lockstep::session {

// `ptx`: the module's text, or its texts.
report::CodeOrigin code_origin(std::string_view ptx, const gpu::GpuModel& gpu);

}  // namespace lockstep::session
