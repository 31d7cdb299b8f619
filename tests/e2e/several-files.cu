// A program of several sources: two .cu files, a .cpp file and a library flag.
// RUN: lockstep run %s %S/support/second.cu %S/support/third.cpp -lm -- 12
// OUT: ^several-files ok$
#include <cstdlib>

#include "support/check.h"

// In second.cu and third.cpp.
void double_on_device(int* data, int n);
double root_of(double x);

__global__ void fill(int* data, int n) {
    int i = threadIdx.x;
    if (i < n) data[i] = i;
}

int main(int, char** argv) {
    int n = std::atoi(argv[1]);
    int* data = device_zeros<int>(n);
    fill<<<1, 32>>>(data, n);
    double_on_device(data, n);
    auto h = to_host(data, n);
    for (int i = 0; i < n; ++i) EXPECT_AT(i, h[i], 2 * i);
    EXPECT(root_of(49) == 7);
    return finish("several-files");
}
