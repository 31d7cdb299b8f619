#include "exec/externals.h"

#include "exec/scalar/libdevice.h"

namespace lockstep::exec {

bool is_external_function(const std::string& name) {
    return name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free" ||
           find_lib_function(name);
}

}  // namespace lockstep::exec
