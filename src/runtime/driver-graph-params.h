// What nodes of graphs are made of, from one API to the other. The driver API counts bytes where the runtime
// counts texels, and names a kernel by one of two handles.
#pragma once
#include "runtime/driver.h"

namespace lockstep::runtime {

// A function is one device's, and so is its node, whichever device is current.
int device_of_function(const void* function);

cudaKernelNodeParams kernel_params(const CUDA_KERNEL_NODE_PARAMS& params);
CUDA_KERNEL_NODE_PARAMS driver_params(const cudaKernelNodeParams& params);

// Of CUDA_MEMSET_NODE_PARAMS, or its second form.
template <class Params>
cudaMemsetParams fill_params(const Params& p) {
    return {pointer_to(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}
CUDA_MEMSET_NODE_PARAMS driver_params(const cudaMemsetParams& params);

// Inside of forward: arrays are looked up. A handle that is none is found out by the runtime.
cudaMemcpy3DParms copy_params(const CUDA_MEMCPY3D& params);
CUDA_MEMCPY3D driver_params(const cudaMemcpy3DParms& params);

}  // namespace lockstep::runtime
