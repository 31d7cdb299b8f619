/* Mathematics: clang's header for HIP has it, over the functions of AMD's device library. Here is what
 * programs call by CUDA's names. */
#ifndef LOCKSTEP_HIP_MATH_FUNCTIONS_H
#define LOCKSTEP_HIP_MATH_FUNCTIONS_H
#define HIP_INCLUDE_HIP_MATH_FUNCTIONS_H
#include "hip_common.h"

#endif
