// What kernels of a HIP program may do beyond arithmetic, checked by the host: calls that are not inlined.
// RUN: lockstep run %s
// OUT: ^all good$
// NOT: wrong
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                          \
    do {                                                                                     \
        const hipError_t error = call;                                                       \
        if (error != hipSuccess) printf("wrong: %s: %s\n", #call, hipGetErrorString(error)); \
    } while (0)
#define EXPECT(condition) \
    if (!(condition)) printf("wrong: %s (line %d)\n", #condition, __LINE__)

template <class T>
struct Array {
    T* device = nullptr;
    std::vector<T> host;
    explicit Array(size_t count) : host(count) { CHECK(hipMalloc(&device, count * sizeof(T))); }
    ~Array() { CHECK(hipFree(device)); }
    void up() { CHECK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice)); }
    void down() { CHECK(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost)); }
};

// ---- calls ----

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int sum(int a, int b) { return a + b; }
__device__ __noinline__ int product(int a, int b) { return a * b; }
using Operation = int (*)(int, int);
__device__ Operation operations[2] = {sum, product};

__global__ void call(int* numbers, float* areas, Operation given) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    numbers[i] = fibonacci(i % 10) + operations[i & 1](i, 3) + given(i, 5);
    Shape* shape;
    if (i % 3)
        shape = new Square(float(i));
    else
        shape = new Disc(float(i));
    areas[i] = shape->area();
    delete shape;
}

void calls() {
    Array<int> numbers(256);
    Array<float> areas(256);
    Operation second = nullptr;
    CHECK(hipMemcpyFromSymbol(&second, HIP_SYMBOL(operations), sizeof second, sizeof second));
    call<<<2, 128>>>(numbers.device, areas.device, second);
    CHECK(hipGetLastError());
    numbers.down(), areas.down();
    const int known[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    int wrong = 0;
    for (int i = 0; i < 256; ++i) {
        wrong += numbers.host[i] != known[i % 10] + (i & 1 ? i * 3 : i + 3) + i * 5;
        wrong += areas.host[i] != (i % 3 ? float(i) * i : 3.0f * i * i);
    }
    EXPECT(wrong == 0);
}

int main() {
    calls();
    printf("all good\n");
}
