// Which device memory holds a value that the program gave it, by what it allocates, copies and fills.
#pragma once
#include "check/findings.h"
#include "check/launch-checker.h"
#include "exec/memory.h"
#include "session/command.h"

namespace lockstep::session {

class DefinedMemory {
  public:
    DefinedMemory(check::Memory& memory, check::Findings& findings) : memory_(memory), findings_(findings) {}

    void allocated(const exec::Allocation& allocation);
    void released(const exec::Allocation& allocation);
    // A copy or a fill.
    void done(const Command& command);

  private:
    void copied(const Transfer& transfer);

    check::Memory& memory_;
    check::Findings& findings_;
};

}  // namespace lockstep::session
