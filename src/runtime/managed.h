// Managed memory as the API functions name it.
#pragma once
#include "runtime/call.h"

namespace lockstep::runtime {

// What a GPU would reject is rejected.
Outcome check_managed(Device& current, const void* pointer, size_t count);

// To a device or the host; with the range checked.
Outcome prefetch(Device& current, const session::Stream& stream, const void* pointer, size_t count,
                 cudaMemLocation place);

}  // namespace lockstep::runtime
