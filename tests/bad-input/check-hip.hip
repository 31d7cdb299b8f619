// What is not checked is not called clean: there are no checks of AMD's machine code yet.
// RUN: lockstep check %s
// EXIT: 2
// ERR: check cannot check HIP programs yet
#include <hip/hip_runtime.h>

int main() { return 0; }
