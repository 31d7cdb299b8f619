// Shared libraries with separately compiled device code: each is linked for itself, as by nvcc, whatever
// names others have.
// RUN: cd %t && for n in 1 2; do lockstep nvcc -Xcompiler -fPIC -rdc=true -DLIBRARY=lib$n -DVALUE=$n -c %S/support/separate/library.cu -o a$n.o && lockstep nvcc -Xcompiler -fPIC -dc -DVALUE=$n %S/support/separate/library-part.cu -o b$n.o && lockstep nvcc -shared a$n.o b$n.o -o libn$n.so || exit 1; done
// RUN: cd %t && lockstep nvcc -rdc=true %s %S/support/separate/library-part.cu -DVALUE=7 -L. -ln1 -ln2 -Xlinker -rpath=. -o a.out && ./a.out
// OUT: ^separate-libraries ok$
#include "support/check.h"

extern __device__ int state;
__device__ int answer();

__global__ void mine(int* out) { *out = answer() + state++; }

extern "C" int ask_lib1();
extern "C" int ask_lib2();

int main() {
    int* out = device_zeros<int>(1);
    for (int turn = 0; turn < 2; ++turn) {
        mine<<<1, 1>>>(out);
        EXPECT_AT(0, to_host(out, 1)[0], 7007 + turn);
        EXPECT_AT(1, ask_lib1(), 1001 + turn);
        EXPECT_AT(2, ask_lib2(), 2002 + turn);
    }
    return finish("separate-libraries");
}
