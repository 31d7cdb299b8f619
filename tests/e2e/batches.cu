// Several copies, prefetches and discards in one call, in CUDA 12's and CUDA 13's shapes and through the
// driver API; what is refused is what an H200 with CUDA 13 refused. The log of failed calls.
// RUN: lockstep run -std=c++20 -lcuda %s
// OUT: ^batches ok$
// ERR: cudaMemcpyBatchAsync: copy 1: .* \(cudaErrorInvalidValue\)
// ERR: a batch needs a stream of its own: the legacy default stream is not allowed
#include <cuda.h>

#include <cstring>
#include <string>

#include "support/check.h"

#define REFUSED(call) EXPECT((call) == cudaErrorInvalidValue)

static cudaStream_t stream;

static bool holds(const char* device, int value, size_t size) {
    std::vector<char> host(size);
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemcpy(host.data(), device, size, cudaMemcpyDeviceToHost));
    for (const char one : host)
        if (one != value) return false;
    return true;
}

static void copies() {
    char *device, *host = new char[4096];
    CUDA(cudaMalloc(&device, 4096));
    std::memset(host, 7, 4096);
    CUDA(cudaMemset(device, 0, 4096));
    char* to[4] = {device, device + 100, device + 300, device + 600};
    const char* from[4] = {host, host + 100, host + 300, host + 600};
    size_t sizes[4] = {100, 200, 300, 400}, firsts[2] = {0, 2};
    cudaMemcpyAttributes attributes[2] = {};
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    size_t failed = 99;
    CUDA(cudaMemcpyBatchAsync(to, from, sizes, 4, attributes, firsts, 2, &failed, stream));
    EXPECT(failed == SIZE_MAX && holds(device, 7, 1000));
    CUDA(cudaMemset(device, 0, 4096));
    CUDA(cudaMemcpyBatchAsync(to, from, sizes, 4, attributes[0], stream));
    EXPECT(holds(device, 7, 1000));
    CUDA(cudaMemcpyBatchAsync(to, from, sizes, 4, attributes, firsts, 2, cudaStreamPerThread));

    REFUSED(cudaMemcpyBatchAsync(to, from, sizes, 4, attributes, firsts, 2, (cudaStream_t)0));
    const auto batch = [&](size_t count, size_t first, size_t second, size_t kinds) {
        size_t at[2] = {first, second};
        return cudaMemcpyBatchAsync(to, from, sizes, count, attributes, at, kinds, stream);
    };
    REFUSED(batch(0, 0, 2, 2));
    REFUSED(batch(4, 0, 2, 0));
    REFUSED(batch(1, 0, 2, 2));
    REFUSED(batch(4, 1, 2, 2));
    REFUSED(batch(4, 0, 0, 2));
    REFUSED(batch(4, 0, 4, 2));
    attributes[0].flags = 8;
    REFUSED(batch(4, 0, 0, 1));
    attributes[0].flags = cudaMemcpyFlagPreferOverlapWithCompute;
    CUDA(batch(4, 0, 0, 1));
    for (const int order : {0, 9}) {
        attributes[0].srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(order);
        REFUSED(batch(4, 0, 0, 1));
    }
    // What comes before a wrong one is done.
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    CUDA(cudaMemset(device, 0, 4096));
    to[1] = nullptr;
    REFUSED(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, firsts, 1, &failed, stream));
    EXPECT(failed == 1 && holds(device, 7, 100) && holds(device + 100, 0, 100));
    to[1] = device + 100;
    sizes[0] = 0;
    REFUSED(batch(2, 0, 0, 1));
    sizes[0] = 1 << 22;
    REFUSED(batch(2, 0, 0, 1));
    sizes[0] = 100;
    // A capture goes on without it.
    cudaGraph_t graph;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT(batch(2, 0, 0, 1) == cudaErrorStreamCaptureUnsupported);
    CUDA(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 99;
    CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 0);

    CUdeviceptr there[1] = {(CUdeviceptr)device}, here[1] = {(CUdeviceptr)host};
    CUmemcpyAttributes order = {};
    order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    CUDA(cudaMemset(device, 0, 4096));
    EXPECT(cuMemcpyBatchAsync_v2(there, here, sizes, 1, &order, firsts, 1, stream) == CUDA_SUCCESS);
    EXPECT(holds(device, 7, 100));
}

