// The program's own memory that commands use which it has not waited for: it has to stay there until then.
#pragma once
#include <cstdint>
#include <list>
#include <thread>
#include <vector>

#include "session/call-site.h"
#include "session/command-clocks.h"

namespace lockstep::session {

struct HostUse {
    Stamp stamp;
    CallSite site;
    const char* function = "";
    std::uint64_t begin = 0, end = 0;
    bool writes = false;
    bool pageable = false;     // CUDA reads it before the call returns
    std::thread::id stack_of;  // whose stack it is on; none: it is on nobody's
};

class HostUses {
  public:
    void add(HostUse use);
    // Those that are not done as far as the host knows, of memory that goes now: they are told once.
    std::vector<HostUse> take(const Clock& host, std::uint64_t begin, std::uint64_t end);
    // … of frames that the thread has left: its stack ends at this address now.
    std::vector<HostUse> take_left(const Clock& host, std::thread::id thread, std::uint64_t stack);
    bool any_on_stack(std::thread::id thread) const;
    bool empty() const { return uses_.empty(); }

  private:
    static constexpr std::size_t most = 1 << 10;  // of a program that never waits: the oldest go
    template <class Wanted>
    std::vector<HostUse> take_if(const Clock& host, Wanted wanted);
    std::list<HostUse> uses_;
};

// Where the stack of the program ends, above this library's own frames; 0: not known.
std::uint64_t end_of_callers_stack();
// Whether the address is on the stack of this thread.
bool is_on_stack(std::uint64_t address);

}  // namespace lockstep::session
