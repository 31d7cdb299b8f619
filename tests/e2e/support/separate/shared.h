// What the files of separate-features.cu share.
#pragma once
#include <cuda_runtime.h>

// functions.cu: a file with neither kernels nor variables.
__device__ int twice(int x);
extern "C" __device__ int thrice(int x);
__device__ int branch(int x);

// variables.cu
extern __device__ int counter;
extern __device__ int table[4];
extern __device__ int unsized[];
extern __constant__ float weight;
extern __constant__ int steps[3];
extern __managed__ int managed;
extern __managed__ int managed_array[2];
using Operation = int (*)(int);
extern __device__ Operation operation;
extern __device__ Operation operations[2];
namespace names {
extern __device__ int inside;
struct Holder {
#ifdef __clang__  // nvcc does not have these
    static __device__ int member;
#endif
    __device__ int get() const;
};
}  // namespace names
int host_part(int* out);

// shapes.cu: the vtable is where the first virtual function is.
struct Shape {
    __device__ virtual int area() const;
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s) {}
    __device__ int area() const override;
    __device__ int corners() const override { return 4; }
};
__device__ int area_of(const Shape& shape);

// In several files, one for all.
template <class T>
__device__ T pool = 5;
#ifdef __clang__
template <class T>
struct Pool {
    static __device__ T value;
};
template <class T>
__device__ T Pool<T>::value = 1;
#endif

__device__ inline int next_ticket() {
    static int ticket = 100;
    return ticket++;
}

template <class T>
__device__ T blend(T a, T b) {
    __shared__ T both[2];
    if (threadIdx.x == 0) both[0] = a, both[1] = b;
    __syncthreads();
    return both[0] * 10 + both[1];
}

template <class T>
__global__ void store(T* out, T value) {
    *out = value + pool<T>;
}
