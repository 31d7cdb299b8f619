// Does a command's work: the one place where something happens on a device.
#pragma once
#include "session/command.h"

namespace lockstep::session {

// Its order is the caller's business. After a fault of a kernel nothing runs any more, as on a GPU whose
// context is lost: commands are accepted and not done.
// `graph`: that runs, and the command is a part of; null: none.
struct GraphEnvironment;
Done execute(const Command& command, GraphEnvironment* graph = nullptr);

// Processor time of this thread so far, in nanoseconds.
double thread_nanoseconds();

}  // namespace lockstep::session
