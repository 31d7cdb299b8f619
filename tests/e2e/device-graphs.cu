// Graphs that kernels launch, and nodes of graphs that kernels change. What is expected is what an H200 did.
// RUN: lockstep run %s
// OUT: ^fire: 1 2 100 50 999, 0$
// OUT: ^tail: 1 2 50 100 999, 0$
// OUT: ^sibling: 1 2 100 50 999, 0$
// OUT: ^other stream: 1 2 50 999, 1$
// OUT: ^tails in order, one of them waits already: 1 2 50 100 200 999, 0 0 1$
// OUT: ^tail of a graph of the tail: 1 2 100 400 401 100 999, 0 0 1$
// OUT: ^itself again: 7 7 7 7 999, 1$
// OUT: ^not uploaded: 1 2 999, 1$
// OUT: ^updated: 100, then 300$
// OUT: ^no graph: 1$
// OUT: ^not in a graph: cudaErrorNotSupported$
// OUT: ^host function: cudaErrorInvalidValue 3$
// OUT: ^empty: cudaErrorInvalidValue 1$
// OUT: ^pageable: cudaErrorInvalidValue 3$
// OUT: ^nested: cudaErrorInvalidValue 3$
// OUT: ^once: cudaErrorNotSupported cudaErrorNotSupported cudaErrorNotSupported$
// OUT: ^changed: parameter 77 77, grid 5 5 5 5 5 5, disabled, enabled 5 5$
// OUT: ^beyond the parameters: 1$
// OUT: ^condition 3$
// NOT: ERROR
// ALSO: nvcc
#include <cstdio>
#include <string>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t status = (call);                                                                   \
        if (status != cudaSuccess) std::printf("ERROR line %d: %s\n", __LINE__, cudaGetErrorName(status));   \
    } while (0)

__device__ int notes[64], count, codes[8], turns;
__device__ cudaGraphExec_t first, second;

__device__ void note(int value) { notes[atomicAdd(&count, 1)] = value; }
__global__ void leaf(int value) { note(value); }
__global__ void launch(cudaStream_t stream, int value) {
    note(value);
    codes[0] = cudaGraphLaunch(first, stream);
    note(value + 1);
}
__global__ void launch_tails(int value) {
    note(value);
    codes[0] = cudaGraphLaunch(first, cudaStreamGraphTailLaunch);
    codes[1] = cudaGraphLaunch(second, cudaStreamGraphTailLaunch);
    codes[2] = cudaGraphLaunch(second, cudaStreamGraphFireAndForget);
    note(value + 1);
}
__global__ void launch_itself(int times) {
    note(7);
    if (turns++ < times) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    codes[0] = cudaGetCurrentGraphExec() != nullptr;
}
__global__ void nested(int value) { leaf<<<1, 1>>>(value); }
__global__ void launch_null() { codes[0] = cudaGraphLaunch(nullptr, cudaStreamGraphFireAndForget); }
__global__ void change(cudaGraphDeviceNode_t node, int what) {
    if (what == 0) codes[0] = cudaGraphKernelNodeSetParam(node, 0, 77);
    if (what == 1) codes[0] = cudaGraphKernelNodeSetGridDim(node, dim3(3));
    if (what == 2) codes[0] = cudaGraphKernelNodeSetEnabled(node, false);
    if (what == 3) {
        cudaGraphKernelNodeUpdate updates[2] = {{}, {}};
        updates[0].node = updates[1].node = node;
        updates[0].field = cudaGraphKernelNodeFieldEnabled;
        updates[0].updateData.isEnabled = 1;
        updates[1].field = cudaGraphKernelNodeFieldGridDim;
        updates[1].updateData.gridDim = dim3(1);
        codes[0] = cudaGraphKernelNodeUpdatesApply(updates, 2);
    }
    if (what == 4) codes[0] = cudaGraphKernelNodeSetParam(node, 64, 77);
}
__global__ void count_down(cudaGraphConditionalHandle handle) {
    note(1);
    cudaGraphSetConditional(handle, ++turns < 3);
}

