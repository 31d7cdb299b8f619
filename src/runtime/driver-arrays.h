// Formats of texels as the driver API names them. Its arrays are the runtime API's: handles are the same.
#pragma once
#include "runtime/arrays.h"
#include "runtime/driver.h"

namespace lockstep::runtime {

Found<exec::TexelFormat> format_of(CUarray_format format, unsigned channels);
CUarray_format format_name(exec::TexelFormat format);

}  // namespace lockstep::runtime
