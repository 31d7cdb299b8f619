// Launches, functions and modules, where HIP's have another shape than CUDA's.
#include <vector>

#include "hip/same.h"
#include "lockstep/runtime-templates.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

namespace {

// What follows a kernel's arguments in `extra` has other numbers in HIP.
std::vector<void*> driver_extra(void** extra) {
    std::vector<void*> result;
    for (; extra && *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
        result.push_back(*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER ? CU_LAUNCH_PARAM_BUFFER_POINTER
                                                                   : CU_LAUNCH_PARAM_BUFFER_SIZE);
        result.push_back(extra[1]);
    }
    result.push_back(CU_LAUNCH_PARAM_END);
    return result;
}

}  // namespace

extern "C" {

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function) {
    if (!attributes) return error_of(finish("hipFuncGetAttributes", null_pointer("attributes")));
    cudaFuncAttributes cuda{};
    const cudaError_t error = cudaFuncGetAttributes(&cuda, function);
    if (error != cudaSuccess) return error_of(error);
    *attributes = {.binaryVersion = cuda.binaryVersion,
                   .cacheModeCA = cuda.cacheModeCA,
                   .constSizeBytes = cuda.constSizeBytes,
                   .localSizeBytes = cuda.localSizeBytes,
                   .maxDynamicSharedSizeBytes = cuda.maxDynamicSharedSizeBytes,
                   .maxThreadsPerBlock = cuda.maxThreadsPerBlock,
                   .numRegs = cuda.numRegs,
                   .preferredShmemCarveout = cuda.preferredShmemCarveout,
                   .ptxVersion = cuda.ptxVersion,
                   .sharedSizeBytes = cuda.sharedSizeBytes};
    return hipSuccess;
}

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) {
    // The options are about a compiler that has nothing left to do.
    use_driver();
    return error_of(cuModuleLoadData(reinterpret_cast<CUmodule*>(module), image));
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned shared, hipStream_t stream,
                                 void** arguments, void** extra) {
    use_driver();
    std::vector<void*> packed = driver_extra(extra);
    return error_of(cuLaunchKernel(converted<CUfunction>(function), gx, gy, gz, bx, by, bz, shared,
                                   converted<CUstream>(stream), arguments, extra ? packed.data() : nullptr));
}

// In threads, not in blocks; events around it.
__attribute__((visibility("default"))) hipError_t
hipExtModuleLaunchKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, size_t shared, hipStream_t stream, void** arguments,
                         void** extra, hipEvent_t start, hipEvent_t stop, unsigned) {
    if (bx == 0 || by == 0 || bz == 0 || gx % bx || gy % by || gz % bz)
        return error_of(finish("hipExtModuleLaunchKernel",
                               Outcome(Status::invalid_configuration, "blocks that are not whole", true)));
    if (start)
        if (const hipError_t error = hipEventRecord(start, stream)) return error;
    if (const hipError_t error =
            hipModuleLaunchKernel(function, gx / bx, gy / by, gz / bz, bx, by, bz,
                                  static_cast<unsigned>(shared), stream, arguments, extra))
        return error;
    return stop ? hipEventRecord(stop, stream) : hipSuccess;
}

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
    if (start)
        if (const hipError_t error = hipEventRecord(start, stream)) return error;
    if (const hipError_t error = hipLaunchKernel(function, grid, block, arguments, shared, stream))
        return error;
    return stop ? hipEventRecord(stop, stream) : hipSuccess;
}

hipError_t hipOccupancyMaxPotentialBlockSize(int* min_grid, int* block, const void* function, size_t shared,
                                             int limit) {
    return error_of(cudaOccupancyMaxPotentialBlockSize(min_grid, block, function, shared, limit));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* min_grid, int* block, hipFunction_t function,
                                                   size_t shared, int limit) {
    use_driver();
    return error_of(cuOccupancyMaxPotentialBlockSize(min_grid, block, converted<CUfunction>(function),
                                                     nullptr, shared, limit));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block, hipFunction_t function,
                                                            size_t shared, int limit, unsigned) {
    return hipModuleOccupancyMaxPotentialBlockSize(min_grid, block, function, shared, limit);
}
}
