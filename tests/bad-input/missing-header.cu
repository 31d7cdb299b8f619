// A header of NVIDIA's that lockstep does not have is named with what it is and what to do.
// RUN: lockstep run %s
// EXIT: 1
// ERR: missing-header\.cu:%l:10: fatal error: 'cudnn\.h' file not found
// ERR: ^lockstep: #include <cudnn\.h>: this is of cuDNN, NVIDIA's library for neural networks; lockstep does not have it: leave that part out
// ERR: ^lockstep: .*missing-header\.cu does not compile$
// RUN: lockstep nvcc -c -o %t/a.o %s
// EXIT: nonzero
// ERR: ^lockstep: #include <cudnn\.h>: this is of cuDNN
// RUN: lockstep run -DTHRUST %s
// EXIT: 1
// ERR: ^lockstep: #include <thrust/no_such\.h>: this is of Thrust, .*apt-get install libthrust-dev
// NOT: cuDNN
#ifdef THRUST
#include <thrust/no_such.h>
#endif
#include <cudnn.h> // HERE
int main() {}