static cudaGraph_t empty() {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    return graph;
}
template <class Kernel, class... Arguments>
cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t* after, Kernel kernel, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(kernel);
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = pointers;
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
    return node;
}
static cudaGraphExec_t instantiated(cudaGraph_t graph, unsigned long long flags) {
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, flags));
    return exec;
}
static cudaGraphExec_t for_device(cudaGraph_t graph) {
    const cudaGraphExec_t exec = instantiated(graph, cudaGraphInstantiateFlagDeviceLaunch);
    CHECK(cudaGraphUpload(exec, 0));
    return exec;
}
static std::string noted() {
    int values[64], number = 0, zero = 0;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(values, notes, sizeof values));
    CHECK(cudaMemcpyFromSymbol(&number, count, sizeof number));
    CHECK(cudaMemcpyToSymbol(count, &zero, sizeof zero));
    CHECK(cudaMemcpyToSymbol(turns, &zero, sizeof zero));
    std::string text;
    for (int i = 0; i < number; ++i) text += (i ? " " : "") + std::to_string(values[i]);
    return text;
}
static std::string code(int number = 1) {
    int values[8];
    CHECK(cudaMemcpyFromSymbol(values, codes, sizeof values));
    std::string text;
    for (int i = 0; i < number; ++i) text += (i ? " " : "") + std::to_string(values[i]);
    return text;
}
static void run(const char* name, cudaGraph_t graph, int codes_of = 1) {
    CHECK(cudaGraphLaunch(instantiated(graph, 0), 0));
    leaf<<<1, 1>>>(999);
    const std::string order = noted();
    std::printf("%s: %s, %s\n", name, order.c_str(), code(codes_of).c_str());
}
static void refused(const char* name, cudaGraph_t graph) {
    cudaGraphInstantiateParams params = {};
    params.flags = cudaGraphInstantiateFlagDeviceLaunch;
    cudaGraphExec_t exec;
    const cudaError_t error = cudaGraphInstantiateWithParams(&exec, graph, &params);
    std::printf("%s: %s %d\n", name, cudaGetErrorName(error), static_cast<int>(params.result_out));
    cudaGetLastError();
}

