#pragma once
#include <string>

namespace lockstep::session {

// How this process was started, as a shell would take it.
std::string own_command_line();

}  // namespace lockstep::session
