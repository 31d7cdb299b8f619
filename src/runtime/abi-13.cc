// What libcudart.so.13 has in another shape than libcudart.so.12. The public header has CUDA 12's
// declarations of these names, so that it is included under other ones.
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_12
#define cudaMemAdvise cudaMemAdvise_12
#define cudaGraphAddNode cudaGraphAddNode_12
#define cudaGraphGetEdges cudaGraphGetEdges_12
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_12
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_12
#define cudaGraphAddDependencies cudaGraphAddDependencies_12
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_12
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_12
#define cudaMemcpyBatchAsync cudaMemcpyBatchAsync_12
#define cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_12
#include "runtime/batches.h"
#include "runtime/per-thread.h"
#undef cudaMemcpyBatchAsync
#undef cudaMemcpy3DBatchAsync
#undef cudaMemPrefetchAsync
#undef cudaMemAdvise
#undef cudaGraphAddNode
#undef cudaGraphGetEdges
#undef cudaGraphNodeGetDependencies
#undef cudaGraphNodeGetDependentNodes
#undef cudaGraphAddDependencies
#undef cudaGraphRemoveDependencies
#undef cudaStreamUpdateCaptureDependencies
#undef cudaGetDeviceProperties

#include <cstring>

namespace lockstep::runtime {

int runtime_version() { return 13000; }

}  // namespace lockstep::runtime

namespace {

// cudaDeviceProp as CUDA 13 lays it out: CUDA 12's fields without the deprecated ones.
struct Properties13 {
#define FIELD(name) decltype(cudaDeviceProp::name) name;
#include "runtime/properties-13.def"
#undef FIELD
    // NUMA, MPS and PCI numbers, which lockstep has none of, and what is reserved.
    int rest[63];
};
static_assert(sizeof(Properties13) == 1008, "the layout of CUDA 13");

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED cudaError_t cudaGetDeviceProperties(Properties13* out, int device) {
    if (!out)
        return lockstep::runtime::finish("cudaGetDeviceProperties",
                                         lockstep::runtime::null_pointer("properties"));
    cudaDeviceProp all;
    if (const cudaError_t error = cudaGetDeviceProperties_v2(&all, device)) return error;
    std::memset(out, 0, sizeof *out);
#define FIELD(name) std::memcpy(&out->name, &all.name, sizeof all.name);
#include "runtime/properties-13.def"
#undef FIELD
    return cudaSuccess;
}

EXPORTED cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location,
                                          unsigned flags, cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}

EXPORTED cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice,
                                   cudaMemLocation location) {
    return cudaMemAdvise_v2(pointer, count, advice, location);
}

EXPORTED cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                      size_t count, cudaGraphNodeParams* params) {
    return cudaGraphAddNode_v2(node, graph, dependencies, edges, count, params);
}

EXPORTED cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                       cudaGraphEdgeData* edges, size_t* count) {
    return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

EXPORTED cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                  cudaGraphEdgeData* edges, size_t* count) {
    return cudaGraphNodeGetDependencies_v2(node, nodes, edges, count);
}

EXPORTED cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                    cudaGraphEdgeData* edges, size_t* count) {
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}

EXPORTED cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                              const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                              size_t count) {
    return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

EXPORTED cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                 size_t count) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

EXPORTED cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                         const cudaGraphEdgeData* edges, size_t count,
                                                         unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}

EXPORTED cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                              unsigned long long* id, cudaGraph_t* graph,
                                              const cudaGraphNode_t** dependencies,
                                              const cudaGraphEdgeData** edges, size_t* count) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

EXPORTED cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                          size_t count, cudaMemcpyAttributes* attributes, size_t* firsts,
                                          size_t kinds, cudaStream_t stream) {
    return lockstep::runtime::copy_batch(to, from, sizes, count, attributes, firsts, kinds, nullptr, stream);
}

EXPORTED cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* operations,
                                            unsigned long long flags, cudaStream_t stream) {
    return lockstep::runtime::copy_batch_3d(count, operations, nullptr, flags, stream);
}

LOCKSTEP_PER_THREAD(cudaMemcpyBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpy3DBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemPrefetchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz);
