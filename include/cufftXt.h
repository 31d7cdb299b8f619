/* Of what it adds to cufft.h there are plans and transforms whose types are named at run time: docs/cufft.md.
 */
#ifndef LOCKSTEP_CUFFTXT_H
#define LOCKSTEP_CUFFTXT_H
#define _CUFFTXT_H_ /* programs ask for CUDA's own include guard, too */
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                long long int istride, long long int idist, cudaDataType inputtype,
                                long long int* onembed, long long int ostride, long long int odist,
                                cudaDataType outputtype, long long int batch, size_t* workSize,
                                cudaDataType executiontype);
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);

#ifdef __cplusplus
}
#endif

#endif
