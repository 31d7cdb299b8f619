// A thread for a compilation. LLVM cannot be interrupted: who waits for it only so long must be able to leave
// it behind.
#pragma once
#include <functional>

namespace lockstep::exec {

// Runs `work`, which throws nothing, on a thread of its own that nobody joins; here, where the system has no
// more threads.
void run_on_compile_thread(std::function<void()> work);

}  // namespace lockstep::exec
