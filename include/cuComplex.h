/* Complex numbers as float2 and double2: C and C++, host and device. */
#ifndef LOCKSTEP_CUCOMPLEX_H
#define LOCKSTEP_CUCOMPLEX_H
/* Programs ask for CUDA's own include guard, too. */
#define CU_COMPLEX_H_
#include "vector_types.h"

#define LOCKSTEP_COMPLEX_NAME(name) cu##name
#define LOCKSTEP_MAKE_COMPLEX(name) make_cu##name
#include "lockstep/complex-functions.h"
#undef LOCKSTEP_COMPLEX_NAME
#undef LOCKSTEP_MAKE_COMPLEX

#endif
