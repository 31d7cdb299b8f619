// Graphs: made node by node, captured from streams, instantiated, changed, launched again and again.
// RUN: lockstep run %s
// OUT: ^graphs ok$
// RUN: lockstep timeline --gpu h200 %s
// OUT: ^graphs ok$
// OUT: ^[0-9]+ launches of graphs, [0-9]+ nodes: [0-9.]+ us$
// ALSO: nvcc
#include <atomic>
#include <fstream>
#include <string>

#include "support/check.h"

__device__ int variable[4];

__global__ void add(int* data, int n, int what) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += what;
}
__global__ void twice(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

static std::atomic<int> called{0};
static void call(void* by) { called += *static_cast<int*>(by); }

static const int n = 1000;
static const int bytes = n * sizeof(int);

static cudaKernelNodeParams kernel(void* function, void** arguments) {
    cudaKernelNodeParams params = {};
    params.func = function;
    params.gridDim = dim3(4);
    params.blockDim = dim3(256);
    params.kernelParams = arguments;
    return params;
}

// memset -> (add, twice of another array) -> copy -> host, and launched three times.
static void by_hand() {
    int *a = device_zeros<int>(n), *b = device_zeros<int>(n), host[n], by = 3, what = 5, count = n;
    cudaGraph_t graph{};
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t clear{}, plus{}, times{}, copy{}, function{}, meet{};
    cudaMemsetParams set = {};
    set.dst = a;
    set.value = 7;
    set.elementSize = 4;
    set.width = n;
    set.height = 1;
    CUDA(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &set));
    void* of_plus[] = {&a, &count, &what};
    cudaKernelNodeParams params = kernel((void*)add, of_plus);
    CUDA(cudaGraphAddKernelNode(&plus, graph, &clear, 1, &params));
    what = 100;  // the node has its own copy
    void* of_times[] = {&b, &count};
    cudaKernelNodeParams other = kernel((void*)twice, of_times);
    CUDA(cudaGraphAddKernelNode(&times, graph, &clear, 1, &other));
    cudaGraphNode_t both[] = {plus, times};
    CUDA(cudaGraphAddEmptyNode(&meet, graph, both, 2));
    CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, &meet, 1, host, a, bytes, cudaMemcpyDeviceToHost));
    cudaHostNodeParams calls = {call, &by};
    CUDA(cudaGraphAddHostNode(&function, graph, &copy, 1, &calls));

    size_t nodes = 0, roots = 0;
    CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
    CUDA(cudaGraphGetRootNodes(graph, nullptr, &roots));
    EXPECT(nodes == 6 && roots == 1);
    cudaGraphNodeType type{};
    CUDA(cudaGraphNodeGetType(copy, &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);
    cudaKernelNodeParams back = {};
    CUDA(cudaGraphKernelNodeGetParams(plus, &back));
    EXPECT(back.func == (void*)add && back.gridDim.x == 4 && *(int*)back.kernelParams[2] == 5);

    cudaGraphExec_t exec{};
    CUDA(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    cudaStream_t stream{};
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMemcpy(b, std::vector<int>(n, 1).data(), bytes, cudaMemcpyHostToDevice));
    CUDA(cudaGraphUpload(exec, stream));
    for (int i = 0; i < 3; ++i) CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(called == 9);
    for (int i = 0; i < n; ++i) EXPECT_AT(i, host[i], 12);
    for (int value : to_host(b, n)) EXPECT(value == 8);

    // A node of the executable graph gets other arguments; the graph itself stays.
    what = 20;
    CUDA(cudaGraphExecKernelNodeSetParams(exec, plus, &params));
    CUDA(cudaGraphNodeSetEnabled(exec, times, 0));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(host[0] == 27 && to_host(b, n)[5] == 8);

    // All of it is taken over from another graph of the same shape.
    cudaGraph_t clone{};
    CUDA(cudaGraphClone(&clone, graph));
    cudaGraphNode_t in_clone{};
    CUDA(cudaGraphNodeFindInClone(&in_clone, clear, clone));
    set.value = 1000;
    CUDA(cudaGraphMemsetNodeSetParams(in_clone, &set));
    cudaGraphExecUpdateResultInfo info = {};
    CUDA(cudaGraphExecUpdate(exec, clone, &info));
    EXPECT(info.result == cudaGraphExecUpdateSuccess);
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(host[n - 1] == 1005);
    cudaGraphNode_t more{};
    CUDA(cudaGraphAddEmptyNode(&more, clone, nullptr, 0));
    EXPECT(cudaGraphExecUpdate(exec, clone, &info) == cudaErrorGraphExecUpdateFailure);
    EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();

    CUDA(cudaGraphDebugDotPrint(graph, "graph.dot", cudaGraphDebugDotFlagsVerbose));
    std::ifstream dot("graph.dot");
    const std::string text{std::istreambuf_iterator<char>(dot), {}};
    EXPECT(text.find("digraph") == 0 && text.find("add") != std::string::npos);

    // The graph may go before what was made from it.
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphDestroy(clone));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaGraphExecDestroy(exec));
}

