// Kernels that launch kernels: all ways to write it, with arguments of all kinds, streams, events, and who comes last.
// RUN: lockstep run %s
// OUT: ^plain 7 8 9 10$
// OUT: ^template 3 5 7 9$
// OUT: ^struct 1 2 3.5 4$
// OUT: ^macro 41 42$
// OUT: ^member 5$
// OUT: ^chain 11$
// OUT: ^order: parent, children 0 1 2, streams 10 11, tail 100 101$
// OUT: ^tree 31 grids$
// OUT: ^heap 64$
// OUT: ^filled 7 7 9 9$
// OUT: ^last error 9 then 0: invalid configuration argument$
// OUT: ^device 0 of 1, 1024 threads, 2048 pending$
// NOT: ERROR
// ALSO: nvcc
#include <cstdio>

#define CHECK(call)                                                                                      \
    do {                                                                                                 \
        const cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) std::printf("ERROR line %d: %s\n", __LINE__, cudaGetErrorName(status)); \
    } while (0)

__device__ int out[256];
__device__ int turn;

__global__ void plain(int from) { out[threadIdx.x] = from + static_cast<int>(threadIdx.x); }
__global__ void launch_plain(int threads) {
    if (threadIdx.x == 0) plain<<<1, threads>>>(7);
}

template <class T>
__global__ void scaled(T* to, T factor, T add) {
    to[threadIdx.x] = factor * static_cast<T>(threadIdx.x) + add;
}
template <class T>
__global__ void launch_scaled(T* to) {
    // The types follow from the arguments; braces stand for a dim3.
    if (threadIdx.x == 0) scaled<<<dim3{1}, {4, 1, 1}>>>(to, T(2), T(3));
}

struct Mixed {
    char a;
    short b;
    double c;
    int d;
};
__global__ void unpack(bool wanted, Mixed value, char last) {
    if (!wanted || last != 'x') return;
    out[0] = value.a, out[1] = value.b, out[2] = static_cast<int>(10 * value.c), out[3] = value.d;
}
__global__ void launch_struct() {
    const Mixed value{1, 2, 3.5, 4};
    unpack<<<1, 1>>>(threadIdx.x == 0, value, 'x');
}

__global__ void put(int place, int value) { out[place] = value; }
#define PUT(place, value) put<<<1, 1, 0, cudaStreamFireAndForget>>>((place), (value))
__global__ void launch_macro(int x) {
    PUT(0, x > 3 ? x + 1 : 0);
    PUT(1, x + 2);
}

namespace outer {
struct Launcher {
    int value;
    __device__ void go() const { ::put<<<1, 1>>>(0, value); }
};
template <int N>
__global__ void with_launcher() {
    Launcher{N}.go();
}
}  // namespace outer
__device__ void in_function(int n) {
    if (n > 0) {
        outer::with_launcher<5><<<1, 1>>>();
        return;
    }
}
__global__ void launch_member() { in_function(1); }

__global__ void chain(int left) {
    atomicAdd(&out[0], 1);
    if (left > 0) chain<<<1, 1>>>(left - 1);
}

__global__ void note(int what) { out[atomicAdd(&turn, 1)] = what; }
__global__ void ordered() {
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(100);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(101);
    for (int i = 0; i < 3; ++i) note<<<1, 1>>>(i);
    cudaStream_t one, other;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    note<<<1, 1, 0, one>>>(10);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(other, event, 0);
    note<<<1, 1, 0, other>>>(11);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

__global__ void tree(int depth) {
    if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&out[0], 1);
    if (depth < 4 && threadIdx.x < 2) tree<<<1, 32>>>(depth + 1);
}

__global__ void sum_up(const int* numbers) { out[0] = numbers[0] + numbers[63]; }
__global__ void heap() {
    int* numbers = nullptr;
    cudaMalloc(&numbers, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) numbers[i] = i + (i == 0);
    sum_up<<<1, 1, 0, cudaStreamTailLaunch>>>(numbers);
}
__global__ void fills(int* memory) {
    cudaMemsetAsync(memory, 0, 16, 0);
    scaled<<<1, 2>>>(memory, 0, 7);
    scaled<<<1, 2>>>(memory + 8, 0, 9);
    cudaMemcpyAsync(memory + 2, memory + 8, 8, cudaMemcpyDeviceToDevice, 0);
}
__global__ void asks() {
    plain<<<1, 2048>>>(0);
    const cudaError_t error = cudaGetLastError();
    std::printf("last error %d then %d: %s\n", error, cudaGetLastError(), cudaGetErrorString(error));
    int device = -1, count = -1, threads = -1;
    size_t pending = 0;
    cudaGetDevice(&device);
    cudaGetDeviceCount(&count);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    std::printf("device %d of %d, %d threads, %d pending\n", device, count, threads, static_cast<int>(pending));
}

static int host[256];
static void read() {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(host, out, sizeof host));
    const int zeros[256] = {};
    CHECK(cudaMemcpyToSymbol(out, zeros, sizeof zeros));
    CHECK(cudaMemcpyToSymbol(turn, zeros, sizeof turn));
}

int main() {
    launch_plain<<<2, 32>>>(4);
    read();
    std::printf("plain %d %d %d %d\n", host[0], host[1], host[2], host[3]);
    float *numbers = nullptr, floats[4];
    CHECK(cudaMalloc(&numbers, sizeof floats));
    launch_scaled<<<1, 1>>>(numbers);
    CHECK(cudaMemcpy(floats, numbers, sizeof floats, cudaMemcpyDeviceToHost));
    std::printf("template %g %g %g %g\n", floats[0], floats[1], floats[2], floats[3]);
    launch_struct<<<1, 1>>>();
    read();
    std::printf("struct %d %d %g %d\n", host[0], host[1], host[2] / 10.0, host[3]);
    launch_macro<<<1, 1>>>(40);
    read();
    std::printf("macro %d %d\n", host[0], host[1]);
    launch_member<<<1, 1>>>();
    read();
    std::printf("member %d\n", host[0]);
    chain<<<1, 1>>>(10);
    read();
    std::printf("chain %d\n", host[0]);
    ordered<<<1, 1>>>();
    read();
    std::printf("order: parent, children %d %d %d, streams %d %d, tail %d %d\n", host[0], host[1], host[2], host[3],
                host[4], host[5], host[6]);
    tree<<<1, 32>>>(0);
    read();
    std::printf("tree %d grids\n", host[0]);
    heap<<<1, 1>>>();
    read();
    std::printf("heap %d\n", host[0]);
    int *memory = nullptr, values[4];
    CHECK(cudaMalloc(&memory, 64));
    fills<<<1, 1>>>(memory);
    CHECK(cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost));
    std::printf("filled %d %d %d %d\n", values[0], values[1], values[2], values[3]);
    asks<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
