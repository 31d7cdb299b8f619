/* When a program is to be profiled, by the driver API. */
#ifndef LOCKSTEP_CUDA_PROFILER_H
#define LOCKSTEP_CUDA_PROFILER_H
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

/* Of old toolkits; a call says that lockstep does not have it. */
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0x00, CU_OUT_CSV = 0x01 } CUoutput_mode;
CUresult cuProfilerInitialize(const char* configuration, const char* output, CUoutput_mode mode);

#ifdef __cplusplus
}
#endif
#endif