static void boxes() {
    char *device, host[4096];
    CUDA(cudaMalloc(&device, 4096));
    CUDA(cudaMemset(device, 0, 4096));
    for (int i = 0; i < 4096; ++i) host[i] = static_cast<char>(i);
    cudaMemcpy3DBatchOp one = {};
    one.src.type = one.dst.type = cudaMemcpyOperandTypePointer;
    one.src.op.ptr.ptr = host;
    one.dst.op.ptr.ptr = device;
    one.dst.op.ptr.rowLength = 32;
    one.extent = {16, 4, 2};
    one.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    const auto copy = [&] { return cudaMemcpy3DBatchAsync(1, &one, 0ull, stream); };
    CUDA(copy());
    CUDA(cudaStreamSynchronize(stream));
    char back[4096];
    CUDA(cudaMemcpy(back, device, 4096, cudaMemcpyDeviceToHost));
    EXPECT(back[32] == 16 && back[15] == 15 && back[16] == 0 && back[4 * 32] == 64);
    REFUSED(cudaMemcpy3DBatchAsync(0, &one, 0ull, stream));
    REFUSED(cudaMemcpy3DBatchAsync(1, &one, 1ull, stream));
    REFUSED(cudaMemcpy3DBatchAsync(1, &one, 0ull, (cudaStream_t)0));
    one.dst.op.ptr.rowLength = 8;
    REFUSED(copy());
    one.dst.op.ptr.rowLength = 32, one.dst.op.ptr.layerHeight = 2;
    REFUSED(copy());
    one.dst.op.ptr.layerHeight = 0, one.extent.depth = 0;
    REFUSED(copy());
    one.extent.depth = 2, one.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    REFUSED(copy());
    one.srcAccessOrder = cudaMemcpySrcAccessOrderStream;

    // Into an array, in elements.
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CUDA(cudaMallocArray(&array, &format, 8, 8));
    float numbers[64], read[64] = {};
    for (int i = 0; i < 64; ++i) numbers[i] = static_cast<float>(i);
    one.src.op.ptr.ptr = numbers, one.src.op.ptr.rowLength = 8;
    one.dst = {};
    one.dst.type = cudaMemcpyOperandTypeArray, one.dst.op.array.array = array;
    one.dst.op.array.offset = {2, 1, 0};
    one.extent = {4, 3, 1};
    CUDA(copy());
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemcpy2DFromArray(read, 32, array, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    // An H200 says so of arrays that are neither planes, nor sparse, nor mapped later.
    cudaArray_t plane;
    cudaArraySparseProperties sparse;
    cudaArrayMemoryRequirements requirements;
    REFUSED(cudaArrayGetPlane(&plane, array, 0));
    REFUSED(cudaArrayGetSparseProperties(&sparse, array));
    REFUSED(cudaArrayGetMemoryRequirements(&requirements, array, 0));
    EXPECT(read[8 + 2] == 0 && read[8 + 5] == 3 && read[16 + 2] == 8 && read[24 + 5] == 19);
}

static void managed() {
    char *memory, *device;
    CUDA(cudaMallocManaged(&memory, 1 << 20));
    CUDA(cudaMalloc(&device, 65536));
    std::memset(memory, 5, 1 << 20);
    char* ranges[2] = {memory, memory + 65536};
    size_t sizes[2] = {65536, 65536}, firsts[2] = {0, 1}, wrong[2] = {1, 2};
    cudaMemLocation places[2] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
    CUDA(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 0, stream));
    int last[2];
    for (int i = 0; i < 2; ++i)
        CUDA(cudaMemRangeGetAttribute(&last[i], sizeof(int), cudaMemRangeAttributeLastPrefetchLocation,
                                      ranges[i], 65536));
    EXPECT(last[0] == 0 && last[1] == cudaCpuDeviceId);
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 0, (cudaStream_t)0));
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 1, stream));
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 0, places, firsts, 2, 0, stream));
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 0, 0, stream));
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, wrong, 2, 0, stream));
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 1, places, firsts, 2, 0, stream));
    REFUSED(cudaMemPrefetchBatchAsync(&device, sizes, 1, places[0], 0, stream));
    REFUSED(cudaMemPrefetchBatchAsync(ranges, sizes, 1, {cudaMemLocationTypeDevice, 99}, 0, stream));
    CUDA(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
    REFUSED(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, (cudaStream_t)0));
    REFUSED(cudaMemDiscardBatchAsync(ranges, sizes, 2, 1, stream));
    REFUSED(cudaMemDiscardBatchAsync(ranges, sizes, 0, 0, stream));
    REFUSED(cudaMemDiscardBatchAsync(&device, sizes, 1, 0, stream));
    CUDA(cudaMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 0, stream));
    cudaGraph_t graph;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, stream) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
}

