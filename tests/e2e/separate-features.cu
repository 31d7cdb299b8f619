// Device code of several files, in every order and by every way that Makefiles have: all at once, objects,
// archives (with members of device code only), a device link of its own and the system's linker for the rest.
// RUN: cd %S/support/separate && lockstep run -rdc=true %s functions.cu variables.cu shapes.cu
// OUT: ^separate-features ok$
// RUN: cd %S/support/separate && lockstep run -rdc=true shapes.cu variables.cu functions.cu %s
// OUT: ^separate-features ok$
// RUN: cd %t && lockstep nvcc -dc %s %S/support/separate/functions.cu %S/support/separate/variables.cu %S/support/separate/shapes.cu
// RUN: cd %t && lockstep nvcc -lib functions.o shapes.o -o libparts.a && lockstep nvcc separate-features.o variables.o libparts.a -o b.out && ./b.out
// OUT: ^separate-features ok$
// RUN: cd %t && ar rc libvariables.a variables.o && lockstep nvcc -dlink separate-features.o libvariables.a libparts.a -o link.o && lib=$(dirname $(ldd b.out | sed -n 's/.*libcudart.so.12 => //p' | cut -d' ' -f1)) && g++ separate-features.o link.o -L. -lvariables -lparts -L$lib -lcudadevrt -lcudart_static -Wl,-rpath,$lib -o c.out && ./c.out
// OUT: ^separate-features ok$
#include "support/check.h"
#include "support/separate/shared.h"

static __device__ int own = 1;
static __constant__ int own_constant = 2;
namespace {
__device__ int unnamed = 3;
__device__ int helper() { return 4; }
}  // namespace
namespace names {
static __device__ int hidden = 5;
}
static __device__ int local(int x) { return x; }

static __global__ void kernel(int* out) {
    __shared__ int tile[8];
    tile[threadIdx.x] = own + own_constant + unnamed + helper() + local(1) + names::hidden;
    __syncthreads();
    out[threadIdx.x] = tile[7 - threadIdx.x];
}

__global__ void functions(int* out) {
    out[0] = twice(3);
    out[1] = thrice(3);
    out[2] = branch(6);
    out[3] = branch(1);
    out[4] = operation(4);
    out[5] = operations[0](4) + operations[1](4);
    out[6] = area_of(Square(3));
    const Shape plain;
    out[7] = plain.area() * 100 + area_of(plain);
    const Operation mine = local;
    out[8] = mine(9);
    next_ticket();
}

__global__ void variables(int* out) {
    out[0] = counter++;
    out[1] = table[2];
    out[2] = unsized[1];
    out[3] = static_cast<int>(weight * 8);
    out[4] = steps[0] + steps[2];
    out[5] = managed;
    managed += 1;
    out[6] = managed_array[1];
    out[7] = names::Holder().get();
    out[8] = pool<int>++;
#ifdef __clang__
    Pool<int>::value += 2;
#endif
}

int main() {
    // Values that the host has set before anything ran are not lost.
    EXPECT_AT(0, managed, 11);
    EXPECT_AT(1, managed_array[0], 12);
    managed = 40;
    const float changed = 1.5f;
    CUDA(cudaMemcpyToSymbol(weight, &changed, sizeof changed));
    const int new_steps[3] = {1, 2, 3};
    CUDA(cudaMemcpyToSymbol(steps, new_steps, sizeof new_steps));
    const int entry = 33;
    CUDA(cudaMemcpyToSymbol(table, &entry, sizeof entry, 2 * sizeof(int)));

    int* out = device_zeros<int>(16);
    functions<<<1, 1>>>(out);
    auto f = to_host(out, 9);
    const int expected_functions[9] = {6, 9, 12, 13, 8, 20, 904, 200, 9};
    for (int i = 0; i < 9; ++i) EXPECT_AT(i, f[i], expected_functions[i]);

    variables<<<1, 1>>>(out);
    auto v = to_host(out, 9);
    const int expected_variables[9] = {7, 33, 20, 12, 4, 40, 13, 43, 5};
    for (int i = 0; i < 9; ++i) EXPECT_AT(i, v[i], expected_variables[i]);
    EXPECT_AT(2, managed, 41);
    int count = 0;
    CUDA(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT_AT(3, count, 8);

    kernel<<<1, 8>>>(out);
    EXPECT_AT(0, to_host(out, 1)[0], 16);
    EXPECT_AT(1, host_part(out), 2000 + 3 + 6);
    EXPECT_AT(2, to_host(out, 1)[0], 2000 + 2001 + 2002 + 2003 + 2005 + 3);
    store<<<1, 1>>>(out, 10);
    EXPECT_AT(3, to_host(out, 1)[0], 16);
    return finish("separate-features");
}
