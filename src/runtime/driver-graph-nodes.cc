// Nodes of graphs in the driver API: of any kind, what they were given, and memory.
#include <cstring>

#include "runtime/driver-graph-params.h"
#include "runtime/libraries.h"

using namespace lockstep::runtime;

static_assert(sizeof(CUgraphNodeParams) == sizeof(cudaGraphNodeParams));
static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));

namespace {

// Both APIs have most kinds in the same shape. Inside of forward.
cudaGraphNodeParams node_params(const CUgraphNodeParams& params) {
    cudaGraphNodeParams same = {};
    std::memcpy(static_cast<void*>(&same), &params, sizeof same);
    switch (params.type) {
        case CU_GRAPH_NODE_TYPE_KERNEL: {
            const cudaKernelNodeParams kernel = kernel_params(params.kernel);
            same.kernel = {kernel.func,           kernel.gridDim,      kernel.blockDim,
                           kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
            break;
        }
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            same.memcpy = {params.memcpy.flags, {}, copy_params(params.memcpy.copyParams)};
            break;
        case CU_GRAPH_NODE_TYPE_MEMSET: {
            const cudaMemsetParams fill = fill_params(params.memset);
            same.memset = {fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height};
            break;
        }
        default: break;
    }
    return same;
}

// What a node tells of itself when it is made.
void give_back(CUgraphNodeParams& params, const cudaGraphNodeParams& made) {
    if (params.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) params.alloc.dptr = address_of(made.alloc.dptr);
    if (params.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        params.conditional.phGraph_out = made.conditional.phGraph_out;
}

int device_of(const cudaGraphNodeParams& params) {
    return params.type == cudaGraphNodeTypeKernel ? device_of_function(params.kernel.func)
                                                  : this_thread().device;
}

cudaMemAllocNodeParams& same_shape(CUDA_MEM_ALLOC_NODE_PARAMS& params) {
    return reinterpret_cast<cudaMemAllocNodeParams&>(params);
}

}  // namespace

extern "C" {

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        cudaGraphNodeParams same = node_params(*params);
        const DeviceScope device(device_of(same));
        const cudaError_t error = cudaGraphAddNode_v2(
            node, graph, dependencies, reinterpret_cast<const cudaGraphEdgeData*>(edges), count, &same);
        if (error == cudaSuccess) give_back(*params, same);
        return error;
    });
}

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                        CUgraphNodeParams* params) {
    return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        cudaGraphNodeParams same = node_params(*params);
        return cudaGraphNodeSetParams(node, &same);
    });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        cudaGraphNodeParams same = node_params(*params);
        return cudaGraphExecNodeSetParams(exec, node, &same);
    });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    return forward([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
    return forward([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
    return forward([&] { return cudaGraphNodeFindInClone(node, original, clone); });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
    return forward([&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        cudaMemcpy3DParms copy = {};
        const cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &copy);
        if (error == cudaSuccess) *params = driver_params(copy);
        return error;
    });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        const cudaMemcpy3DParms copy = copy_params(*params);
        return cudaGraphMemcpyNodeSetParams(node, &copy);
    });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        cudaMemsetParams fill = {};
        const cudaError_t error = cudaGraphMemsetNodeGetParams(node, &fill);
        if (error == cudaSuccess) *params = driver_params(fill);
        return error;
    });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaMemsetParams fill = fill_params(*params);
    return forward([&] { return cudaGraphMemsetNodeSetParams(node, &fill); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    return forward([&] {
        cudaHostNodeParams host = {};
        const cudaError_t error = cudaGraphHostNodeGetParams(node, &host);
        if (error == cudaSuccess) *params = {host.fn, host.userData};
        return error;
    });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaHostNodeParams host = {params->fn, params->userData};
    return forward([&] { return cudaGraphHostNodeSetParams(node, &host); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaHostNodeParams host = {params->fn, params->userData};
    return forward([&] { return cudaGraphExecHostNodeSetParams(exec, node, &host); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
    return forward([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
    return forward([&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
    return forward([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    return forward([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    return forward([&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
    return forward([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    return forward([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    return forward([&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    return forward(
        [&] { return cudaGraphAddMemAllocNode(node, graph, dependencies, count, &same_shape(*params)); });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    return forward([&] { return cudaGraphMemAllocNodeGetParams(node, &same_shape(*params)); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr pointer) {
    return forward([&] { return cudaGraphAddMemFreeNode(node, graph, dependencies, count, at(pointer)); });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* pointer) {
    return forward([&] { return cudaGraphMemFreeNodeGetParams(node, pointer); });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext context,
                                        unsigned first, unsigned flags) {
    if (context && !is_context(context)) return refuse_context();
    return forward([&] {
        return cudaGraphConditionalHandleCreate(reinterpret_cast<unsigned long long*>(handle), graph, first,
                                                flags);
    });
}
}
