#include "square.h"
__device__ float squared(float x) { return x * x; }
__global__ void nothing() {}
int square_blocks(int n) {
    nothing<<<1, 1>>>();
    return (n + 127) / 128;
}
