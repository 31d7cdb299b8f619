// printf in kernels: every conversion, and output in the order of a thread's calls, before what the host
// prints later.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^start$
// OUT: ^int -42 \+7 00013 \|   99\|99   \|$
// OUT: ^unsigned 4294967254 ffffffd6 FFFFFFD6 0x1f 17$
// OUT: ^long -9000000000 9000000000 18446744073709551615 ffffffffffffffff$
// OUT: ^short -300 byte 200$
// OUT: ^float 3\.141593 3\.14 2\.500000e\+00 0\.0001 1e-05 \|   1\.50\|$
// OUT: ^double 1\.7976931348623157e\+308 inf -inf -?nan$
// OUT: ^string hello \|     right\|left      \|abc\|$
// OUT: ^char A percent % star    7$
// OUT: ^pointer (0x)?[0-9a-f]+$
// OUT: ^no arguments$
// OUT: ^three 1 2 3$
// OUT: ^counts 3 0$
// OUT: ^one line in two parts$
// OUT: ^between kernels$
// OUT: ^lane 31 of 1$
// OUT: ^printf ok$
#include "support/check.h"

__global__ void conversions() {
    printf("start\n");
    printf("int %d %+d %05d |%5d|%-5d|\n", -42, 7, 13, 99, 99);
    printf("unsigned %u %x %X %#x %o\n", -42, -42, -42, 31, 15);
    printf("long %lld %ld %llu %llx\n", -9000000000ll, 9000000000l, ~0ull, ~0ull);
    short s = -300;
    unsigned char b = 200;
    printf("short %hd byte %u\n", s, b);
    float pi = 3.14159265f;
    printf("float %f %.2f %e %g %g |%7.2f|\n", pi, pi, 2.5f, 0.0001f, 0.00001f, 1.5f);
    double infinity = 1e308 * 10;
    printf("double %.17g %f %f %f\n", 1.7976931348623157e308, infinity, -infinity, fabs(infinity - infinity));
    printf("string %s |%10s|%-10s|%.3s|\n", "hello", "right", "left", "abcdef");
    printf("char %c percent %% star %*d\n", 'A', 4, 7);
    printf("pointer %p\n", static_cast<const void*>(&s));
    // Unlike C's, it returns how many arguments it took.
    int none = printf("no arguments\n"), three = printf("three %d %d %d\n", 1, 2, 3);
    printf("counts %d %d\n", three, none);
    printf("one line ");
    printf("in two parts\n");
}

__global__ void lanes() {
    if (threadIdx.x == 31) printf("lane %u of %u\n", threadIdx.x, gridDim.x);
}

int main() {
    conversions<<<1, 1>>>();
    CUDA(cudaDeviceSynchronize());
    printf("between kernels\n");
    std::fflush(stdout);
    lanes<<<1, 32>>>();
    CUDA(cudaDeviceSynchronize());
    return finish("printf");
}
