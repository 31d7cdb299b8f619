// Graphs, where HIP's structures have their members in another order.
#include "hip/same.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

namespace {

cudaKernelNodeParams cuda_of(const hipKernelNodeParams& p) {
    return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}
hipKernelNodeParams hip_of(const cudaKernelNodeParams& p) {
    return {p.blockDim, p.extra, p.func, p.gridDim, p.kernelParams, p.sharedMemBytes};
}
cudaMemsetParams cuda_of(const hipMemsetParams& p) {
    return {.dst = p.dst,
            .pitch = p.pitch,
            .value = p.value,
            .elementSize = p.elementSize,
            .width = p.width,
            .height = p.height};
}
hipMemsetParams hip_of(const cudaMemsetParams& p) {
    return {.dst = p.dst,
            .elementSize = p.elementSize,
            .height = p.height,
            .pitch = p.pitch,
            .value = p.value,
            .width = p.width};
}

// `use` gets CUDA's structure for the one that a program gave.
template <class Params, class Use>
hipError_t with(const char* function, const Params* params, Use use) {
    if (!params) return error_of(finish(function, null_pointer("params")));
    const auto cuda = cuda_of(*params);
    return error_of(use(&cuda));
}

// … and fills it in.
template <class Cuda, class Params, class Fill>
hipError_t filled(const char* function, Params* params, Fill fill) {
    if (!params) return error_of(finish(function, null_pointer("params")));
    Cuda cuda{};
    const cudaError_t error = fill(&cuda);
    if (error == cudaSuccess) *params = hip_of(cuda);
    return error_of(error);
}

cudaGraphNode_t node_of(hipGraphNode_t node) { return converted<cudaGraphNode_t>(node); }

}  // namespace

extern "C" {

hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipKernelNodeParams* params) {
    return with("hipGraphAddKernelNode", params, [&](const cudaKernelNodeParams* cuda) {
        return cudaGraphAddKernelNode(reinterpret_cast<cudaGraphNode_t*>(node), converted<cudaGraph_t>(graph),
                                      reinterpret_cast<const cudaGraphNode_t*>(dependencies), count, cuda);
    });
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* params) {
    return filled<cudaKernelNodeParams>(
        "hipGraphKernelNodeGetParams", params,
        [&](cudaKernelNodeParams* cuda) { return cudaGraphKernelNodeGetParams(node_of(node), cuda); });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
    return with("hipGraphKernelNodeSetParams", params, [&](const cudaKernelNodeParams* cuda) {
        return cudaGraphKernelNodeSetParams(node_of(node), cuda);
    });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t graph, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
    return with("hipGraphExecKernelNodeSetParams", params, [&](const cudaKernelNodeParams* cuda) {
        return cudaGraphExecKernelNodeSetParams(converted<cudaGraphExec_t>(graph), node_of(node), cuda);
    });
}
hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemsetParams* params) {
    return with("hipGraphAddMemsetNode", params, [&](const cudaMemsetParams* cuda) {
        return cudaGraphAddMemsetNode(reinterpret_cast<cudaGraphNode_t*>(node), converted<cudaGraph_t>(graph),
                                      reinterpret_cast<const cudaGraphNode_t*>(dependencies), count, cuda);
    });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) {
    return filled<cudaMemsetParams>("hipGraphMemsetNodeGetParams", params, [&](cudaMemsetParams* cuda) {
        return cudaGraphMemsetNodeGetParams(node_of(node), cuda);
    });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
    return with("hipGraphMemsetNodeSetParams", params, [&](const cudaMemsetParams* cuda) {
        return cudaGraphMemsetNodeSetParams(node_of(node), cuda);
    });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t graph, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
    return with("hipGraphExecMemsetNodeSetParams", params, [&](const cudaMemsetParams* cuda) {
        return cudaGraphExecMemsetNodeSetParams(converted<cudaGraphExec_t>(graph), node_of(node), cuda);
    });
}

// As CUDA 11 had it: the node that is at fault, and a text.
hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* at_fault, char* text,
                               size_t size) {
    if (at_fault) *at_fault = nullptr;
    if (text && size) *text = '\0';
    return error_of(
        cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t*>(exec), converted<cudaGraph_t>(graph), 0));
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t* at_fault,
                              hipGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info{};
    const cudaError_t error =
        cudaGraphExecUpdate(converted<cudaGraphExec_t>(exec), converted<cudaGraph_t>(graph), &info);
    if (at_fault) *at_fault = converted<hipGraphNode_t>(info.errorNode);
    if (result) *result = static_cast<hipGraphExecUpdateResult>(info.result);
    return error_of(error);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status,
                                   unsigned long long* id) {
    return error_of(cudaStreamGetCaptureInfo_v2(converted<cudaStream_t>(stream),
                                                reinterpret_cast<cudaStreamCaptureStatus*>(status), id,
                                                nullptr, nullptr, nullptr));
}
}
