// cuBLAS's first interface. The library is found with -lcublas and without; a program that does not use it is
// not linked to it.
// RUN: lockstep nvcc -O0 -o %t/a %s && %t/a && readelf -d %t/a
// OUT: ^sum 30, product 19 43 22 50, index 4, error 7 then 0$
// OUT: libcublas.so.12
// PTX that stands in for the program's own kernels leaves the library's alone.
// RUN: lockstep nvcc -ptx -o %t/own.ptx %s && lockstep run -O0 --ptx %t/own.ptx %s
// OUT: ^sum 30, product 19 43 22 50, index 4, error 7 then 0$
// RUN: lockstep nvcc -O0 -DWITHOUT -o %t/b %s && %t/b && readelf -d %t/b
// OUT: ^nothing$
// NOT: libcublas
#include <cstdio>

#ifdef WITHOUT
int main() { puts("nothing"); }
#else
#include <cublas.h>

__global__ void unused() {}

int main() {
    cublasInit();
    const float a[] = {1, 3, 2, 4}, b[] = {5, 7, 6, 8};
    float c[4] = {};
    float *da, *db, *dc;
    cublasAlloc(4, sizeof(float), (void**)&da);
    cublasAlloc(4, sizeof(float), (void**)&db);
    cublasAlloc(4, sizeof(float), (void**)&dc);
    cublasSetMatrix(2, 2, sizeof(float), a, 2, da, 2);
    cublasSetMatrix(2, 2, sizeof(float), b, 2, db, 2);
    cublasSgemm('N', 'n', 2, 2, 2, 1.0f, da, 2, db, 2, 0.0f, dc, 2);
    cublasGetMatrix(2, 2, sizeof(float), dc, 2, c, 2);
    const float sum = cublasSdot(4, da, 1, da, 1);
    const int index = cublasIsamax(4, da, 1);
    cublasSgemv('X', 2, 2, 1.0f, da, 2, db, 1, 0.0f, dc, 1);
    const int error = cublasGetError(), then = cublasGetError();
    printf("sum %g, product %g %g %g %g, index %d, error %d then %d\n", sum, c[0], c[1], c[2], c[3], index,
           error, then);
    cublasFree(da);
    cublasFree(db);
    cublasFree(dc);
    return cublasShutdown();
}
#endif
