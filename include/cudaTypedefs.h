/* Types of the driver API's functions, for programs that ask for them by name (cudaGetDriverEntryPoint,
 * cuGetProcAddress). */
#ifndef LOCKSTEP_CUDA_TYPEDEFS_H
#define LOCKSTEP_CUDA_TYPEDEFS_H
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                      const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                                      const cuuint32_t*, CUtensorMapInterleave,
                                                      CUtensorMapSwizzle, CUtensorMapL2promotion,
                                                      CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                       const cuuint64_t*, const cuuint64_t*, const int*,
                                                       const int*, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                                       CUtensorMapInterleave, CUtensorMapSwizzle,
                                                       CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapReplaceAddress_v12000)(CUtensorMap*, void*);
typedef CUresult (*PFN_cuGetProcAddress_v12000)(const char*, void**, int, cuuint64_t,
                                                CUdriverProcAddressQueryResult*);
#define PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000
#define PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000
#define PFN_cuTensorMapReplaceAddress PFN_cuTensorMapReplaceAddress_v12000
#define PFN_cuGetProcAddress PFN_cuGetProcAddress_v12000

#ifdef __cplusplus
}
#endif
#endif
