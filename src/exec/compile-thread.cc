#include "exec/compile-thread.h"

#include <pthread.h>
#include <signal.h>

#include <memory>

#include "base/own-work.h"

namespace lockstep::exec {
namespace {

// LLVM recurses into what it compiles. The default may be as small as 2 MiB, where there is no limit on
// stacks.
constexpr std::size_t compiler_stack_bytes = 32 << 20;

void* run(void* work) {
    const base::OwnWork own;
    (*std::unique_ptr<std::function<void()>>(static_cast<std::function<void()>*>(work)))();
    return nullptr;
}

}  // namespace

void run_on_compile_thread(std::function<void()> work) {
    auto owned = std::make_unique<std::function<void()>>(std::move(work));
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, compiler_stack_bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The program's signals are its own threads'. SIGXFSZ, which a limit on files sends when code is kept in
    // the cache, would end it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, &run, owned.get()) == 0;
    if (started)
        owned.release();
    else
        (*owned)();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
}

}  // namespace lockstep::exec
