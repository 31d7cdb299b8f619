// What libcudart.so.12 has in another shape than libcudart.so.13.
#include "runtime/batches.h"
#include "runtime/per-thread.h"

namespace lockstep::runtime {

int runtime_version() { return 12050; }

}  // namespace lockstep::runtime

namespace {

cudaMemLocation location_of(int device) {
    if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
    return {cudaMemLocationTypeDevice, device};
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             size_t count, cudaGraphNodeParams* params) {
    return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
    return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
    return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                size_t count, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}

// As CUDA 10 and 11 had it; the header of CUDA 12 gives programs the second version.
__attribute__((visibility("default"))) cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id) {
    return cudaStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, count, location_of(device), 0, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise_v2(pointer, count, advice, location_of(device));
}

cudaError_t cudaMemcpyBatchAsync(void** to, void** from, size_t* sizes, size_t count,
                                 cudaMemcpyAttributes* attributes, size_t* firsts, size_t kinds,
                                 size_t* failed, cudaStream_t stream) {
    return lockstep::runtime::copy_batch(to, from, sizes, count, attributes, firsts, kinds, failed, stream);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* operations, size_t* failed,
                                   unsigned long long flags, cudaStream_t stream) {
    return lockstep::runtime::copy_batch_3d(count, operations, failed, flags, stream);
}
}

LOCKSTEP_PER_THREAD(cudaMemcpyBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy3DBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemPrefetchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz);
