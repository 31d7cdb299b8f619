// Capture and graphs of the driver API: the runtime API's, under other names.
#include "runtime/driver-graph-params.h"
#include "runtime/libraries.h"

using namespace lockstep::runtime;

extern "C" {

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return forward([&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    return forward([&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
    return forward(
        [&] { return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status)); });
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                CUgraph* graph, const CUgraphNode** dependencies, size_t* count) {
    return forward([&] {
        return cudaStreamGetCaptureInfo_v2(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                           reinterpret_cast<unsigned long long*>(id), graph, dependencies,
                                           count);
    });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    return forward(
        [&] { return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode)); });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
    return forward([&] { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
    return forward([&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
    return forward([&] { return cudaGraphClone(clone, original); });
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaKernelNodeParams kernel = kernel_params(*params);
    return forward([&] {
        const DeviceScope device(device_of_function(kernel.func));
        return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
    });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    cudaKernelNodeParams kernel = {};
    const CUresult result = forward([&] { return cudaGraphKernelNodeGetParams(node, &kernel); });
    if (result != CUDA_SUCCESS) return result;
    *params = driver_params(kernel);
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaKernelNodeParams kernel = kernel_params(*params);
    return forward([&] { return cudaGraphKernelNodeSetParams(node, &kernel); });
}

// Both APIs have the same attributes, and values for them.
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       CUkernelNodeAttrValue* value) {
    return forward([&] {
        return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                               reinterpret_cast<cudaLaunchAttributeValue*>(value));
    });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
    return forward([&] {
        return cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                               reinterpret_cast<const cudaLaunchAttributeValue*>(value));
    });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaKernelNodeParams kernel = kernel_params(*params);
    return forward([&] { return cudaGraphExecKernelNodeSetParams(exec, node, &kernel); });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMCPY3D* params, CUcontext) {
    if (!params) return refuse_null("params");
    return forward([&] {
        const cudaMemcpy3DParms copy = copy_params(*params);
        return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &copy);
    });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* params,
                                        CUcontext) {
    if (!params) return refuse_null("params");
    return forward([&] {
        const cudaMemcpy3DParms copy = copy_params(*params);
        return cudaGraphExecMemcpyNodeSetParams(exec, node, &copy);
    });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* params, CUcontext) {
    if (!params) return refuse_null("params");
    const cudaMemsetParams fill = fill_params(*params);
    return forward([&] { return cudaGraphAddMemsetNode(node, graph, dependencies, count, &fill); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* params, CUcontext) {
    if (!params) return refuse_null("params");
    const cudaMemsetParams fill = fill_params(*params);
    return forward([&] { return cudaGraphExecMemsetNodeSetParams(exec, node, &fill); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* params) {
    if (!params) return refuse_null("params");
    const cudaHostNodeParams host = {params->fn, params->userData};
    return forward([&] { return cudaGraphAddHostNode(node, graph, dependencies, count, &host); });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
    return forward([&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
    return forward([&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                   size_t count, CUevent event) {
    return forward([&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
    return forward([&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
    return forward([&] { return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count); });
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
    return forward([&] { return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return forward([&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return forward([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
    return forward([&] { return cudaGraphGetEdges_v2(graph, from, to, nullptr, count); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
    return forward([&] { return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type)); });
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
    return forward([&] { return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count); });
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
    return forward([&] { return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count); });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
    return forward([&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
    return forward([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
    return forward([&] { return cudaGraphInstantiate(exec, graph, flags); });
}

// As CUDA 11 had it, and clients that bind symbols still call it.
__attribute__((visibility("default"))) CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph,
                                                                      CUgraphNode* node, char* log,
                                                                      size_t size) {
    if (node) *node = nullptr;
    if (log && size) *log = 0;
    return forward([&] { return cudaGraphInstantiate(exec, graph, 0); });
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
    return forward([&] {
        return cudaGraphExecUpdate(exec, graph, reinterpret_cast<cudaGraphExecUpdateResultInfo*>(info));
    });
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
    return forward([&] { return cudaGraphUpload(exec, stream); });
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    return forward([&] { return cudaGraphLaunch(exec, stream); });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
    return forward([&] { return cudaGraphExecDestroy(exec); });
}
}
