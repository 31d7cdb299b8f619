// Many threads print: every line comes out whole and once.
// RUN: lockstep run %s > %t/out && sort -n -k2 %t/out | head -n 1024 | awk '$1 != "thread" || $2 != NR - 1 || $4 != ($2 * 7) {print "bad line", $0}' && wc -l < %t/out
// OUT: ^1025$
// NOT: bad line
#include "support/check.h"

__global__ void talk() {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    printf("thread %u says %u\n", t, t * 7);
}

int main() {
    talk<<<8, 128>>>();
    CUDA(cudaDeviceSynchronize());
    std::printf("zzz 99999 end\n");
}
