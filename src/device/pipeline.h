// The passes that shape device code, in their order.
#pragma once
#include "device/options.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lockstep::device {

// Options of LLVM's passes that have no other way in; to be called once, before anything else.
void set_pass_options(const Options& options);

// An error message, or nothing.
std::string optimise(llvm::Module& module, llvm::TargetMachine& target, const Options& options);

}  // namespace lockstep::device
