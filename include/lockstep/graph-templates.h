/* Overloads of graphs' functions: symbols instead of pointers, and the shapes that CUDA 11 and CUDA 13 have
 * given to names of CUDA 12, so that programs written for either compile. */
#ifndef LOCKSTEP_GRAPH_TEMPLATES_H
#define LOCKSTEP_GRAPH_TEMPLATES_H
#include "cuda_runtime_api.h"

static inline __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                        cudaGraphNode_t* errorNode, char* log,
                                                        size_t logBytes) {
    if (errorNode) *errorNode = 0;
    if (log && logBytes) *log = 0;
    return ::cudaGraphInstantiate(exec, graph, 0ULL);
}
static inline __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                       cudaGraphNode_t* errorNode,
                                                       enum cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
    if (errorNode) *errorNode = info.errorNode;
    if (result) *result = info.result;
    return error;
}
static inline __host__ cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id = 0,
    cudaGraph_t* graph = 0, const cudaGraphNode_t** dependencies = 0, size_t* count = 0) {
    return ::cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
static inline __host__ cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                            enum cudaStreamCaptureStatus* status,
                                                            unsigned long long* id, cudaGraph_t* graph,
                                                            const cudaGraphNode_t** dependencies,
                                                            const cudaGraphEdgeData** edges, size_t* count) {
    return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
static inline __host__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                       cudaGraphNode_t* dependencies,
                                                                       const cudaGraphEdgeData* edges,
                                                                       size_t count, unsigned int flags = 0) {
    return ::cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}
static inline __host__ cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies,
                                                    const cudaGraphEdgeData* edges, size_t count,
                                                    struct cudaGraphNodeParams* params) {
    return ::cudaGraphAddNode_v2(node, graph, dependencies, edges, count, params);
}
static inline __host__ cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                                     cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                                     size_t* count) {
    return ::cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline __host__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                                cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
static inline __host__ cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                                  cudaGraphNode_t* nodes,
                                                                  cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
static inline __host__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                            const cudaGraphNode_t* to,
                                                            const cudaGraphEdgeData* edges, size_t count) {
    return ::cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline __host__ cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                               const cudaGraphNode_t* to,
                                                               const cudaGraphEdgeData* edges, size_t count) {
    return ::cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

template <class T>
static inline __host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                                  const cudaGraphNode_t* dependencies,
                                                                  size_t numDependencies, const T& symbol,
                                                                  const void* src, size_t count,
                                                                  size_t offset, enum cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, numDependencies, (const void*)&symbol,
                                            src, count, offset, kind);
}
template <class T>
static inline __host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                                    const cudaGraphNode_t* dependencies,
                                                                    size_t numDependencies, void* dst,
                                                                    const T& symbol, size_t count,
                                                                    size_t offset, enum cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, numDependencies, dst,
                                              (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline __host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                                        const void* src, size_t count,
                                                                        size_t offset,
                                                                        enum cudaMemcpyKind kind) {
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void*)&symbol, src, count, offset, kind);
}
template <class T>
static inline __host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst,
                                                                          const T& symbol, size_t count,
                                                                          size_t offset,
                                                                          enum cudaMemcpyKind kind) {
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                                            cudaGraphNode_t node,
                                                                            const T& symbol, const void* src,
                                                                            size_t count, size_t offset,
                                                                            enum cudaMemcpyKind kind) {
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, (const void*)&symbol, src, count, offset,
                                                      kind);
}
template <class T>
static inline __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                                              cudaGraphNode_t node, void* dst,
                                                                              const T& symbol, size_t count,
                                                                              size_t offset,
                                                                              enum cudaMemcpyKind kind) {
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, (const void*)&symbol, count, offset,
                                                        kind);
}
template <class T>
static inline __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, T* ptr,
                                                        unsigned int initialRefcount, unsigned int flags) {
    return ::cudaUserObjectCreate(
        object, ptr, [](void* one) { delete static_cast<T*>(one); }, initialRefcount, flags);
}

#ifdef __CUDACC__
/* Sets what a conditional node of the graph that runs looks at: the handle is the value's address. */
static inline __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    *(volatile unsigned int*)handle = value;
}
#endif
#endif
