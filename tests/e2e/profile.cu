// Counts that follow from the program alone, and what is predicted, through every way that a profile is shown.
//
// RUN: lockstep profile --metrics gld_efficiency,gst_efficiency,gld_transactions,branch_efficiency,ipc %s
// OUT: ^profile ok$
// OUT: ^== lockstep == \./profile on NVIDIA H200 \(h200; code of .*; predictions.*\): 3 kernels, 5 launches$
// OUT: ^Invocations +Metric Name +Metric Description +Min +Max +Avg$
// OUT: ^    Kernel: copy\(const float \*, float \*, int\)$
// OUT: ^          3  gld_efficiency +Global Memory Load Efficiency +100\.00% +100\.00% +100\.00%$
// OUT: ^          3  gld_transactions +.* +128 +256 +170\.67$
// OUT: ^          3  ipc +Executed IPC( +[0-9]+\.[0-9]+){3} +predicted$
// OUT: ^    Kernel: void strided<8>\(const float \*, float \*\)$
// OUT: ^          1  gld_efficiency +Global Memory Load Efficiency +12\.50% +12\.50% +12\.50%$
// OUT: ^          1  gst_efficiency +Global Memory Store Efficiency +100\.00% +100\.00% +100\.00%$
// OUT: ^    Kernel: void strided<2>\(const float \*, float \*\)$
// OUT: ^          1  gld_efficiency +Global Memory Load Efficiency +50\.00% +50\.00% +50\.00%$
// NOT: Time\(%%\)
//
// RUN: lockstep profile %s
// OUT: ^ *Share +Time Calls +Grid Block +Occ +Ld +St +Div +SM DRAM$
// OUT: ^copy\(const float \*, float \*, int\)$
// OUT: ^ *[0-9.]+%% [▏▎▍▌▋▊▉█]+ +[0-9.]+us +3 +various +256 +[0-9]+%% +100%% +100%% +[0-9]+%% +[0-9]+%% +[0-9]+%%$
// OUT: ^ +bound by [^:]+: .
// OUT: ^Times, Occ, SM and DRAM are predicted\.
// NOT: Metric Name
//
// RUN: COLUMNS=80 lockstep profile %s | sed -n '/Share/,$p' | awk 'length($0) > 80 { exit 1 }'
//
// RUN: lockstep profile --details %s
// OUT: ^Time\(%%\) +Time +Calls +Avg +Min +Max +Name \(times are predicted\)$
// OUT: ^ *[0-9.]+%%( +[0-9.]+[nu]s) +3( +[0-9.]+[nu]s){3}  copy\(const float \*, float \*, int\)$
// OUT: ^         bound by [^:]+: .
// OUT: ^         warps: [0-9]+ %% [a-z ]+
// OUT: ^Invocations +Metric Name +Metric Description +Min +Max +Avg +Of Peak$
// OUT: ^    Kernel: copy
// OUT: ^          3  gpu__time_duration\.sum +Duration( +[0-9.]+[nu]s){3} +predicted$
// OUT: ^          3  dram__bytes\.sum\.per_second .*B/s +[0-9.]+%%  predicted$
// OUT: ^    Kernel: void strided<8>
// NOT: n/a
//
// RUN: lockstep profile --launches --metrics gld_efficiency,gld_transactions,ipc --json %t/out.json %s && cat %t/out.json
// OUT: ^launch +kernel +grid +block +gld_efficiency +gld_transactions +ipc$
// OUT: ^     3  strided<8> +\(4,1,1\) +\(256,1,1\) +12\.50% +1024 +[0-9.]+$
// OUT: ^== lockstep == predicted for NVIDIA H200 \(h200; .*\), not counted: ipc$
// OUT: ^\{"launches": \[$
// OUT: ^  \{"kernel": "copy\(const float \*, float \*, int\)", "device": 0, "grid": \[4, 1, 1\], "block": \[256, 1, 1\], "executed_blocks": 4, "parent": null, "depth": 0, "fault": null, "metrics": \{"gld_efficiency": 100, "gld_transactions": 128, "ipc": 0\.[0-9]+\}\},$
// OUT: ^  \{"kernel": "void strided<2>\(const float \*, float \*\)", .*"gld_efficiency": 50,
// OUT: ^"complete": true, "missing": \[\], "failures": \[\]\}$
//
// RUN: lockstep profile --launches --kernels strided --launch-skip 1 --metrics gld_efficiency --csv - %s
// OUT: ^kernel,grid,block,gld_efficiency,device$
// OUT: ^"void strided<2>\(const float \*, float \*\)","\(4,1,1\)","\(256,1,1\)",50,0$
// NOT: strided<8>
// NOT: ^copy
//
// RUN: lockstep profile --launch-count 2 --metrics gld_efficiency %s
// OUT: 1 kernel, 2 launches$
// OUT: ^== lockstep == not profiled, as was asked for: 1 launch of copy\(const float \*, float \*, int\), 1 launch of void strided<2>\(.*\), 1 launch of void strided<8>\(.*\)$
// NOT: Kernel: void strided
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
// OUT: ^  bound by .*\(predicted\)$
// OUT: ^ +%l +[0-9]+ [a-z]+ +.* 1152 +256 +! +out\[i\] = in\[i \* Step\]; // HERE$
// OUT: LDG +ld.global
// OUT: ^  Most time \(predicted\):$
// OUT: ^    profile.cu:%l: [0-9]+ %% of the warps' cycles, of which [0-9]+ %% 
// OUT: ^    profile.cu:%l: 1152 sectors moved where 256 would do \(4\.5 x\)$
//
// RUN: lockstep profile --from %t/a.lockstep --source --kernels 'strided<8>' --json -
// OUT: "bound": "[a-z_]+", "warp_cycles": \{"selected": [0-9]+, .*"long_scoreboard": [0-9]+
// OUT: "lines": \[$
// OUT: "file": ".*profile\.cu", "line": %l, "executed": [0-9]+, .*"sectors": 1152, "ideal_sectors": 256, .*"warp_cycles": \{"selected": [0-9]+, .*"long_scoreboard": [0-9]+
//
// RUN: lockstep profile --from %t/a.lockstep --source --kernels 'strided<8>' --csv -
// OUT: ^kernel,file,line,executed,.*,warp_cycles,selected,not_selected,long_scoreboard,
// OUT: ^.*profile\.cu,%l,[0-9]+,.*,1152,256,0,0,[1-9][0-9]*,[1-9]
//
// RUN: lockstep profile --from %t/a.lockstep --expect 'copy: gpu__time_duration.sum < 1000000' --expect 'copy: gpu__time_duration.sum < 1'
// EXIT: 1
// ERR: copy\(.*gpu__time_duration\.sum is .* in 3 launches \(expected gpu__time_duration\.sum < 1\)$
// ERR: 1 of 2 expectations failed
//
// RUN: lockstep profile --from %t/a.lockstep --metrics time,stall --csv -
// OUT: ^"copy.*,3,gpu__time_duration\.sum,Duration,ns,[0-9.]+,[0-9.]+,[0-9.]+,predicted,,0$
// OUT: ^"copy.*,3,stall_memory_dependency,.*,%%,[0-9.]+,[0-9.]+,[0-9.]+,predicted,,0$
//
// RUN: lockstep compare %t/a.lockstep:strided'<8>' %t/a.lockstep:'strided<2>' --metrics gld_efficiency,gld_transactions
// OUT: ^gld_efficiency +Global Memory Load Efficiency +12\.50% +50\.00% +4\.000x$
// OUT: ^gld_transactions .* 1024 +256 +0\.250x$
//
// RUN: lockstep profile --gpu gtx1650 -o %t/b.lockstep %s && lockstep compare %t/a.lockstep %t/b.lockstep --metrics gld_transactions
// OUT: ^A: .*on NVIDIA H200 \(h200; code of .*; predictions.*\)$
// OUT: ^B: .*on NVIDIA GeForce GTX 1650 \(gtx1650; code of .*; predictions.*\)$
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