// A stream forks into two and joins again; the capture does nothing, its graph does.
static void captured() {
    int *a = device_zeros<int>(n), *b = device_zeros<int>(n), by = 1;
    cudaStream_t first{}, second{};
    CUDA(cudaStreamCreate(&first));
    CUDA(cudaStreamCreate(&second));
    cudaEvent_t fork{}, join{}, timed{};
    CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CUDA(cudaEventCreate(&timed));
    CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureStatus status{};
    CUDA(cudaMemsetAsync(a, 0, bytes, first));
    CUDA(cudaEventRecord(fork, first));
    CUDA(cudaStreamWaitEvent(second, fork, 0));
    CUDA(cudaStreamIsCapturing(second, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    add<<<4, 256, 0, first>>>(a, n, 1);
    add<<<4, 256, 0, second>>>(b, n, 2);
    CUDA(cudaEventRecord(join, second));
    CUDA(cudaStreamWaitEvent(first, join, 0));
    CUDA(cudaMemcpyAsync(a, b, bytes / 2, cudaMemcpyDeviceToDevice, first));
    CUDA(cudaLaunchHostFunc(first, call, &by));
    CUDA(cudaEventRecordWithFlags(timed, first, cudaEventRecordExternal));
    unsigned long long id = 0;
    cudaGraph_t graph{}, same{};
    const cudaGraphNode_t* dependencies = nullptr;
    size_t count = 0;
#if CUDART_VERSION >= 13000
    CUDA(cudaStreamGetCaptureInfo(first, &status, &id, &same, &dependencies, nullptr, &count));
#else
    CUDA(cudaStreamGetCaptureInfo(first, &status, &id, &same, &dependencies, &count));
#endif
    EXPECT(id > 0 && count == 1);
    CUDA(cudaStreamEndCapture(first, &graph));
    EXPECT(graph == same && to_host(a, n)[0] == 0 && to_host(b, n)[0] == 0);
    called = 0;
    size_t nodes = 0;
    CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 6);
    cudaGraphExec_t exec{};
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; ++i) CUDA(cudaGraphLaunch(exec, first));
    CUDA(cudaEventSynchronize(timed));
    CUDA(cudaStreamSynchronize(first));
    EXPECT(called == 2);
    EXPECT(to_host(a, n)[0] == 4 && to_host(a, n)[n - 1] == 1 && to_host(b, n)[n - 1] == 4);

    // A graph inside of another, which has more to do; and what is not possible in a capture.
    cudaGraph_t outer{};
    CUDA(cudaGraphCreate(&outer, 0));
    cudaGraphNode_t child{}, after{};
    CUDA(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    int count_of = n, hundred = 100;
    void* arguments[] = {&a, &count_of, &hundred};
    cudaKernelNodeParams params = kernel((void*)add, arguments);
    CUDA(cudaGraphAddKernelNode(&after, outer, &child, 1, &params));
    cudaGraphExec_t whole{};
    CUDA(cudaGraphInstantiate(&whole, outer, 0));
    CUDA(cudaGraphLaunch(whole, second));
    CUDA(cudaStreamSynchronize(second));
    EXPECT(to_host(a, n)[0] == 106 && called == 3);
    CUDA(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
    EXPECT(cudaGraphLaunch(exec, second) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(second, &outer) == cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();

    // Captures of the same work change what runs without another instantiation.
    for (int round = 1; round <= 3; ++round) {
        CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
        CUDA(cudaMemsetAsync(a, 0, bytes, first));
        add<<<4, 256, 0, first>>>(a, n, round);
        cudaGraph_t next{};
        CUDA(cudaStreamEndCapture(first, &next));
        static cudaGraphExec_t kept = nullptr;
        cudaGraphExecUpdateResultInfo info = {};
        if (!kept)
            CUDA(cudaGraphInstantiate(&kept, next, 0));
        else
            CUDA(cudaGraphExecUpdate(kept, next, &info));
        CUDA(cudaGraphDestroy(next));
        CUDA(cudaGraphLaunch(kept, first));
        CUDA(cudaStreamSynchronize(first));
        EXPECT(to_host(a, n)[7] == round);
    }
}

// Memory that a graph allocates and frees, a variable, and memory that outlives the launch.
static void memory() {
    cudaStream_t stream{};
    CUDA(cudaStreamCreate(&stream));
    int* out = device_zeros<int>(n);
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    int* inside = nullptr;
    CUDA(cudaMallocAsync(&inside, bytes, stream));
    CUDA(cudaMemsetAsync(inside, 0, bytes, stream));
    add<<<4, 256, 0, stream>>>(inside, n, 42);
    CUDA(cudaMemcpyAsync(out, inside, bytes, cudaMemcpyDeviceToDevice, stream));
    CUDA(cudaFreeAsync(inside, stream));
    cudaGraph_t graph{};
    CUDA(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec{};
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; ++i) CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(to_host(out, n)[n - 1] == 42);
    unsigned long long used = 1, most = 0;
    CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most));
    EXPECT(used == 0 && most >= bytes);

    cudaGraph_t keeps{};
    CUDA(cudaGraphCreate(&keeps, 0));
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = sizeof variable;
    cudaGraphNode_t allocates{}, copies{}, sets{};
    CUDA(cudaGraphAddMemAllocNode(&allocates, keeps, nullptr, 0, &params));
    const int values[4] = {1, 2, 3, 4};
    CUDA(cudaGraphAddMemcpyNodeToSymbol(&sets, keeps, nullptr, 0, variable, values, sizeof values, 0,
                                        cudaMemcpyHostToDevice));
    cudaGraphNode_t both[] = {allocates, sets};
    CUDA(cudaGraphAddMemcpyNodeFromSymbol(&copies, keeps, both, 2, params.dptr, variable, sizeof values, 0,
                                          cudaMemcpyDeviceToDevice));
    CUDA(cudaGraphInstantiate(&exec, keeps, 0));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    EXPECT(to_host((int*)params.dptr, 4)[3] == 4);
    EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);  // it is not free yet
    cudaGetLastError();
    CUDA(cudaFreeAsync(params.dptr, stream));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaFree(params.dptr));
}

static void objects() {
    static int destroyed = 0;
    cudaUserObject_t object{};
    CUDA(cudaUserObjectCreate(
        &object, &destroyed, [](void* p) { ++*static_cast<int*>(p); }, 1, cudaUserObjectNoDestructorSync));
    cudaGraph_t graph{};
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t exec{};
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    EXPECT(destroyed == 0);
    CUDA(cudaGraphExecDestroy(exec));
    for (int i = 0; i < 100 && destroyed == 0; ++i) CUDA(cudaDeviceSynchronize());
    EXPECT(destroyed == 1);
}

int main() {
    by_hand();
    captured();
    memory();
    objects();
    return finish("graphs");
}
