#include "compile/version.h"

namespace lockstep::compile {

const char* version() { return LOCKSTEP_VERSION; }

}  // namespace lockstep::compile
