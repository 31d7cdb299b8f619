/* With relocatable device code every file tells the runtime of its device code, even one with neither kernels nor
 * variables: clang registers a file that has a device variable in its host code. */
#ifndef LOCKSTEP_RELOCATABLE_H
#define LOCKSTEP_RELOCATABLE_H

#if defined(__CUDA__) && defined(__CUDACC_RDC__) && !defined(__CUDA_ARCH__)
static __attribute__((device, used)) char __lockstep_relocatable_file;
#endif

#endif
