// What other options, or another compiler, make better of the same kernel.
// RUN: lockstep profile -o %t/fast.lockstep -use_fast_math %s
// RUN: lockstep explain -o %t/plain.lockstep --against %t/fast.lockstep %s
// OUT: ^divided\(float \*, float, int\):
// OUT: ^ +[2-9][0-9] %%  The same compiler's code of this kernel was faster in the other run \[compiler-difference\]$
// OUT: ^ +explain-against\.cu:[0-9]+: for \(int t = 0; t < turns; \+\+t\) x \+= t / \(by \+ x\);$
// OUT: - warps execute [0-9.]+ million instructions, in the other run [0-9.]+ million: divisions and$
// OUT: both times: look at the options$
// OUT: ^added\(float \*, int\):
// NOT: added.*compiler-difference
// RUN: lockstep explain --from %t/plain.lockstep --against %t/fast.lockstep --expect 'added: no compiler-difference' --expect 'divided: no compiler-difference above 95 %%'
// RUN: lockstep explain --from %t/fast.lockstep --against %t/plain.lockstep --expect 'no compiler-difference'
// RUN: lockstep explain --from %t/plain.lockstep --against %t/plain.lockstep --expect 'no compiler-difference'
// RUN: lockstep explain --from %t/plain.lockstep --against %t/none.lockstep
// EXIT: 2
// ERR: none\.lockstep: no such run file
__global__ void divided(float* out, float by, int turns) {
    float x = threadIdx.x;
    for (int t = 0; t < turns; ++t) x += t / (by + x);
    out[blockIdx.x * 256 + threadIdx.x] = x;
}
__global__ void added(float* out, int turns) {
    float x = threadIdx.x;
    for (int t = 0; t < turns; ++t) x += t;
    out[blockIdx.x * 256 + threadIdx.x] = x;
}

int main() {
    float* out;
    cudaMalloc(&out, 4 << 20);
    divided<<<4096, 256>>>(out, 3, 50);
    added<<<4096, 256>>>(out, 50);
    return cudaDeviceSynchronize() != cudaSuccess;
}
