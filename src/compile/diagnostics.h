// clang compiles a .cu file twice, for the device and for the host, and says most things twice. This keeps
// one of each.
#pragma once
#include <string>

namespace lockstep::compile {

// What `first` says, then what only `second` says. Lines that count errors ("2 errors generated when
// compiling for host.") go.
std::string merge_diagnostics(const std::string& first, const std::string& second);

// HIP's device code is compiled with a warning of every number of 64 bits that loses half of them without a
// word: of those messages only the ones about votes of a wavefront stay, and say what they mean. A port from
// CUDA keeps __ballot's result in 32 bits. `all`: the program asked for the warning itself.
std::string only_narrow_masks(const std::string& messages, bool all);

}  // namespace lockstep::compile
