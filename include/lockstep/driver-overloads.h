/* Functions that CUDA 13 has given other parameters: C++ programs written for it compile as well. */
#ifndef LOCKSTEP_DRIVER_OVERLOADS_H
#define LOCKSTEP_DRIVER_OVERLOADS_H

static inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* params, unsigned int flags,
                                   CUdevice device) {
    if (params && (params->numExecAffinityParams || params->cigParams)) return CUDA_ERROR_NOT_SUPPORTED;
    return cuCtxCreate(context, flags, device);
}
static inline CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                      const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* params) {
    return cuGraphAddNode_v2(node, graph, dependencies, edges, count, params);
}
static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                              const CUgraphEdgeData* edges, size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from,
                                                 const CUgraphNode* to, const CUgraphEdgeData* edges,
                                                 size_t count) {
    return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                       CUgraphEdgeData* edges, size_t* count) {
    return cuGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes,
                                                  CUgraphEdgeData* edges, size_t* count) {
    return cuGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes,
                                                    CUgraphEdgeData* edges, size_t* count) {
    return cuGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
static inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                              CUgraph* graph, const CUgraphNode** dependencies,
                                              const CUgraphEdgeData** edges, size_t* count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
static inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                         const CUgraphEdgeData* edges, size_t count,
                                                         unsigned int flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}

#endif
