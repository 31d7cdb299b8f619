// clang compiles a .cu file twice, for the device and for the host, and says most things twice. This keeps
// one of each.
#pragma once
#include <string>

namespace lockstep::compile {

// What `first` says, then what only `second` says. Lines that count errors ("2 errors generated when
// compiling for host.") go.
std::string merge_diagnostics(const std::string& first, const std::string& second);

}  // namespace lockstep::compile
