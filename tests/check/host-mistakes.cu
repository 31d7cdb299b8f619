// One mistake of the host's a function. What its line is to be told as stands behind it: "@ class kind".
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

static void free_twice() {
    int* p;
    cudaMalloc(&p, 64);
    cudaFree(p);
    cudaFree(p);  // @ memory double-free
}

static void free_inside() {
    char* p;
    cudaMalloc(&p, 64);
    cudaFree(p + 16);  // @ memory invalid-free
    cudaFree(p);
}

static void free_with_the_wrong_function() {
    int* p;
    cudaMallocHost(&p, 64);
    cudaFree(p);  // @ memory invalid-free
    cudaFreeHost(p);
}

static void leak() {
    for (int i = 0; i < 3; ++i) {
        void* p;
        cudaMalloc(&p, 100);  // @ leak leak
    }
    cudaDeviceReset();
}

static void copy_too_much() {
    int host[64] = {};
    int* p;
    cudaMalloc(&p, 100);
    cudaMemcpy(p, host, 256, cudaMemcpyHostToDevice);  // @ memory copy-out-of-bounds
    cudaMemset(p + 20, 0, 24);                         // @ memory copy-out-of-bounds
    cudaFree(p);
}

static void copy_the_wrong_way() {
    int host[16] = {};
    int* p;
    cudaMalloc(&p, 64);
    cudaMemcpy(p, host, 64, cudaMemcpyDeviceToHost);  // @ memory copy-direction
    cudaFree(p);
}

static void copy_freed() {
    int host[16];
    int* p;
    cudaMalloc(&p, 64);
    cudaMemset(p, 0, 64);
    cudaFree(p);
    cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost);  // @ memory use-after-free
}

static void set_on_the_host() {
    int host[16];
    cudaMemset(host, 0, 64);  // @ memory host-pointer
}

static void launch_too_large() {
    int* p;
    cudaMalloc(&p, 64);
    fill<<<1, 2000>>>(p, 1);  // @ host launch-error-ignored
    cudaDeviceSynchronize();
    cudaFree(p);
}

static void use_destroyed_stream() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    cudaStreamSynchronize(stream);  // @ host destroyed-handle
}

static void use_destroyed_event() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventDestroy(event);
    cudaEventRecord(event);  // @ host destroyed-handle
}

static void wait_for_nothing() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaStreamWaitEvent(nullptr, event, 0);  // @ host event-never-recorded
    cudaEventDestroy(event);
}

static void time_of_nothing() {
    cudaEvent_t begin, end;
    float time;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    cudaEventElapsedTime(&time, begin, end);  // @ host event-never-recorded
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
}

static void copies_of_two_streams() {
    int *device, *host;
    cudaStream_t one, other;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreate(&other);
    cudaMalloc(&device, 4096);
    cudaMallocHost(&host, 4096);
    memset(host, 0, 4096);
    cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice, one);  // @ race stream-race
    cudaMemsetAsync(device + 8, 1, 4, other);                          // @ race stream-race
    cudaDeviceSynchronize();
    cudaFree(device);
    cudaFreeHost(host);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

static int read_too_early() {
    int *device, *host;
    cudaMalloc(&device, 64);
    cudaMallocHost(&host, 64);
    cudaMemset(device, 0, 64);
    cudaMemcpyAsync(host, device, 64, cudaMemcpyDeviceToHost);  // @ race host-race
    const int early = *(volatile int*)(host + 3);               // @ race host-race
    cudaDeviceSynchronize();
    const int sum = early + host[3];
    cudaFree(device);
    cudaFreeHost(host);
    return sum;
}

static void write_too_early() {
    int *device, *host;
    cudaMalloc(&device, 10000);
    cudaMallocHost(&host, 10000);
    memset(host, 1, 10000);
    cudaMemcpyAsync(device, host, 10000, cudaMemcpyHostToDevice);  // @ race host-race
    const int fine = host[5];
    memset(host, fine, 10000);  // @ race host-race
    cudaDeviceSynchronize();
    cudaFree(device);
    cudaFreeHost(host);
}

static int touch_device_memory() {
    int* device;
    cudaMalloc(&device, 64);
    cudaMemset(device, 0, 64);
    const int value = *(volatile int*)(device + 2);  // @ memory host-dereference
    cudaFree(device);
    return value;
}

static void copy_what_nobody_wrote() {
    int host[16];
    int* device;
    cudaMalloc(&device, 64);
    cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost);  // @ init stale-copy
    cudaFree(device);
}

static void copy_from_what_is_freed() {
    int* device;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&device, 4096);
    void* host = std::malloc(4096);
    std::memset(host, 0, 4096);
    cudaHostRegister(host, 4096, 0);
    cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice, stream);  // @ host host-memory-gone
    std::free(host);
    cudaStreamSynchronize(stream);
    cudaHostUnregister(host);
    cudaFree(device);
    cudaStreamDestroy(stream);
}

__attribute__((noinline)) static void start_copy(int* device, cudaStream_t stream) {
    int host[64] = {};
    asm volatile("" : : "r"(host) : "memory");
    cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream);  // @ host host-memory-gone
    asm volatile("" : : "r"(host) : "memory");
}

static void copy_from_a_frame_that_is_gone() {
    int* device;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&device, 4096);
    start_copy(device, stream);
    cudaStreamSynchronize(stream);
    cudaFree(device);
    cudaStreamDestroy(stream);
}

static void launch_destroyed_graph() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGraphLaunch(exec, 0);  // @ host destroyed-handle
}

static void copy_to_freed_array() {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&array, &format, 16, 1);
    cudaFreeArray(array);
    int host[16] = {};
    cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 1, cudaMemcpyHostToDevice);  // @ host destroyed-handle
}

// The launch comes last: while its error is to be looked at, a copy of what it would have written is no news.
int main() {
    free_twice();
    free_inside();
    free_with_the_wrong_function();
    leak();
    copy_too_much();
    copy_the_wrong_way();
    copy_freed();
    set_on_the_host();
    use_destroyed_stream();
    use_destroyed_event();
    wait_for_nothing();
    time_of_nothing();
    copies_of_two_streams();
    read_too_early();
    write_too_early();
    touch_device_memory();
    copy_what_nobody_wrote();
    copy_from_what_is_freed();
    copy_from_a_frame_that_is_gone();
    launch_destroyed_graph();
    copy_to_freed_array();
    launch_too_large();
}