static std::string logged;

static void logs() {
    cudaLogsCallbackHandle handle;
    CUDA(cudaLogsRegisterCallback(
        [](void* data, cudaLogLevel, char* message, size_t length) {
            static_cast<std::string*>(data)->append(message, length) += '\n';
            cudaFree(data);  // fails, and is not told again
        },
        &logged, &handle));
    cudaLogIterator begin, iterator;
    CUDA(cudaLogsCurrent(&begin, 0));
    EXPECT(cudaMemset(nullptr, 0, 10) == cudaErrorInvalidValue);
    EXPECT(logged.find("Returning 1 (cudaErrorInvalidValue) from cudaMemset\n") != std::string::npos);
    char text[25600];
    size_t size = sizeof text;
    iterator = begin;
    CUDA(cudaLogsDumpToMemory(&iterator, text, &size, 0));
    EXPECT(size == std::strlen(text) && std::strstr(text, "[CUDA][E] Returning 1 (cudaErrorInvalidValue)"));
    size = sizeof text;
    CUDA(cudaLogsDumpToMemory(&iterator, text, &size, 0));
    EXPECT(size == 0);
    size = 10, iterator = begin;
    REFUSED(cudaLogsDumpToMemory(&iterator, text, &size, 0));
    EXPECT(size == 0);
    // What does not fit is told of, and the newest is there.
    for (int i = 0; i < 1000; ++i) cudaMemset(nullptr, 0, 10);
    size = 400;
    CUDA(cudaLogsDumpToMemory(nullptr, text, &size, 0));
    EXPECT(size < 400 && std::strncmp(text, "Older messages", 14) == 0 &&
           std::string(text).ends_with("Returning 1 (cudaErrorInvalidValue) from cudaFree\n"));
    REFUSED(cudaLogsDumpToFile(nullptr, "/nowhere/log", 0));
    CUDA(cudaLogsUnregisterCallback(handle));
    REFUSED(cudaLogsUnregisterCallback(handle));
    const size_t before = logged.size();
    cudaMemset(nullptr, 0, 10);
    EXPECT(logged.size() == before);
    cudaGetLastError();
}

static void pools() {
    cudaMemPool_t pool, standard, now;
    cudaMemLocation here{cudaMemLocationTypeDevice, 0}, nowhere{cudaMemLocationTypeDevice, 7};
    CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
    CUDA(cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned));
    EXPECT(pool == standard);
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned, props.location = here;
    CUDA(cudaMemPoolCreate(&pool, &props));
    CUDA(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, pool));
    CUDA(cudaMemGetMemPool(&now, &here, cudaMemAllocationTypePinned));
    EXPECT(now == pool);
    REFUSED(cudaMemGetMemPool(&now, &nowhere, cudaMemAllocationTypePinned));
    REFUSED(cudaMemGetMemPool(&now, &here, cudaMemAllocationTypeInvalid));
    cudaGetLastError();
}

int main() {
    CUDA(cudaStreamCreate(&stream));
    copies();
    boxes();
    managed();
    logs();
    pools();
    return finish("batches");
}
