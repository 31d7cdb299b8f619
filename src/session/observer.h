// Whoever watches what a program does with its devices: commands as they are done, memory as it comes and
// goes. What happens inside of a kernel is told by events::Observer. Calls come from whatever thread does the
// work, several at once.
#pragma once
#include "exec/address-map.h"
#include "session/command.h"

namespace lockstep::session {

class Observer {
  public:
    virtual ~Observer() = default;
    virtual void done(const Command& /*command*/, const Done& /*done*/) {}
    // By the host: what threads of a kernel allocate is the kernel's.
    virtual void allocated(const exec::Allocation& /*allocation*/) {}
    virtual void released(const exec::Allocation& /*allocation*/) {}
};

}  // namespace lockstep::session
