// The first forms of the driver API's kernel nodes. Programs that were compiled with CUDA 12's header call
// the second; clients with declarations of their own, in Python for example, still call these.
#include "runtime/driver.h"

using namespace lockstep::runtime;

namespace {

// What the second form has as well, a kernel handle and a context, stands behind it.
struct FirstKernelNodeParams {
    CUfunction func;
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    void** kernelParams;
    void** extra;
};

CUDA_KERNEL_NODE_PARAMS second(const FirstKernelNodeParams& p) {
    return {p.func,      p.gridDimX,       p.gridDimY,     p.gridDimZ, p.blockDimX, p.blockDimY,
            p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra,    nullptr,     nullptr};
}

}  // namespace

// The header gives these names to the second forms.
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams

#pragma GCC visibility push(default)
extern "C" {

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const FirstKernelNodeParams* params) {
    if (!params) return refuse_null("params");
    const CUDA_KERNEL_NODE_PARAMS all = second(*params);
    return cuGraphAddKernelNode_v2(node, graph, dependencies, count, &all);
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, FirstKernelNodeParams* params) {
    if (!params) return refuse_null("params");
    CUDA_KERNEL_NODE_PARAMS all = {};
    if (const CUresult error = cuGraphKernelNodeGetParams_v2(node, &all)) return error;
    *params = {all.func,      all.gridDimX,  all.gridDimY,       all.gridDimZ,     all.blockDimX,
               all.blockDimY, all.blockDimZ, all.sharedMemBytes, all.kernelParams, all.extra};
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const FirstKernelNodeParams* params) {
    if (!params) return refuse_null("params");
    const CUDA_KERNEL_NODE_PARAMS all = second(*params);
    return cuGraphKernelNodeSetParams_v2(node, &all);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const FirstKernelNodeParams* params) {
    if (!params) return refuse_null("params");
    const CUDA_KERNEL_NODE_PARAMS all = second(*params);
    return cuGraphExecKernelNodeSetParams_v2(exec, node, &all);
}
}
#pragma GCC visibility pop
