/* The device API of hipRAND: cuRAND's generators under HIP's names. Their numbers are cuRAND's, not
 * rocRAND's. */
#ifndef LOCKSTEP_HIPRAND_KERNEL_H
#define LOCKSTEP_HIPRAND_KERNEL_H

#ifndef __cplusplus
#error "hiprand_kernel.h is C++"
#endif
#include <hip/hip_runtime.h>

#define curand hiprand
#define curand4 hiprand4
#define curand_init hiprand_init
#define curand_uniform hiprand_uniform
#define curand_uniform4 hiprand_uniform4
#define curand_uniform_double hiprand_uniform_double
#define curand_uniform2_double hiprand_uniform2_double
#define curand_uniform4_double hiprand_uniform4_double
#define curand_normal hiprand_normal
#define curand_normal2 hiprand_normal2
#define curand_normal4 hiprand_normal4
#define curand_normal_double hiprand_normal_double
#define curand_normal2_double hiprand_normal2_double
#define curand_normal4_double hiprand_normal4_double
#define curand_log_normal hiprand_log_normal
#define curand_log_normal2 hiprand_log_normal2
#define curand_log_normal4 hiprand_log_normal4
#define curand_log_normal_double hiprand_log_normal_double
#define curand_log_normal2_double hiprand_log_normal2_double
#define curand_log_normal4_double hiprand_log_normal4_double
#define curand_poisson hiprand_poisson
#define curand_poisson4 hiprand_poisson4
#define curandState hiprandState
#define curandState_t hiprandState_t
#define curandStateXORWOW hiprandStateXORWOW
#define curandStateXORWOW_t hiprandStateXORWOW_t
#define curandStatePhilox4_32_10 hiprandStatePhilox4_32_10
#define curandStatePhilox4_32_10_t hiprandStatePhilox4_32_10_t
#define curandStateMRG32k3a hiprandStateMRG32k3a
#define curandStateMRG32k3a_t hiprandStateMRG32k3a_t
#define curandStateSobol32 hiprandStateSobol32
#define curandStateSobol32_t hiprandStateSobol32_t
#define curandStateScrambledSobol32 hiprandStateScrambledSobol32
#define curandStateScrambledSobol32_t hiprandStateScrambledSobol32_t
#define curandStateSobol64 hiprandStateSobol64
#define curandStateSobol64_t hiprandStateSobol64_t
#define curandStateScrambledSobol64 hiprandStateScrambledSobol64
#define curandStateScrambledSobol64_t hiprandStateScrambledSobol64_t
#define curandDirectionVectors32_t hiprandDirectionVectors32_t
#define curandDirectionVectors64_t hiprandDirectionVectors64_t
#include <curand_lognormal.h>
#include <curand_normal.h>
#include <curand_poisson.h>
#include <curand_uniform.h>
#undef curand
#undef curand4
#undef curand_init
#undef curand_uniform
#undef curand_uniform4
#undef curand_uniform_double
#undef curand_uniform2_double
#undef curand_uniform4_double
#undef curand_normal
#undef curand_normal2
#undef curand_normal4
#undef curand_normal_double
#undef curand_normal2_double
#undef curand_normal4_double
#undef curand_log_normal
#undef curand_log_normal2
#undef curand_log_normal4
#undef curand_log_normal_double
#undef curand_log_normal2_double
#undef curand_log_normal4_double
#undef curand_poisson
#undef curand_poisson4
#undef curandState
#undef curandState_t
#undef curandStateXORWOW
#undef curandStateXORWOW_t
#undef curandStatePhilox4_32_10
#undef curandStatePhilox4_32_10_t
#undef curandStateMRG32k3a
#undef curandStateMRG32k3a_t
#undef curandStateSobol32
#undef curandStateSobol32_t
#undef curandStateScrambledSobol32
#undef curandStateScrambledSobol32_t
#undef curandStateSobol64
#undef curandStateSobol64_t
#undef curandStateScrambledSobol64
#undef curandStateScrambledSobol64_t
#undef curandDirectionVectors32_t
#undef curandDirectionVectors64_t

#endif
