// Programmatic edges and attributes of a graph's kernels: they are kept and told, and the order is right.
// RUN: lockstep run %s
// OUT: ^values 8$
// OUT: ^edges 402, then 1 of type 1 from port 1$
// OUT: ^attributes: priority -2, cluster 2, cooperative 0; copied -2$
// OUT: ^an array: 40 41 42, described right$
// OUT: ^errors 1 1 1 801$
#include <cstdio>

#define REQUIRE(call)                                                   \
    if (const int error = (call)) {                                     \
        std::printf("line %d: %s: error %d\n", __LINE__, #call, error); \
        return 1;                                                       \
    }

__global__ void set(int* p) { if (threadIdx.x == 0 && blockIdx.x == 0) *p = 3; }
__global__ void add(int* p) { if (threadIdx.x == 0 && blockIdx.x == 0) *p += 5; }

int main() {
    int* value;
    REQUIRE(cudaMallocManaged(&value, 4));
    cudaGraph_t graph;
    REQUIRE(cudaGraphCreate(&graph, 0));
    void* arguments[] = {&value};
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void*)set;
    params.kernel.gridDim = dim3(4), params.kernel.blockDim = dim3(32), params.kernel.kernelParams = arguments;
    cudaGraphNode_t first, second, nothing;
    REQUIRE(cudaGraphAddNode_v2(&first, graph, nullptr, nullptr, 0, &params));
    params.kernel.func = (void*)add;
    cudaGraphEdgeData edge = {};
    edge.from_port = cudaGraphKernelNodePortProgrammatic, edge.type = cudaGraphDependencyTypeProgrammatic;
    REQUIRE(cudaGraphAddNode_v2(&second, graph, &first, &edge, 1, &params));
    cudaLaunchAttributeValue priority = {}, cluster = {}, told = {}, cooperative = {};
    priority.priority = -2;
    cluster.clusterDim.x = 2, cluster.clusterDim.y = cluster.clusterDim.z = 1;
    REQUIRE(cudaGraphKernelNodeSetAttribute(second, cudaLaunchAttributePriority, &priority));
    REQUIRE(cudaGraphKernelNodeSetAttribute(second, cudaLaunchAttributeClusterDimension, &cluster));
    cudaGraphExec_t exec;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0));
    REQUIRE(cudaGraphLaunch(exec, nullptr));
    REQUIRE(cudaDeviceSynchronize());
    std::printf("values %d\n", *value);
    cudaGraphNode_t from, to;
    size_t count = 1;
    const int lossy = cudaGraphGetEdges(graph, &from, &to, &count);
    cudaGraphEdgeData data = {};
    count = 1;
    REQUIRE(cudaGraphGetEdges_v2(graph, &from, &to, &data, &count));
    std::printf("edges %d, then %zu of type %d from port %d\n", lossy, count, data.type, data.from_port);
    REQUIRE(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &priority));
    REQUIRE(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeClusterDimension, &cluster));
    REQUIRE(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeCooperative, &cooperative));
    REQUIRE(cudaGraphKernelNodeCopyAttributes(first, second));
    REQUIRE(cudaGraphKernelNodeGetAttribute(first, cudaLaunchAttributePriority, &told));
    std::printf("attributes: priority %d, cluster %u, cooperative %d; copied %d\n", priority.priority, cluster.clusterDim.x,
                cooperative.cooperative, told.priority);

    const int numbers[] = {40, 41, 42, 43};
    int back[3] = {};
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    REQUIRE(cudaMallocArray(&array, &format, 4, 1));
    cudaMemcpy3DParms in = {}, out = {}, described = {};
    in.srcPtr = make_cudaPitchedPtr((void*)numbers, 16, 16, 1), in.dstArray = array;
    in.extent = make_cudaExtent(4, 1, 1), in.kind = cudaMemcpyHostToDevice;
    out.srcArray = array, out.dstPtr = make_cudaPitchedPtr(back, 12, 12, 1);
    out.extent = make_cudaExtent(3, 1, 1), out.kind = cudaMemcpyDeviceToHost;
    cudaGraph_t copies;
    REQUIRE(cudaGraphCreate(&copies, 0));
    REQUIRE(cudaGraphAddMemcpyNode(&first, copies, nullptr, 0, &in));
    REQUIRE(cudaGraphAddMemcpyNode(&second, copies, &first, 1, &out));
    REQUIRE(cudaGraphMemcpyNodeGetParams(second, &described));
    REQUIRE(cudaGraphInstantiate(&exec, copies, 0));
    REQUIRE(cudaGraphLaunch(exec, nullptr));
    REQUIRE(cudaDeviceSynchronize());
    const bool right = described.srcArray == array && described.extent.width == 3 && described.dstPtr.ptr == back;
    std::printf("an array: %d %d %d, described %s\n", back[0], back[1], back[2], right ? "right" : "WRONG");

    std::printf("errors");
    const auto error = [](int result) { std::printf(" %d", result); };
    error(cudaGraphAddDependencies_v2(copies, &second, &first, &edge, 1));
    cluster.clusterDim.x = 3;
    error(cudaGraphKernelNodeSetAttribute(to, cudaLaunchAttributeClusterDimension, &cluster));
    edge.from_port = 7;
    error(cudaGraphAddNode_v2(&nothing, graph, &to, &edge, 1, &params));
    error(cudaGraphKernelNodeSetAttribute(to, cudaLaunchAttributeProgrammaticEvent, &priority));
    std::printf("\n");
    return 0;
}
