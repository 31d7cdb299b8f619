// The language: launches, memory spaces, templates, lambdas, recursion, function pointers, virtual functions, printf, assert, new.
#include <cassert>
#include <cstdio>

__constant__ float coefficients[4] = {1, 2, 3, 4};
__device__ int counter;
__device__ float table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ int shared_with_host = 7;
static __device__ unsigned hidden = 3;
extern __shared__ float dynamic[];

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3.14f * radius * radius; }
};

__host__ __device__ constexpr int square(int x) { return x * x; }
__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ float twice(float x) { return x + x; }
__device__ __forceinline__ float thrice(float x) { return 3 * x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {twice, thrice};

template <int N, class T>
__global__ void __launch_bounds__(256, 2) templated(T* __restrict__ out, const T* __restrict__ in) {
    __shared__ T tile[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x % N] = in[i];
    __syncthreads();
    if constexpr (N > 32)
        out[i] = tile[N - 1 - threadIdx.x % N];
    else
        out[i] = tile[0];
#pragma unroll
    for (int k = 0; k < 4; ++k) out[i] += (T)coefficients[k];
}

template <class F>
__global__ void apply(F f, int* out) {
    out[threadIdx.x] = f(threadIdx.x);
}

__global__ void everything(float* out, int n) {
    dim3 copy = blockDim;
    uint3 where = threadIdx;
    unsigned rank = where.x + copy.x * where.y + warpSize + gridDim.z;
    dynamic[threadIdx.x] = table[rank & 1][rank % 3];
    __syncthreads();
    Shape* shape = rank & 1 ? (Shape*)new Square(2) : (Shape*)new Circle(1);
    out[rank] = shape->area() + functions[n & 1](dynamic[0]) + factorial(n) + hidden + shared_with_host;
    delete shape;
    int* heap = (int*)malloc(16);
    if (heap) heap[0] = n;
    free(heap);
    auto local = [=](int x) { return x + n; };
    out[rank] += local(square(3));
    atomicAdd(&counter, 1);
    printf("thread %u of %d: %f %s\n", rank, n, out[rank], "text");
    assert(n > 0);
    long long start = clock64();
    clock_t c = clock();
    if (clock64() - start < 0 || c < 0) __trap();
}

int main() {
    int* out;
    int add = 5;
    cudaMalloc(&out, 128);
    apply<<<1, 32>>>([=] __device__(int x) { return x + add; }, out);
    float *a, *b;
    cudaMallocManaged(&a, 1024);
    cudaMallocManaged(&b, 1024);
    templated<64, float><<<dim3(2), dim3(64, 1, 1), 0, 0>>>(a, b);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    everything<<<1, 32, 128, stream>>>(a, 3);
    shared_with_host += 1;
    cudaMemcpyToSymbol(coefficients, a, 16);
    cudaMemcpyToSymbol(counter, &add, sizeof add);
    return cudaDeviceSynchronize();
}
