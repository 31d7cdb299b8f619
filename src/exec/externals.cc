#include "exec/externals.h"

#include <algorithm>

#include "exec/device-runtime.h"
#include "exec/scalar/libdevice.h"
#include "ptx/supplied.h"

namespace lockstep::exec {

bool is_external_function(const std::string& name) {
    return std::find(ptx::supplied_functions.begin(), ptx::supplied_functions.end(), name) !=
               ptx::supplied_functions.end() ||
           find_lib_function(name) || find_runtime_function(name);
}

}  // namespace lockstep::exec
