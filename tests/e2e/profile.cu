// Counts that follow from the program alone, through every way that a profile is shown.
//
// RUN: lockstep profile --metrics gld_efficiency,gst_efficiency,gld_transactions,branch_efficiency,ipc %s
// OUT: ^profile ok$
// OUT: ^== lockstep == \./profile on NVIDIA H200 \(h200\): 3 kernels, 5 launches$
// OUT: ^Invocations +Metric Name +Metric Description +Min +Max +Avg$
// OUT: ^    Kernel: copy\(const float \*, float \*, int\)$
// OUT: ^          3  gld_efficiency +Global Memory Load Efficiency +100\.00% +100\.00% +100\.00%$
// OUT: ^          3  gld_transactions +.* +128 +256 +170\.67$
// OUT: ^          3  ipc +.* +n/a +n/a +n/a$
// OUT: ^    Kernel: void strided<8>\(const float \*, float \*\)$
// OUT: ^          1  gld_efficiency +Global Memory Load Efficiency +12\.50% +12\.50% +12\.50%$
// OUT: ^          1  gst_efficiency +Global Memory Store Efficiency +100\.00% +100\.00% +100\.00%$
// OUT: ^    Kernel: void strided<2>\(const float \*, float \*\)$
// OUT: ^          1  gld_efficiency +Global Memory Load Efficiency +50\.00% +50\.00% +50\.00%$
// OUT: ^== lockstep == n/a: ipc needs a model of time
//
// RUN: lockstep profile --launches --metrics gld_efficiency,gld_transactions,ipc --json %t/out.json %s && cat %t/out.json
// OUT: ^launch +kernel +grid +block +gld_efficiency +gld_transactions +ipc$
// OUT: ^     3  strided<8> +\(4,1,1\) +\(256,1,1\) +12\.50% +1024 +n/a$
// OUT: ^\{"launches": \[$
// OUT: ^  \{"kernel": "copy\(const float \*, float \*, int\)", "grid": \[4, 1, 1\], "block": \[256, 1, 1\], "metrics": \{"gld_efficiency": 100, "gld_transactions": 128, "ipc": null\}\},$
// OUT: ^  \{"kernel": "void strided<2>\(const float \*, float \*\)", .*"gld_efficiency": 50,
// OUT: ^\]\}$
//
// RUN: lockstep profile --launches --kernels strided --launch-skip 1 --metrics gld_efficiency --csv - %s
// OUT: ^kernel,grid,block,gld_efficiency$
// OUT: ^"void strided<2>\(const float \*, float \*\)","\(4,1,1\)","\(256,1,1\)",50$
// NOT: strided<8>
// NOT: ^copy
//
// RUN: lockstep profile --launch-count 2 --metrics gld_efficiency %s
// OUT: 1 kernel, 2 launches$
// NOT: strided
//
// RUN: lockstep profile -o %t/a.lockstep --log %t/log %s && cat %t/log
// OUT: ^== lockstep == .*3 kernels, 5 launches$
//
// RUN: lockstep profile --from %t/a.lockstep --metrics gld_efficiency --kernels 'strided<2>'
// OUT: 1 kernel, 1 launch$
// OUT: gld_efficiency .*50\.00%
// NOT: profile ok
//
// RUN: lockstep profile --from %t/a.lockstep --source --ptx-lines --kernels 'strided<8>'
// OUT: ^ +%l +.* 1152 +256 +! +out\[i\] = in\[i \* Step\]; // HERE$
// OUT: LDG +ld.global
// OUT: ^    profile.cu:%l: 1152 sectors moved where 256 would do \(4\.5 x\)$
//
// RUN: lockstep compare %t/a.lockstep:strided'<8>' %t/a.lockstep:'strided<2>' --metrics gld_efficiency,gld_transactions
// OUT: ^gld_efficiency +Global Memory Load Efficiency +12\.50% +50\.00% +4\.000x$
// OUT: ^gld_transactions .* 1024 +256 +0\.250x$
//
// RUN: lockstep profile --gpu gtx1650 -o %t/b.lockstep %s && lockstep compare %t/a.lockstep %t/b.lockstep --metrics gld_transactions
// OUT: ^A: .*on NVIDIA H200\)$
// OUT: ^B: .*on NVIDIA GeForce GTX 1650\)$
// OUT: ^    Kernel: copy
// OUT: same$
#include <cstdio>

__global__ void copy(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

template <int Step>
__global__ void strided(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * Step]; // HERE
}

int main() {
    constexpr int n = 1024;
    float *in, *out;
    cudaMalloc(&in, 8 * n * sizeof(float));
    cudaMalloc(&out, 2 * n * sizeof(float));
    copy<<<4, 256>>>(in, out, n);
    copy<<<8, 256>>>(in, out, 2 * n);
    strided<8><<<4, 256>>>(in, out);
    strided<2><<<4, 256>>>(in, out);
    copy<<<4, 256>>>(in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::puts("profile ok");
    return 0;
}
