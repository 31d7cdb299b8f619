// A function that nobody defines: the linker's message names it.
// RUN: lockstep run %s
// EXIT: nonzero
// ERR: nobody_defines_this
#include <cuda_runtime.h>

void nobody_defines_this();

int main() { nobody_defines_this(); }
