// Edges of graphs in the driver API, with what CUDA 12.3 has added to them; what streams capture; executable
// graphs' settings, and objects that belong to graphs.
#include "runtime/driver.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;

static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData));
static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams));

namespace {

const cudaGraphEdgeData* edge_data(const CUgraphEdgeData* edges) {
    return reinterpret_cast<const cudaGraphEdgeData*>(edges);
}
cudaGraphEdgeData* edge_data(CUgraphEdgeData* edges) { return reinterpret_cast<cudaGraphEdgeData*>(edges); }

}  // namespace

extern "C" {

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
    return forward([&] { return cudaGraphAddDependencies_v2(graph, from, to, edge_data(edges), count); });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
    return forward([&] { return cudaGraphRemoveDependencies_v2(graph, from, to, edge_data(edges), count); });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges,
                            size_t* count) {
    return forward([&] { return cudaGraphGetEdges_v2(graph, from, to, edge_data(edges), count); });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                       size_t* count) {
    return forward([&] { return cudaGraphNodeGetDependencies_v2(node, nodes, edge_data(edges), count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                         size_t* count) {
    return forward([&] { return cudaGraphNodeGetDependentNodes_v2(node, nodes, edge_data(edges), count); });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode) {
    return forward([&] {
        return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, edge_data(edges), count,
                                             static_cast<cudaStreamCaptureMode>(mode));
    });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* count) {
    return forward([&] {
        return cudaStreamGetCaptureInfo_v3(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                           reinterpret_cast<unsigned long long*>(id), graph, dependencies,
                                           reinterpret_cast<const cudaGraphEdgeData**>(edges), count);
    });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData* edges, size_t count, unsigned flags) {
    return forward([&] {
        return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edge_data(edges), count, flags);
    });
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count,
                                           unsigned flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
    return forward([&] {
        return cudaGraphInstantiateWithParams(exec, graph,
                                              reinterpret_cast<cudaGraphInstantiateParams*>(params));
    });
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
    return forward([&] { return cudaGraphExecGetFlags(exec, reinterpret_cast<unsigned long long*>(flags)); });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
    return forward_anywhere([&] { return cudaDeviceGraphMemTrim(device); });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
    return forward_anywhere([&] {
        return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                              value);
    });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
    return forward_anywhere([&] {
        return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                              value);
    });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* pointer, CUhostFn destroy, unsigned references,
                            unsigned flags) {
    return forward([&] { return cudaUserObjectCreate(object, pointer, destroy, references, flags); });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
    return forward([&] { return cudaUserObjectRetain(object, count); });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
    return forward([&] { return cudaUserObjectRelease(object, count); });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
    return forward([&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
    return forward([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
}

LOCKSTEP_PER_THREAD(cuGraphInstantiateWithParams, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamBeginCaptureToGraph, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamGetCaptureInfo_v3, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamUpdateCaptureDependencies, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamUpdateCaptureDependencies_v2, _ptsz);
