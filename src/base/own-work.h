// Whose code a thread runs: lockstep's own, or the program's. lockstep reads the real clocks wherever it
// needs one; the program's it may answer itself (runtime/host-clocks.cc), and since both call the same
// functions of the C library, often from within another library, the thread has to know.
#pragma once

namespace lockstep::base {

// While it lives, this thread works for lockstep: in a call of the API, or as a thread of its own.
class OwnWork {
  public:
    OwnWork();
    ~OwnWork();
    OwnWork(const OwnWork&) = delete;
    OwnWork& operator=(const OwnWork&) = delete;
};

// While it lives, this thread works for the program, though lockstep has called it: a host function.
class ProgramWork {
  public:
    ProgramWork();
    ~ProgramWork();
    ProgramWork(const ProgramWork&) = delete;
    ProgramWork& operator=(const ProgramWork&) = delete;

  private:
    int before_;
};

// May be called from a signal handler.
bool in_own_work();

}  // namespace lockstep::base
