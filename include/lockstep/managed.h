/* Tells the runtime, before any variable is registered, where this program's __managed__ variables lie. */
#ifndef LOCKSTEP_MANAGED_H
#define LOCKSTEP_MANAGED_H

#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
extern "C" {
extern char __start_lockstep_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_lockstep_managed[] __attribute__((weak, visibility("hidden")));
void __lockstepRegisterManagedRange(void* begin, void* end);
}

/* Priority 101: before the constructors that register fat binaries, which have none. */
__attribute__((constructor(101), visibility("hidden"), weak)) void __lockstep_register_managed() {
    if (&__start_lockstep_managed[0] != &__stop_lockstep_managed[0])
        __lockstepRegisterManagedRange(__start_lockstep_managed, __stop_lockstep_managed);
}
#endif

#endif
