// What there is of a kernel after each pass on its way.
// RUN: lockstep ptx --dump-after inline %s
// OUT: ^function _Z4kernPi$
// OUT: st\.global
// NOT: call
// RUN: lockstep ptx --dump-after order %s
// OUT: ^block 0:$
// OUT: -> .*branch
// RUN: lockstep ptx --dump-after shapes %s
// OUT: base \+ lane \* 1
// OUT: its branch may split the warp
// RUN: lockstep ptx --dump-after numbers %s
// OUT: ^site 0: load of 4 bytes, global
// RUN: lockstep ptx --dump-after arithmetic --gpu v100 %s
// OUT: IMAD
// RUN: lockstep ptx --dump-after machine %s
// OUT: EXIT
// RUN: lockstep ptx --dump-after timing %s
// OUT: ^kernel _Z4kernPi$
// OUT: waits for
// RUN: lockstep ptx --dump-after shape %s
// EXIT: 2
// ERR: there is no pass 'shape' \(did you mean shapes\?\)
// RUN: lockstep ptx --dump-after shapes --machine %s
// EXIT: 2
// ERR: --machine
__device__ __noinline__ int twice(int a) { return 2 * a; }

__global__ void kern(int* p) {
    __shared__ int tile[32];
    int i = threadIdx.x;
    tile[i] = p[i];
    if (i % 3 == 0) tile[i] = twice(tile[i]) + i * 7;
    p[i] = tile[i];
}

int main() {}
