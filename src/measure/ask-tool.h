// What a vendor's tool prints.
#pragma once
#include "base/result.h"
#include "compile/process.h"

namespace lockstep::measure {

Result<compile::Finished> ask_tool(const compile::Arguments& command);

}  // namespace lockstep::measure
