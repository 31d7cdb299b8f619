// Several copies in one call, as CUDA 12's and CUDA 13's libraries and the driver API hand them on.
#pragma once
#include "runtime/api.h"

namespace lockstep::runtime {

// `failed`, if it is not null, gets the place of the copy that was refused, or the largest number there is
// where it is not a single one's fault.
cudaError_t copy_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                       const cudaMemcpyAttributes* attributes, const size_t* firsts, size_t kinds,
                       size_t* failed, cudaStream_t stream);
cudaError_t copy_batch_3d(size_t count, const cudaMemcpy3DBatchOp* operations, size_t* failed,
                          unsigned long long flags, cudaStream_t stream);

}  // namespace lockstep::runtime