int main() {
    cudaGraph_t graph = empty();
    const cudaGraphNode_t in_a = add(graph, nullptr, leaf, 100);
    const cudaGraphExec_t a = for_device(graph);
    CHECK(cudaMemcpyToSymbol(first, &a, sizeof a));
    add(graph = empty(), nullptr, leaf, 200);
    const cudaGraphExec_t b = for_device(graph);
    CHECK(cudaMemcpyToSymbol(second, &b, sizeof b));

    const struct {
        const char* name;
        cudaStream_t stream;
    } streams[] = {{"fire", cudaStreamGraphFireAndForget},
                   {"tail", cudaStreamGraphTailLaunch},
                   {"sibling", cudaStreamGraphFireAndForgetAsSibling},
                   {"other stream", cudaStreamTailLaunch}};
    for (const auto& [name, stream] : streams) {
        const cudaGraphNode_t node = add(graph = empty(), nullptr, launch, stream, 1);
        add(graph, &node, leaf, 50);
        run(name, graph);
    }
    cudaGraphNode_t node = add(graph = empty(), nullptr, launch_tails, 1);
    add(graph, &node, leaf, 50);
    run("tails in order, one of them waits already", graph, 3);

    add(graph = empty(), nullptr, launch, cudaStreamGraphTailLaunch, 400);
    const cudaGraphExec_t middle = for_device(graph);
    CHECK(cudaMemcpyToSymbol(second, &middle, sizeof middle));
    add(graph = empty(), nullptr, launch_tails, 1);
    run("tail of a graph of the tail", graph, 3);

    add(graph = empty(), nullptr, launch_itself, 3);
    CHECK(cudaGraphLaunch(for_device(graph), 0));
    leaf<<<1, 1>>>(999);
    const std::string order = noted();
    std::printf("itself again: %s, %s\n", order.c_str(), code().c_str());

    add(graph = empty(), nullptr, leaf, 300);
    const cudaGraphExec_t not_uploaded = instantiated(graph, cudaGraphInstantiateFlagDeviceLaunch);
    CHECK(cudaMemcpyToSymbol(first, &not_uploaded, sizeof not_uploaded));
    add(graph = empty(), nullptr, launch, cudaStreamGraphFireAndForget, 1);
    run("not uploaded", graph);

    // What the host changes counts when it is uploaded again.
    CHECK(cudaMemcpyToSymbol(first, &a, sizeof a));
    int value = 300;
    void* arguments[] = {&value};
    cudaKernelNodeParams params = {};
    CHECK(cudaGraphKernelNodeGetParams(in_a, &params));
    params.kernelParams = arguments;
    CHECK(cudaGraphExecKernelNodeSetParams(a, in_a, &params));
    add(graph = empty(), nullptr, launch_tails, 1);
    const cudaGraphExec_t both = instantiated(graph, 0);
    CHECK(cudaMemcpyToSymbol(second, &b, sizeof b));
    const auto third = [&] {
        CHECK(cudaGraphLaunch(both, 0));
        return noted().substr(4, 3);
    };
    const std::string before = third();
    CHECK(cudaGraphUpload(a, 0));
    std::printf("updated: %s, then %s\n", before.c_str(), third().c_str());

    add(graph = empty(), nullptr, launch_null);
    CHECK(cudaGraphLaunch(instantiated(graph, 0), 0));
    noted();
    std::printf("no graph: %s\n", code().c_str());
    launch<<<1, 1>>>(cudaStreamGraphTailLaunch, 1);
    std::printf("not in a graph: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaHostNodeParams host = {};
    host.fn = [](void*) {};
    CHECK(cudaGraphAddHostNode(&node, graph = empty(), nullptr, 0, &host));
    refused("host function", graph);
    refused("empty", empty());
    static int pageable[4];
    int* device = nullptr;
    CHECK(cudaMalloc(&device, sizeof pageable));
    CHECK(cudaGraphAddMemcpyNode1D(&node, graph = empty(), nullptr, 0, device, pageable, sizeof pageable,
                                   cudaMemcpyHostToDevice));
    refused("pageable", graph);
    add(graph = empty(), nullptr, nested, 1);
    refused("nested", graph);

    // A node of a graph is changed by a kernel before it, and stays so.
    std::string seen[5];
    for (int what = 0; what < 5; ++what) {
        const cudaGraphNode_t changed = add(graph = empty(), nullptr, leaf, 5);
        cudaKernelNodeAttrValue attribute = {};
        attribute.deviceUpdatableKernelNode.deviceUpdatable = 1;
        CHECK(cudaGraphKernelNodeSetAttribute(changed, cudaLaunchAttributeDeviceUpdatableKernelNode, &attribute));
        const cudaGraphExec_t target = instantiated(graph, 0);
        CHECK(cudaGraphUpload(target, 0));
        for (int now = what == 3 ? 2 : what; now <= what; ++now) {
            cudaGraph_t by;
            add(by = empty(), nullptr, change, attribute.deviceUpdatableKernelNode.devNode, now);
            CHECK(cudaGraphLaunch(instantiated(by, 0), 0));
            CHECK(cudaGraphLaunch(target, 0));
        }
        CHECK(cudaGraphLaunch(target, 0));
        seen[what] = noted();
        if (what > 0) continue;
        cudaGraphExec_t twice;
        cudaGraph_t clone;
        std::printf("once: %s %s %s\n", cudaGetErrorName(cudaGraphInstantiate(&twice, graph, 0)),
                    cudaGetErrorName(cudaGraphClone(&clone, graph)),
                    cudaGetErrorName(cudaGraphDestroyNode(changed)));
    }
    std::printf("changed: parameter %s, grid %s, disabled%s, enabled %s\n", seen[0].c_str(), seen[1].c_str(),
                seen[2].c_str(), seen[3].c_str());
    std::printf("beyond the parameters: %s\n", code().c_str());

    graph = empty();
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
#else
    CHECK(cudaGraphAddNode(&node, graph, nullptr, 0, &loop));
#endif
    add(loop.conditional.phGraph_out[0], nullptr, count_down, handle);
    CHECK(cudaGraphLaunch(instantiated(graph, 0), 0));
    std::printf("condition %d\n", static_cast<int>(noted().size() / 2 + 1));
}
