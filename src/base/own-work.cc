#include "base/own-work.h"

#include <utility>

namespace lockstep::base {
namespace {

// Without a function that makes it at its first use, which a signal handler could not call.
[[gnu::tls_model("initial-exec")]] constinit thread_local int depth = 0;

}  // namespace

OwnWork::OwnWork() { ++depth; }
OwnWork::~OwnWork() { --depth; }

ProgramWork::ProgramWork() : before_(std::exchange(depth, 0)) {}
ProgramWork::~ProgramWork() { depth = before_; }

bool in_own_work() { return depth != 0; }

}  // namespace lockstep::base
