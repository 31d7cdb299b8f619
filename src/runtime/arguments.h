// A kernel's arguments, as programs give them.
#pragma once
#include <vector>

#include "session/modules.h"
#include "session/status.h"

namespace lockstep::runtime {

// `extra`: the arguments as one buffer, laid out as the kernel has them. They are taken apart again, since
// the session wants a pointer to each.
session::Outcome arguments_of(const session::Function& function, void** extra, std::vector<void*>& arguments);

}  // namespace lockstep::runtime
