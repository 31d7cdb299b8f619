// Functions that programs call and no PTX defines: the engine has them itself.
#pragma once
#include <string>

namespace lockstep::exec {

bool is_external_function(const std::string& name);

}  // namespace lockstep::exec
