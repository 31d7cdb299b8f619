// The driver API's graphs as clients build them: nodes of every kind by one function, edges with data,
// conditions, memory of graphs, user objects, capture into a graph; in CUDA 12's shapes and CUDA 13's.
// RUN: lockstep run %s -lcuda
// OUT: ^sum 2528, calls 1$
// OUT: ^while 7 70$
// OUT: ^enabled 0, value 100$
// OUT: ^params 8 32, fill 7 x 64, copy 256$
// OUT: ^edges 4, first type 0$
// OUT: ^graph memory at once: 42$
// OUT: ^object destroyed 1$
// OUT: ^captured 3 nodes, 1 more$
// OUT: ^batch 11 22$
// OUT: ^functions 3, first add$
// OUT: ^clusters more than none, largest 8$
// OUT: ^range read mostly 1$
// OUT: ^priority -2, elapsed 1$
// OUT: ^addresses 1 1 1$
// OUT: ^bad: 1 1 1 1 1 400$
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(...)                                                           \
    do {                                                                     \
        if (CUresult error = (__VA_ARGS__)) {                                \
            std::printf("line %d: %s: %d\n", __LINE__, #__VA_ARGS__, error); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

static const char* const code = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry add(.param .u64 p, .param .u32 addend) {
    .reg .u64 a; .reg .u32 x, v, t;
    ld.param.u64 a, [p]; ld.param.u32 v, [addend]; mov.u32 t, %tid.x; mad.wide.u32 a, t, 4, a;
    ld.global.u32 x, [a]; add.u32 x, x, v; st.global.u32 [a], x; ret;
}
.visible .entry until(.param .u64 handle, .param .u64 p, .param .u32 limit) {
    .reg .u64 h, a; .reg .u32 x, l; .reg .pred q;
    ld.param.u64 h, [handle]; ld.param.u64 a, [p]; ld.param.u32 l, [limit];
    ld.global.u32 x, [a]; add.u32 x, x, 1; st.global.u32 [a], x; setp.lt.u32 q, x, l; selp.u32 x, 1, 0, q;
    { .param .b64 c; .param .b32 d; st.param.b64 [c], h; st.param.b32 [d], x;
      call.uni cudaGraphSetConditional, (c, d); }
    ret;
}
.visible .entry nothing() { ret; }
)";
static void count(void* calls) { ++*static_cast<int*>(calls); }

static CUgraphNodeParams kernel(CUfunction function, unsigned threads, void** arguments) {
    CUgraphNodeParams params = {};
    params.type = CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel.func = function;
    params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
    params.kernel.blockDimX = threads;
    params.kernel.blockDimY = params.kernel.blockDimZ = 1;
    params.kernel.kernelParams = arguments;
    return params;
}

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction add, until;
    CUstream stream, other;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, code));
    CHECK(cuModuleGetFunction(&add, module, "add"));
    CHECK(cuModuleGetFunction(&until, module, "until"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    CUdeviceptr data;
    CHECK(cuMemAlloc(&data, 256));
    unsigned host[64];
    int calls = 0;

    // fill -> kernel -> copy, host
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    CUgraphNodeParams fill = {}, copy = {}, call = {};
    fill.type = CU_GRAPH_NODE_TYPE_MEMSET;
    fill.memset = {data, 0, 7, 4, 64, 1, context};
    copy.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    copy.memcpy.copyCtx = context;
    CUDA_MEMCPY3D& box = copy.memcpy.copyParams;
    box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = data;
    box.dstMemoryType = CU_MEMORYTYPE_HOST;
    box.dstHost = host;
    box.WidthInBytes = 256;
    box.Height = box.Depth = 1;
    call.type = CU_GRAPH_NODE_TYPE_HOST;
    call.host = {count, &calls};
    unsigned value = 3;
    void* arguments[] = {&data, &value};
    CUgraphNodeParams one = kernel(add, 32, arguments);
    CUgraphNode filled, added, again, copied, called;
    CHECK(cuGraphAddNode(&filled, graph, nullptr, 0, &fill));
    CHECK(cuGraphAddNode(&added, graph, &filled, 1, &one));
    value = 62;
    CHECK(cuGraphAddNode(&again, graph, &added, nullptr, 1, &one));  // CUDA 13's shape
    CHECK(cuGraphAddNode(&copied, graph, &again, 1, &copy));
    CHECK(cuGraphAddNode(&called, graph, nullptr, 0, &call));
    CHECK(cuGraphAddDependencies_v2(graph, &copied, &called, nullptr, 1));
    CUgraphExec exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
    CHECK(cuGraphInstantiateWithParams(&exec, graph, &how));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    unsigned sum = 0;
    for (const unsigned one : host) sum += one;
    std::printf("sum %u, calls %d\n", sum, calls);

    {  // a loop whose end a kernel decides
        CUgraph loop;
        CUgraphConditionalHandle handle;
        CHECK(cuGraphCreate(&loop, 0));
        CHECK(cuGraphConditionalHandleCreate(&handle, loop, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
        CUgraphNodeParams condition = {};
        condition.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        condition.conditional.handle = handle;
        condition.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
        condition.conditional.size = 1;
        condition.conditional.ctx = context;
        CUgraphNode node, inner;
        CHECK(cuGraphAddNode(&node, loop, nullptr, 0, &condition));
        unsigned ten = 10, limit = 7;
        CUdeviceptr counter = data + 4, total = data;
        void* step[] = {&total, &ten};
        void* test[] = {&handle, &counter, &limit};
        CUgraphNodeParams first = kernel(add, 1, step), last = kernel(until, 1, test);
        CHECK(cuGraphAddNode(&inner, condition.conditional.phGraph_out[0], nullptr, 0, &first));
        CHECK(cuGraphAddNode(&node, condition.conditional.phGraph_out[0], &inner, 1, &last));
        CUgraphExec looping;
        CHECK(cuMemsetD32(data, 0, 2));
        CHECK(cuGraphInstantiate(&looping, loop, 0));
        CHECK(cuGraphLaunch(looping, stream));
        CHECK(cuStreamSynchronize(stream));
        CHECK(cuMemcpyDtoH(host, data, 8));
        std::printf("while %u %u\n", host[1], host[0]);
    }
    {  // nodes that are switched off and changed
        unsigned on = 2;
        CHECK(cuGraphNodeSetEnabled(exec, added, 0));
        CHECK(cuGraphNodeGetEnabled(exec, added, &on));
        value = 93;
        CHECK(cuGraphExecNodeSetParams(exec, again, &one));
        CHECK(cuGraphLaunch(exec, stream));
        CHECK(cuStreamSynchronize(stream));
        std::printf("enabled %u, value %u\n", on, host[0]);
        one.kernel.blockDimX = 8;
        CHECK(cuGraphNodeSetParams(again, &one));
        CUDA_KERNEL_NODE_PARAMS kernel_now;
        CUDA_MEMSET_NODE_PARAMS fill_now;
        CUDA_MEMCPY3D copy_now;
        CUDA_HOST_NODE_PARAMS host_now;
        CUDA_KERNEL_NODE_PARAMS before;
        CHECK(cuGraphKernelNodeGetParams(added, &before));
        CHECK(cuGraphKernelNodeGetParams(again, &kernel_now));
        CHECK(cuGraphMemsetNodeGetParams(filled, &fill_now));
        CHECK(cuGraphMemcpyNodeGetParams(copied, &copy_now));
        CHECK(cuGraphHostNodeGetParams(called, &host_now));
        const bool same = copy_now.srcMemoryType == CU_MEMORYTYPE_DEVICE && copy_now.srcDevice == data &&
                          copy_now.dstHost == host && host_now.userData == &calls;
        std::printf("params %u %u, fill %u x %zu, copy %zu\n", kernel_now.blockDimX, before.blockDimX,
                    fill_now.value, fill_now.width, same ? copy_now.WidthInBytes : 0);
        CUgraphNode from[8], to[8];
        CUgraphEdgeData edges[8];
        size_t found = 8;
        CHECK(cuGraphGetEdges_v2(graph, from, to, edges, &found));
        std::printf("edges %zu, first type %d\n", found, edges[0].type);
    }
    {  // memory that a graph allocates, and an object that lives as long as it
        CUgraph own;
        CHECK(cuGraphCreate(&own, 0));
        CUDA_MEM_ALLOC_NODE_PARAMS memory = {};
        memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        memory.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
        memory.bytesize = 256;
        CUgraphNode allocated, set, back, freed;
        CHECK(cuGraphAddMemAllocNode(&allocated, own, nullptr, 0, &memory));
        CUDA_MEMSET_NODE_PARAMS with = {memory.dptr, 0, 42, 4, 1, 1};
        CHECK(cuGraphAddMemsetNode(&set, own, &allocated, 1, &with, context));
        box.srcDevice = memory.dptr;
        box.WidthInBytes = 4;
        CHECK(cuGraphAddMemcpyNode(&back, own, &set, 1, &box, context));
        CHECK(cuGraphAddMemFreeNode(&freed, own, &back, 1, memory.dptr));
        CUdeviceptr which = 0;
        CHECK(cuGraphMemFreeNodeGetParams(freed, &which));
        int destroyed = 0;
        CUuserObject object;
        CHECK(cuUserObjectCreate(&object, &destroyed, count, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
        CHECK(cuGraphRetainUserObject(own, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
        CUgraphExec running;
        CHECK(cuGraphInstantiate(&running, own, 0));
        CHECK(cuGraphLaunch(running, stream));
        CHECK(cuStreamSynchronize(stream));
        cuuint64_t used = 1;
        CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
        std::printf("graph memory at once: %u\n", which == memory.dptr && used == 0 ? host[0] : 0);
        CHECK(cuGraphExecDestroy(running));
        CHECK(cuGraphDestroy(own));
        std::printf("object destroyed %d\n", destroyed);
    }
    {  // capture into a graph that is there, and a node that the program adds to what is captured
        CUgraph into, result;
        CHECK(cuGraphCreate(&into, 0));
        CHECK(cuStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
        CHECK(cuMemsetD32Async(data, 1, 4, stream));
        CUstreamCaptureStatus status;
        cuuint64_t id;
        const CUgraphNode* last;
        const CUgraphEdgeData* edges;
        size_t number = 0;
        CHECK(cuStreamGetCaptureInfo_v3(stream, &status, &id, &result, &last, &edges, &number));
        CUgraphNode empty;
        CHECK(cuGraphAddEmptyNode(&empty, result, last, number));
        CHECK(cuStreamUpdateCaptureDependencies(stream, &empty, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
        CHECK(cuMemsetD32Async(data + 16, 2, 4, stream));
        CHECK(cuStreamEndCapture(stream, &result));
        size_t nodes = 0, waiting = 0;
        CHECK(cuGraphGetNodes(into, nullptr, &nodes));
        CHECK(cuGraphNodeGetDependentNodes_v2(empty, nullptr, nullptr, &waiting));
        std::printf("captured %zu nodes, %zu more\n", nodes, waiting);
    }
    CUstreamBatchMemOpParams batch[4] = {};
    batch[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, data, {11}, 0, 0};
    batch[1].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEMORY_BARRIER_TYPE_GPU};
    batch[2].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, data, {11}, CU_STREAM_WAIT_VALUE_EQ, 0};
    batch[3].operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    batch[3].writeValue.address = data + 8;
    batch[3].writeValue.value64 = 22;
    CHECK(cuStreamBatchMemOp(stream, 4, batch, 0));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(host, data, 16));
    std::printf("batch %u %u\n", host[0], host[2]);

    unsigned kernels = 0;
    CUfunction all[3];
    const char* name;
    CHECK(cuModuleGetFunctionCount(&kernels, module));
    CHECK(cuModuleEnumerateFunctions(all, 3, module));
    CHECK(cuFuncGetName(&name, all[0]));
    std::printf("functions %u, first %s\n", kernels, name);

    CUlaunchConfig config = {};
    config.gridDimX = 8;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 64;
    int clusters = 0, largest = 0;
    CHECK(cuOccupancyMaxActiveClusters(&clusters, add, &config));
    CHECK(cuOccupancyMaxPotentialClusterSize(&largest, add, &config));
    std::printf("clusters %s, largest %d\n", clusters > 0 ? "more than none" : "none", largest);

    CUdeviceptr managed;
    int mostly = 0;
    CHECK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    CHECK(cuMemAdvise(managed, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    CHECK(cuMemRangeGetAttribute(&mostly, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed, 4096));
    std::printf("range read mostly %d\n", mostly);

    CUstream urgent;
    CUevent begin, end;
    float ms = -1;
    CUlaunchAttributeValue attribute;
    CHECK(cuStreamCreateWithPriority(&urgent, CU_STREAM_NON_BLOCKING, -2));
    CHECK(cuStreamGetAttribute(urgent, CU_LAUNCH_ATTRIBUTE_PRIORITY, &attribute));
    CHECK(cuEventCreate(&begin, 0));
    CHECK(cuEventCreate(&end, 0));
    CHECK(cuEventRecord(begin, stream));
    CHECK(cuEventRecord(end, stream));
    CHECK(cuEventSynchronize(end));
    CHECK(cuEventElapsedTime_v2(&ms, begin, end));
    std::printf("priority %d, elapsed %d\n", attribute.priority, ms >= 0);

    // A name means the form of the version of CUDA that is asked for.
    void *first = nullptr, *second = nullptr;
    CUdriverProcAddressQueryResult result;
    CHECK(cuGetProcAddress("cuGraphAddDependencies", &first, 12000, 0, &result));
    CHECK(cuGetProcAddress("cuGraphAddDependencies", &second, 13000, 0, &result));
    std::printf("addresses %d", first && second && first != second);
    CHECK(cuGetProcAddress("cuCtxSynchronize", &first, 12080, 0, &result));
    CHECK(cuGetProcAddress("cuCtxSynchronize", &second, 13000, 0, &result));
    std::printf(" %d", first && second && first != second);
    CHECK(cuGetProcAddress("cuStreamGetCaptureInfo", &second, 13000, 0, &result));
    std::printf(" %d\n", second != nullptr);

    // What is destroyed, of another kind, or not there
    CHECK(cuGraphExecDestroy(exec));
    unsigned on;
    CUgraphNodeParams unknown = {};
    unknown.type = static_cast<CUgraphNodeType>(77);
    CUgraphNode none;
    batch[0].operation = static_cast<CUstreamBatchMemOpType>(9);
    std::printf("bad: %d %d %d %d %d %d\n", cuGraphNodeGetEnabled(exec, added, &on),
                cuGraphAddNode(&none, graph, nullptr, 0, &unknown),
                cuGraphHostNodeGetParams(filled, &call.host),
                cuGraphAddNode(&none, graph, nullptr, 0, nullptr), cuStreamBatchMemOp(stream, 4, batch, 0),
                cuModuleGetFunctionCount(&kernels, nullptr));
}
