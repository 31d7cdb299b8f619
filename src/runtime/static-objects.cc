// Static objects of this library and of LLVM are not destroyed when a program ends: the program's own
// destructors may still launch kernels, and those of what was made first run last. LLVM makes tables at its
// first compilation that it reads at every later one.
#include <dlfcn.h>

#include <atomic>
#include <string_view>

#include "base/sanitizers.h"
#include "runtime/answers.h"

extern "C" void* __dso_handle;

namespace {

using Destructor = void(void*);

constinit lockstep::runtime::Real<int(Destructor*, void*, void*)> real_cxa_atexit("__cxa_atexit");

// `library`: an address in it.
bool is_llvm(const void* library) {
    Dl_info info;
    return library && dladdr(library, &info) != 0 && info.dli_fname &&
           std::string_view(info.dli_fname).find("/libLLVM") != std::string_view::npos;
}

bool outlives_the_program(const void* library) {
    if (library == &__dso_handle) return true;
    // LLVM has thousands of objects, one after the other.
    static constinit std::atomic<const void*> llvm = nullptr, another = nullptr;
    if (library == llvm.load(std::memory_order_relaxed)) return library != nullptr;
    if (library == another.load(std::memory_order_relaxed)) return false;
    const bool found = is_llvm(library);
    (found ? llvm : another).store(library, std::memory_order_relaxed);
    return found;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int lockstep___cxa_atexit(Destructor* destructor,
                                                                            void* object, void* library) {
    return outlives_the_program(library) ? 0 : real_cxa_atexit(destructor, object, library);
}
// ThreadSanitizer calls it while it starts itself, when code that it watches cannot run yet.
#if !LOCKSTEP_THREAD_SANITIZER
LOCKSTEP_ANSWERS(__cxa_atexit);
#endif
