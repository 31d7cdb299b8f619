// What a stream captures of launches that may begin early, and of their events: edges as an H200 tells them; priorities of streams.
// RUN: lockstep run %s
// OUT: ^serialised: edges 1 \(1 0 1\); without data 402; value 2$
// OUT: ^behind a memset: edges 1 \(0 0 0\); without data 0; value 0$
// OUT: ^an event: the other stream waits by \(1 0 1\), lossy 402; edges 1 \(1 0 1\); without data 402; value 6$
// OUT: ^at its blocks' start: the other stream waits by \(2 0 1\), lossy 402; edges 1 \(2 0 1\); without data 402; value 18$
// OUT: ^of the launch: the other stream waits by \(2 0 0\), lossy 402; edges 1 \(2 0 0\); without data 402; value 42$
// OUT: ^given, then more plainly: 0 1 0, in the end by \(0 0 0\); edges 1 \(0 0 0\); without data 0; value 45$
// OUT: ^given to a memset: edges 1 \(1 0 1\); without data 402; value 0$
// OUT: ^external: 801, and nothing captured 0$
// OUT: ^attributes of a node: 1 1 1$
// OUT: ^priorities: -1 -5 0 -5, default stream -1, copied -2, node -3$
#include <cstdio>

__global__ void plus3(int* p) { *p += 3; }
__global__ void twice(int* p) { *p *= 2; }

static int* value;
static cudaStream_t stream, other;
static cudaGraph_t graph;

static int launch(void (*kernel)(int*), cudaStream_t in, cudaLaunchAttribute attribute = {}) {
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1), config.stream = in;
    config.attrs = &attribute, config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, value);
}
static cudaLaunchAttribute serialised() {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    return attribute;
}
static void begin() { cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed); }
static void end() {
    cudaStreamEndCapture(stream, &graph);
    cudaGraphNode_t from[4], to[4];
    cudaGraphEdgeData data[4] = {};
    size_t count = 4, lossy = 4;
    cudaGraphGetEdges_v2(graph, from, to, data, &count);
    std::printf("edges %zu (%d %d %d); without data %d; ", count, data[0].from_port, data[0].to_port, data[0].type,
                (int)cudaGraphGetEdges(graph, from, to, &lossy));
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    std::printf("value %d\n", *value);
}
static int waits(cudaStream_t of, cudaGraphEdgeData& data) {
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t* nodes;
    const cudaGraphEdgeData* edges;
    size_t count;
    cudaStreamGetCaptureInfo_v3(of, &status, nullptr, nullptr, &nodes, &edges, &count);
    data = edges[0];
    return cudaStreamGetCaptureInfo_v2(of, &status, nullptr, nullptr, &nodes, &count);
}

int main() {
    cudaMallocManaged(&value, 4);
    *value = 1;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEvent_t event, joined;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);

    *value = -2;
    begin(), launch(plus3, stream), launch(twice, stream, serialised());
    std::printf("serialised: "), end();
    begin(), cudaMemsetAsync(value, 0, 4, stream), launch(twice, stream, serialised());
    std::printf("behind a memset: "), end();

    for (int kind = 0; kind < 3; ++kind) {
        cudaLaunchAttribute attribute = {};
        attribute.id = kind < 2 ? cudaLaunchAttributeProgrammaticEvent : cudaLaunchAttributeLaunchCompletionEvent;
        if (kind < 2)
            attribute.val.programmaticEvent.event = event, attribute.val.programmaticEvent.triggerAtBlockStart = kind;
        else
            attribute.val.launchCompletionEvent.event = event;
        begin(), launch(plus3, stream, attribute), cudaStreamWaitEvent(other, event);
        cudaGraphEdgeData data;
        const int lossy = waits(other, data);
        launch(twice, other), cudaEventRecord(joined, other), cudaStreamWaitEvent(stream, joined);
        std::printf("%s: the other stream waits by (%d %d %d), lossy %d; ",
                    kind == 0 ? "an event" : kind == 1 ? "at its blocks' start" : "of the launch", data.from_port,
                    data.to_port, data.type, lossy);
        end();
    }

    const auto node_of = [](cudaStream_t of) {
        cudaStreamCaptureStatus status;
        const cudaGraphNode_t* nodes;
        size_t count;
        cudaStreamGetCaptureInfo_v2(of, &status, nullptr, nullptr, &nodes, &count);
        return nodes[0];
    };
    cudaGraphEdgeData early = {}, plain = {}, bad = {}, told;
    early.from_port = 1, early.type = cudaGraphDependencyTypeProgrammatic, bad = early, bad.from_port = 9;
    begin(), launch(plus3, stream);
    cudaGraphNode_t node = node_of(stream);
    std::printf("given, then more plainly: %d",
                (int)cudaStreamUpdateCaptureDependencies_v2(stream, &node, &early, 1, cudaStreamSetCaptureDependencies));
    std::printf(" %d",
                (int)cudaStreamUpdateCaptureDependencies_v2(stream, &node, &bad, 1, cudaStreamSetCaptureDependencies));
    std::printf(" %d, ",
                (int)cudaStreamUpdateCaptureDependencies_v2(stream, &node, &plain, 1, cudaStreamAddCaptureDependencies));
    waits(stream, told);
    std::printf("in the end by (%d %d %d); ", told.from_port, told.to_port, told.type);
    launch(plus3, stream), *value = 39, end();
    begin(), launch(plus3, stream), node = node_of(stream);
    cudaStreamUpdateCaptureDependencies_v2(stream, &node, &early, 1, cudaStreamSetCaptureDependencies);
    cudaMemsetAsync(value, 0, 4, stream);
    std::printf("given to a memset: "), end();

    cudaLaunchAttribute external = {};
    external.id = cudaLaunchAttributeProgrammaticEvent, external.val.programmaticEvent.event = event;
    external.val.programmaticEvent.flags = cudaEventRecordExternal;
    begin();
    std::printf("external: %d", launch(plus3, stream, external));
    size_t nodes = 9;
    cudaStreamEndCapture(stream, &graph), cudaGraphGetNodes(graph, nullptr, &nodes);
    std::printf(", and nothing captured %zu\n", nodes);

    begin(), launch(plus3, stream), node = node_of(stream);
    cudaLaunchAttributeValue answer;
    std::printf("attributes of a node: %d %d %d\n",
                (int)cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeProgrammaticStreamSerialization, &answer),
                (int)cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeProgrammaticEvent, &answer),
                (int)cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeLaunchCompletionEvent, &answer));
    cudaStreamEndCapture(stream, &graph);

    std::printf("priorities:");
    int priority = 9;
    const auto set = [&](cudaStream_t of, int to) {
        cudaStreamAttrValue given = {};
        given.priority = to;
        if (cudaStreamSetAttribute(of, cudaLaunchAttributePriority, &given)) std::printf(" refused");
        cudaStreamGetPriority(of, &priority);
        return priority;
    };
    for (const int to : {-1, -6, 1, -100}) std::printf(" %d", set(stream, to));
    std::printf(", default stream %d", set(nullptr, -1));
    set(stream, -2), cudaStreamCopyAttributes(other, stream), cudaStreamGetPriority(other, &priority);
    std::printf(", copied %d", priority);
    begin(), set(stream, -3), launch(plus3, stream), node = node_of(stream);
    cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &answer);
    std::printf(", node %d\n", answer.priority);
    cudaStreamEndCapture(stream, &graph);
    return 0;
}
