#pragma once

namespace lockstep::compile {

// lockstep's own, as `lockstep --version` prints it.
const char* version();

}  // namespace lockstep::compile
