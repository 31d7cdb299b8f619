// Graphs and captures that CUDA refuses: the error that it gives, and why beside it.
// RUN: lockstep run %s
// OUT: ^graphs as CUDA has it$
// ERR: cudaStreamBeginCapture: the legacy default stream cannot be captured \(cudaErrorStreamCaptureUnsupported\)
// ERR: cudaStreamEndCapture: the stream is not capturing \(cudaErrorIllegalState\)
// ERR: cudaStreamSynchronize: waiting for a stream is not possible while stream [0-9]+ is capturing .*\(cudaErrorStreamCaptureUnsupported\)
// ERR: cudaStreamEndCapture: a call during the capture could not be recorded .*\(cudaErrorStreamCaptureInvalidated\)
// ERR: cudaMalloc: an allocation is not possible while stream [0-9]+ is capturing .*\(cudaErrorStreamCaptureUnsupported\)
// ERR: cudaStreamEndCapture: the work of stream [0-9]+ was not joined again.*\(cudaErrorStreamCaptureUnjoined\)
// ERR: cudaStreamEndCapture: a capture ends in the stream in which it began.*\(cudaErrorStreamCaptureUnmatched\)
// ERR: cudaStreamWaitEvent: .*the event was recorded outside of the capture \(cudaErrorStreamCaptureIsolation\)
// ERR: cudaStreamWaitEvent: .*for another \(cudaErrorStreamCaptureMerge\)
// ERR: cudaLaunchKernel: work in the legacy default stream would wait for stream [0-9]+.*\(cudaErrorStreamCaptureImplicit\)
// ERR: cudaEventSynchronize: the event was last recorded in a stream that was capturing.*\(cudaErrorCapturedEvent\)
// ERR: cudaGraphAddDependencies: a node cannot wait for itself \(cudaErrorInvalidValue\)
// ERR: cudaGraphInstantiate: the graph's nodes wait for each other in a circle; one of them: empty \(cudaErrorInvalidValue\)
// ERR: cudaGraphAddEmptyNode: a node of another graph \(cudaErrorInvalidValue\)
// ERR: cudaGraphKernelNodeGetParams: the node is of another kind: empty \(cudaErrorInvalidValue\)
// ERR: cudaGraphLaunch: no such executable graph, or it was destroyed \(cudaErrorInvalidValue\)
// ERR: cudaGraphDestroy: no such graph, or it was destroyed \(cudaErrorInvalidValue\)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* p) { ++*p; }

static int wrong = 0;
#define GIVES(error, call)                                                                 \
    do {                                                                                   \
        cudaError_t got = (call);                                                          \
        if (got != (error)) {                                                              \
            ++wrong;                                                                       \
            std::printf("line %d: %s, not %s\n", __LINE__, cudaGetErrorName(got), #error); \
        }                                                                                  \
        cudaGetLastError();                                                                \
    } while (0)

int main() {
    int* p = nullptr;
    GIVES(cudaSuccess, cudaMalloc(&p, 4096));
    cudaStream_t a{}, b{};
    cudaEvent_t e{}, f{};
    cudaGraph_t graph{}, other{};
    GIVES(cudaSuccess, cudaStreamCreate(&a));
    GIVES(cudaSuccess, cudaStreamCreate(&b));
    GIVES(cudaSuccess, cudaEventCreate(&e));
    GIVES(cudaSuccess, cudaEventCreate(&f));
    const auto begin = [&](cudaStream_t stream) {
        GIVES(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    };

    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorIllegalState, cudaStreamEndCapture(a, &graph));
    begin(a);
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(a));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
    if (graph) ++wrong;
    begin(a);
    void* q = nullptr;
    GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc(&q, 64));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));

    begin(a);
    GIVES(cudaSuccess, cudaEventRecord(e, a));
    GIVES(cudaSuccess, cudaStreamWaitEvent(b, e, 0));
    add<<<1, 1, 0, b>>>(p);
    GIVES(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(a, &graph));
    begin(a);
    GIVES(cudaSuccess, cudaEventRecord(e, a));
    GIVES(cudaSuccess, cudaStreamWaitEvent(b, e, 0));
    GIVES(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(b, &graph));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));

    GIVES(cudaSuccess, cudaEventRecord(f, b));
    begin(a);
    GIVES(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(a, f, 0));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
    begin(a);
    begin(b);
    GIVES(cudaSuccess, cudaEventRecord(e, a));
    GIVES(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(b, e, 0));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(b, &graph));
    begin(a);
    add<<<1, 1>>>(p);
    GIVES(cudaErrorStreamCaptureImplicit, cudaGetLastError());
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
    begin(a);
    GIVES(cudaSuccess, cudaEventRecord(e, a));
    GIVES(cudaErrorCapturedEvent, cudaEventSynchronize(e));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));

    cudaGraphNode_t x{}, y{};
    GIVES(cudaSuccess, cudaGraphCreate(&graph, 0));
    GIVES(cudaSuccess, cudaGraphCreate(&other, 0));
    GIVES(cudaSuccess, cudaGraphAddEmptyNode(&x, graph, nullptr, 0));
    GIVES(cudaSuccess, cudaGraphAddEmptyNode(&y, graph, &x, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &x, &x, 1));
    cudaGraphExec_t exec{};
    if (cudaGraphAddDependencies(graph, &y, &x, 1) == cudaSuccess)
        GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, 0));
    cudaGraphNode_t z{};
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&z, other, &x, 1));
    cudaKernelNodeParams params{};
    GIVES(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(x, &params));
    GIVES(cudaSuccess, cudaGraphInstantiate(&exec, other, 0));
    GIVES(cudaSuccess, cudaGraphExecDestroy(exec));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(exec, a));
    GIVES(cudaSuccess, cudaGraphDestroy(graph));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
    // An event that was recorded in a capture does not keep its graph.
    begin(a);
    GIVES(cudaSuccess, cudaEventRecord(e, a));
    GIVES(cudaSuccess, cudaStreamEndCapture(a, &graph));
    GIVES(cudaSuccess, cudaGraphDestroy(graph));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
    if (!wrong) std::printf("graphs as CUDA has it\n");
    return wrong != 0;
}
