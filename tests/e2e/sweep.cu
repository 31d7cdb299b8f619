// The same program with several blocks, arguments and GPUs. It sees nothing of it: its launches are as it
// made them.
//
//     sweep N [crash|wrong|hang|quiet]
// RUN: lockstep sweep %s --kernel scale --block 64,7,128 --sort inst_executed --metrics gld_transactions,launch__block_size -- 4096
// OUT: ^scale\(float \*, int\)$
// OUT: ^   block +grid +inst_executed +of best +gld_transactions +launch__block_size$
// OUT: ^\*  64 +64 +[0-9]+ +1\.00x +512 +64$
// OUT: ^   7 +586 +
// OUT: ^these blocks do not divide the grid, more threads run than the program asked for: 7 \(0\.15 % more\)
// NOT: sum is
// NOT: fill
// RUN: lockstep sweep %s --kernel scale --block 64,16x16 --sort inst_executed -- 4096
// EXIT: 1
// OUT: ^   16x16 .* failed: exited with status 1: sum is wrong$
// RUN: lockstep sweep --kernel 'scale|fill' --block 64 %s -- 4096
// OUT: ^fill\(float \*, int\)$
// OUT: ^scale\(float \*, int\)$
// RUN: lockstep sweep %s --kernel scale --block 32,2048,64 --sort inst_executed -- 4096
// EXIT: 1
// OUT: ^\*  32
// OUT: ^   64
// OUT: ^   2048 +[- ]*  failed: not launched: the block \(2048, 1, 1\) is larger than the GPU's limit \(1024, 1024, 64\)$
// ERR: ^lockstep: 2048: not launched
// ERR: ^lockstep: 1 of 3 points failed$
// RUN: lockstep sweep %s --kernel scale --arg 2=good,crash,wrong,quiet --sort inst_executed -- 4096
// EXIT: 1
// OUT: ^   arg 2 +grid +block
// OUT: ^\*  good +16 +256
// OUT: ^   crash +- .* failed: was ended by signal 6
// OUT: ^   wrong +- .* failed: exited with status 1: sum is wrong$
// OUT: ^   quiet +- .* failed: exited with status 3$
// ERR: ^lockstep: wrong: exited with status 1: sum is wrong$
// ERR: ^sum is wrong$
// ERR: ^lockstep: 3 of 4 points failed$
// RUN: lockstep sweep %s --kernel scale --gpu h200,fermi --block 64,256 --sort theoretical_occupancy:desc -- 4096
// OUT: ^   gpu +block +grid +theoretical_occupancy +of best +time +occupancy +DRAM$
// OUT: ^\*  h200 +64 +64 +100\.0% +1\.00x 
// OUT: ^   h200 +256 +16 +100\.0% +1\.00x 
// OUT: ^   fermi +256 +16 +100\.0% +1\.00x 
// OUT: ^   fermi +64 +64 +33\.3% +0\.33x 
// RUN: lockstep sweep %s --kernel scale --set sms=4,1,2 --set sm.clock_mhz=1000 --sort launch__waves_per_multiprocessor -- 8192
// OUT: ^   sms +sm.clock_mhz +grid +block +launch__waves_per_multiprocessor +of best
// OUT: ^\*  4 +1000 +32 +256 +1\.0+ 
// OUT: ^   2 +1000 +32 +256 +2\.0+ 
// OUT: ^   1 +1000 +32 +256 +4\.0+ 
// The output does not depend on how many run at once; nothing stays behind.
// RUN: mkdir %t/tmp; for j in 1 3; do TMPDIR=%t/tmp lockstep sweep --jobs $j %s --kernel scale --block 32,64,128,256,2000 --arg 1=1000,2000 --json %t/$j.json --csv %t/$j.csv -- 1 >%t/$j.txt 2>%t/$j.err; done; cmp %t/1.txt %t/3.txt && cmp %t/1.err %t/3.err && cmp %t/1.json %t/3.json && cmp %t/1.csv %t/3.csv && wc -l < %t/1.csv && ls %t/tmp | wc -l
// OUT: ^11$
// OUT: ^0$
// RUN: mkdir %t/int; TMPDIR=%t/int timeout -s INT 6 lockstep sweep %s --block 32,64 --jobs 2 -- 4096 hang %t/process; echo status $?; sleep 0.1; kill -0 $(cat %t/process) 2>/dev/null && echo still there; ls %t/int | wc -l
// OUT: ^status 124$
// OUT: ^0$
// NOT: still there
// Nor when it is interrupted while it compiles.
// RUN: mkdir %t/early; for c in run profile timeline sweep; do TMPDIR=%t/early timeout -s INT 0.4 lockstep $c %s --no-cache $([ $c = sweep ] && echo --block 32,64) -- 4096 hang >%t/early.txt 2>&1; echo status $?; done; ls %t/early | wc -l
// OUT: ^status 124$
// OUT: ^status 124$
// OUT: ^status 124$
// OUT: ^status 124$
// OUT: ^0$
// A kernel that cannot end is stopped as under run.
// RUN: lockstep sweep %s --kernel spin --timeout 0.5 --arg 2=spin -- 4096
// EXIT: 1
// OUT: ^  spin .* failed: kernel spin.*still running after 0\.5 seconds
// RUN: lockstep run %s -- 4096
// ENV: LOCKSTEP_BLOCK=64
// ENV: LOCKSTEP_KERNELS=scale
// ENV: LOCKSTEP_STATS=1
// OUT: ^sum is right$
// ERR: 2 launches, 80 blocks, 8192 threads
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void fill(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = 1;
}

__global__ void scale(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

__global__ void spin(volatile float* data) {
    while (data[0] >= 0) {
    }
}

int main(int argc, char** argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    const char* what = argc > 2 ? argv[2] : "";
    float* data = nullptr;
    cudaMalloc(&data, n * sizeof(float));
    fill<<<(n + 255) / 256, 256>>>(data, n);
    scale<<<(n + 255) / 256, 256>>>(data, n);
    if (std::strcmp(what, "spin") == 0) spin<<<1, 1>>>(data);
    std::vector<float> host(n);
    if (cudaMemcpy(host.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
    if (std::strcmp(what, "crash") == 0) std::abort();
    if (std::strcmp(what, "quiet") == 0) std::exit(3);
    if (std::strcmp(what, "hang") == 0) {
        if (std::FILE* file = argc > 3 ? std::fopen(argv[3], "w") : nullptr) {
            std::fprintf(file, "%d\n", static_cast<int>(getpid()));
            std::fclose(file);
        }
        pause();
    }
    double sum = 0;
    for (float value : host) sum += value;
    bool right = sum == 2.0 * n && std::strcmp(what, "wrong") != 0;
    std::printf("sum is %s\n", right ? "right" : "wrong");
    return right ? 0 : 1;
}
