/* cuBLAS's first interface, without handles: scalars are passed by value, results returned, and errors asked
 * for afterwards with cublasGetError. New programs include cublas_v2.h. */
#ifndef LOCKSTEP_CUBLAS_H
#define LOCKSTEP_CUBLAS_H
#ifdef LOCKSTEP_CUBLAS_V2_H
#error \
    "cublas.h and cublas_v2.h give the same names to different functions: a file can include only one of them"
#endif
#define CUBLAS_H_ /* programs ask for CUDA's own include guard, too */
#include "cublas_api.h"

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int* version);
cublasStatus cublasAlloc(int n, int elemSize, void** devicePtr);
cublasStatus cublasFree(void* devicePtr);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

#define LOCKSTEP_LEGACY(name, parameters, arguments) void cublas##name parameters;
#define LOCKSTEP_LEGACY_RESULT(type, name, parameters, arguments) type cublas##name parameters;
#include "lockstep/cublas-legacy-functions.h"
#undef LOCKSTEP_LEGACY
#undef LOCKSTEP_LEGACY_RESULT

#ifdef __cplusplus
}
#endif

#endif
