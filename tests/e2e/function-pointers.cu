// Function pointers: a table that lanes index differently, pointers handed to the host and back, pointers in
// structs.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^function-pointers ok$
#include "support/check.h"

using Operation = int (*)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int larger(int a, int b) { return a > b ? a : b; }

__device__ Operation table[4] = {add, subtract, multiply, larger};
__device__ Operation chosen = multiply;

__global__ void by_table(int* out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = table[t % 4](t, 10);
}

__global__ void by_argument(int* out, Operation operation) { out[threadIdx.x] = operation(threadIdx.x, 3); }

struct Step {
    Operation operation;
    int operand;
};

__global__ void by_struct(int* out, bool swap) {
    Step steps[3] = {{add, 5}, {multiply, 3}, {swap ? subtract : larger, 40}};
    int value = threadIdx.x;
    for (const Step& step : steps) value = step.operation(value, step.operand);
    out[threadIdx.x] = value;
}

template <Operation F>
__global__ void by_template(int* out) {
    out[threadIdx.x] = F(threadIdx.x, 7);
}

int main() {
    int* out = device_zeros<int>(128);
    by_table<<<2, 64>>>(out);
    auto host = to_host(out, 128);
    for (int t = 0; t < 128; ++t) {
        int expected[4] = {t + 10, t - 10, t * 10, t > 10 ? t : 10};
        EXPECT_AT(t, host[t], expected[t % 4]);
    }

    Operation operation = nullptr;
    CUDA(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
    EXPECT(operation != nullptr);
    by_argument<<<1, 64>>>(out, operation);
    host = to_host(out, 64);
    for (int t = 0; t < 64; ++t) EXPECT_AT(t, host[t], t * 3);

    for (bool swap : {false, true}) {
        by_struct<<<1, 64>>>(out, swap);
        host = to_host(out, 64);
        for (int t = 0; t < 64; ++t) {
            int value = (t + 5) * 3;
            EXPECT_AT(t, host[t], swap ? value - 40 : (value > 40 ? value : 40));
        }
    }
    by_template<larger><<<1, 64>>>(out);
    host = to_host(out, 64);
    for (int t = 0; t < 64; ++t) EXPECT_AT(t, host[t], t > 7 ? t : 7);
    return finish("function-pointers");
}
