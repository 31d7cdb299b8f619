// The second run of a program has the kernels' machine code of the first, wherever its variables lie (managed
// ones are the program's own, at another address each time) and whatever was done to the files in between.
// RUN: lockstep run %s && ls -i "$LOCKSTEP_CACHE" | grep kernel- > %t/first && lockstep run %s && ls -i "$LOCKSTEP_CACHE" | grep kernel- | diff %t/first - && wc -l < %t/first
// OUT: ^sum 143 ok$
// OUT: ^sum 143 ok$
// OUT: ^2$
// NOT: ^lockstep:
// RUN: for f in "$LOCKSTEP_CACHE"/kernel-*; do head -c 3000 "$f" > %t/short; cat %t/short > "$f"; done; lockstep run %s && for f in "$LOCKSTEP_CACHE"/kernel-*; do : > "$f"; done; lockstep run %s && for f in "$LOCKSTEP_CACHE"/kernel-*; do head -c 9000 /dev/urandom > "$f"; done; lockstep run %s
// OUT: ^sum 143 ok$
// OUT: ^sum 143 ok$
// OUT: ^sum 143 ok$
// NOT: ^lockstep:
// A disk without room costs a warning, not the run: a limit on the size of files stands in for it, whose
// signal would end the program.
// RUN: lockstep nvcc -o %t/program %s && ulimit -f 1 && %t/program
// ENV: LOCKSTEP_CACHE=%t/other
// OUT: ^sum 143 ok$
// ERR: ^lockstep: warning: machine code of kernels cannot be kept for the next run: .*/other: File too large$
// Nothing is kept where nothing is asked for.
// RUN: LOCKSTEP_CACHE=%t/none lockstep run --no-cache %s && LOCKSTEP_CACHE=%t/none LOCKSTEP_CACHE_SIZE=0 %t/program && test ! -e %t/none
// OUT: ^sum 143 ok$
// OUT: ^sum 143 ok$
#include <cstdio>

__managed__ int managed = 1;
__device__ int device = 100;
__constant__ int constant = 42;

__global__ void add() { managed += device; }
__global__ void add_constant() { managed += constant; }

int main() {
    add<<<1, 1>>>();
    add_constant<<<1, 1>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::printf("sum %d ok\n", managed);
    return 0;
}
