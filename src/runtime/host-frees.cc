// The C library's functions that take memory back, as a program calls them: where bugs are looked for,
// somebody wants to know of memory that commands still use (session/host-uses.h). All others pass at the
// price of a load.
#include <malloc.h>
#include <sys/mman.h>

#include "runtime/answers.h"
#include "session/host-checks.h"

// A sanitizer has functions of its own for these.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#pragma GCC visibility push(default)
extern "C" {

// The program's memory may be another allocator's: what comes next is asked for. Looking for it may itself
// free something, which is left.
LOCKSTEP_ANSWERS(free);
void lockstep_free(void* memory) {
    static constinit lockstep::runtime::Real<void(void*)> real("free");
    [[gnu::tls_model("initial-exec")]] static thread_local bool looking = false;
    if (auto* const checks = lockstep::session::HostChecks::watching_frees(); checks && memory)
        checks->host_freed(reinterpret_cast<std::uint64_t>(memory), malloc_usable_size(memory), "free");
    if (looking) return;
    looking = true;
    auto* const next = real.find();
    looking = false;
    next(memory);
}

LOCKSTEP_ANSWERS(munmap);
int lockstep_munmap(void* memory, size_t bytes) {
    static constinit lockstep::runtime::Real<int(void*, size_t)> real("munmap");
    if (auto* const checks = lockstep::session::HostChecks::watching_frees())
        checks->host_freed(reinterpret_cast<std::uint64_t>(memory), bytes, "munmap");
    return real(memory, bytes);
}

}  // extern "C"
#pragma GCC visibility pop

#endif
