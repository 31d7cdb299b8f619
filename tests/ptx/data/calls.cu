// Calls: recursive, through pointers, virtual, with structs by value; local memory.
#include "prelude.h"
struct Triple { long a; int b[3]; char c; };
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
typedef int (*Op)(int);
__device__ Op ops[3] = {twice, square, fib};
__device__ __noinline__ Triple make(Triple t, int k) { t.b[k] = k; t.a += k; return t; }
struct Shape {
    __device__ virtual int area(int s) const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    __device__ int area(int s) const override { return s * s; }
};
struct Strip : Shape {
    int w = 3;
    __device__ int area(int s) const override { return s * w; }
};
__global__ void calls(int* out, int n) {
    int i = threadIdx.x;
    Triple t = make(Triple{i, {1, 2, 3}, 'x'}, n % 3);
    Square square_shape;
    Strip strip;
    const Shape* shape = (n & 1) ? static_cast<const Shape*>(&square_shape) : &strip;
    int local[16];
    for (int k = 0; k < 16; ++k) local[(k * n) & 15] = k;
    out[i] = ops[n % 3](i) + t.b[n % 3] + static_cast<int>(t.a) + shape->area(n) + local[i & 15];
}
