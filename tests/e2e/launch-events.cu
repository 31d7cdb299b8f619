// Launches that record an event (programmatic, or when all blocks have begun), in streams and captured; and
// what launches' attributes may not be. The answers are an H200's (CUDA 13.0).
// RUN: lockstep run --gpu h200 %s
// OUT: ^other stream saw 1 then 2$
// OUT: ^graph of 2 nodes: 3 4$
// OUT: ^with time 801, none 400, flags 1, completion with time 801$
// OUT: ^unknown 1, waiting 1, domain 1, carve-out 1, preferred cluster 912, nvlink 0$
// OUT: ^clone of a conditional graph 801$
// OUT: ^windows 1 1 0, policy 1$
// OUT: ^too much shared memory for a cooperative grid 720$
#include <cstdio>
#include <cstdlib>
#define CHECK(...)                                                           \
    do {                                                                     \
        if (cudaError_t error = (__VA_ARGS__)) {                             \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void add(int* p) {
    cudaTriggerProgrammaticLaunchCompletion();
    atomicAdd(p, 1);
}
__global__ void copy(const int* from, int* to) { *to = *from; }
__global__ void fat(int* p) {
    extern __shared__ int room[];
    room[threadIdx.x] = *p;
}

static cudaError_t launch(cudaLaunchAttribute attribute, int* p, cudaStream_t stream) {
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const cudaError_t error = cudaLaunchKernelEx(&config, add, p);
    cudaGetLastError();
    return error;
}
static cudaLaunchAttribute event_attribute(cudaLaunchAttributeID id, cudaEvent_t event, int flags = 0) {
    cudaLaunchAttribute attribute = {};
    attribute.id = id;
    if (id == cudaLaunchAttributeProgrammaticEvent)
        attribute.val.programmaticEvent = {event, flags, 0};
    else
        attribute.val.launchCompletionEvent = {event, flags};
    return attribute;
}

int main() {
    int* p;
    cudaStream_t stream, other;
    cudaEvent_t event, timed, joined;
    CHECK(cudaMallocManaged(&p, 64));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&timed));
    *p = 0;
    // After each launch another stream waits for its event, and looks.
    int at = 1;
    for (const auto id : {cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributeLaunchCompletionEvent}) {
        CHECK(launch(event_attribute(id, event), p, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamWaitEvent(other, event, 0));
        copy<<<1, 1, 0, other>>>(p, p + at++);
        CHECK(cudaStreamSynchronize(other));
    }
    std::printf("other stream saw %d then %d\n", p[1], p[2]);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch(event_attribute(cudaLaunchAttributeProgrammaticEvent, event), p, stream));
    CHECK(cudaStreamWaitEvent(other, event, 0));
    add<<<1, 1, 0, other>>>(p + 2);
    CHECK(cudaEventRecord(joined, other));
    CHECK(cudaStreamWaitEvent(stream, joined, 0));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("graph of %zu nodes: %d %d\n", nodes, p[0] - 1, p[2]);

    std::printf("with time %d, none %d, flags %d, completion with time %d\n",
                launch(event_attribute(cudaLaunchAttributeProgrammaticEvent, timed), p, stream),
                launch(event_attribute(cudaLaunchAttributeProgrammaticEvent, nullptr), p, stream),
                launch(event_attribute(cudaLaunchAttributeProgrammaticEvent, event, 99), p, stream),
                launch(event_attribute(cudaLaunchAttributeLaunchCompletionEvent, timed), p, stream));
    cudaLaunchAttribute unknown = {}, waiting = {}, domain = {}, carve = {}, preferred = {}, nvlink = {};
    unknown.id = static_cast<cudaLaunchAttributeID>(99);
    waiting.id = cudaLaunchAttributeSynchronizationPolicy;
    waiting.val.syncPolicy = cudaSyncPolicyAuto;
    domain.id = cudaLaunchAttributeMemSyncDomain;
    domain.val.memSyncDomain = static_cast<cudaLaunchMemSyncDomain>(9);
    carve.id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    carve.val.sharedMemCarveout = 101;
    preferred.id = static_cast<cudaLaunchAttributeID>(11);  // cudaLaunchAttributePreferredClusterDimension
    preferred.val.clusterDim = {2, 1, 1};
    nvlink.id = static_cast<cudaLaunchAttributeID>(16);  // cudaLaunchAttributeNvlinkUtilCentricScheduling
    std::printf("unknown %d, waiting %d, domain %d, carve-out %d, preferred cluster %d, nvlink %d\n",
                launch(unknown, p, stream), launch(waiting, p, stream), launch(domain, p, stream),
                launch(carve, p, stream), launch(preferred, p, stream), launch(nvlink, p, stream));

    cudaGraph_t conditional, clone;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&conditional, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, conditional, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, conditional, nullptr, 0, &params));
    std::printf("clone of a conditional graph %d\n", cudaGraphClone(&clone, conditional));

    cudaStreamAttrValue window = {}, policy = {};
    window.accessPolicyWindow.base_ptr = p;
    window.accessPolicyWindow.num_bytes = 64;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    window.accessPolicyWindow.hitRatio = 2;
    const int too_much = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
    window.accessPolicyWindow.hitRatio = 1;
    window.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
    const int persists = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    policy.syncPolicy = static_cast<cudaSynchronizationPolicy>(77);
    std::printf("windows %d %d %d, policy %d\n", too_much, persists,
                cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window),
                cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &policy));

    CHECK(cudaFuncSetAttribute(fat, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    void* arguments[] = {&p};
    std::printf("too much shared memory for a cooperative grid %d\n",
                cudaLaunchCooperativeKernel(fat, dim3(1), dim3(32), arguments, 230 * 1024, nullptr));
}
