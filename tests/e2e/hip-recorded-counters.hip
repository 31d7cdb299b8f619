// A copy of 2^20 doubles in blocks of 256, as omniperf's own sample: what rocprof counted on an MI100, an MI200 and
// an MI300X stands in ROCm/omniperf, tests/workloads/vcopy (SQ_INSTS, SQ_INSTS_VALU, SQ_ACTIVE_INST_VALU,
// SQ_THREAD_CYCLES_VALU, TCP_TOTAL_CACHE_ACCESSES_sum, TCP_TCC_READ_REQ_sum, TCP_TCC_WRITE_REQ_sum, registers,
// SQ_IFETCH, and of each channel of an MI100's L2 TCC_READ and TCC_WRITE).
// RUN: printf 'pmc: SQ_WAVES SQ_INSTS SQ_INSTS_VALU SQ_ACTIVE_INST_VALU SQ_THREAD_CYCLES_VALU\npmc: TCP_TOTAL_CACHE_ACCESSES_sum TCP_TCC_READ_REQ_sum TCP_TCC_WRITE_REQ_sum\n' > %t/in.txt && cd %t && lockstep rocprof --stats -i in.txt -o mi100.csv %s && cat mi100.csv mi100.stats.csv
// OUT: ^copied$
// OUT: ^Index,KernelName,gpu-id,pid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,SQ_WAVES,SQ_INSTS,SQ_INSTS_VALU,SQ_ACTIVE_INST_VALU,SQ_THREAD_CYCLES_VALU,TCP_TOTAL_CACHE_ACCESSES_sum,TCP_TCC_READ_REQ_sum,TCP_TCC_WRITE_REQ_sum,BeginNs,EndNs,DurationNs$
// OUT: ^0,"copy\(.*\) \[clone \.kd\]",0,[0-9]+,1048576,256,0,0,8,8,16,64,16384,393216,163840,180224,11534336,524288,131072,131072,[0-9]+,[0-9]+,[0-9]+$
// OUT: ^Name,Calls,TotalDurationNs,AverageNs,Percentage$
// OUT: ^"copy\(.*\) \[clone \.kd\]",2,[0-9]+,[0-9]+,100$
// RUN: printf 'pmc: SQ_INSTS SQ_INSTS_VALU SQ_INSTS_VALU_INT32 SQ_ACTIVE_INST_VALU TCP_TCC_READ_REQ_sum\n' > %t/in.txt && cd %t && lockstep rocprof --gpu mi210 -i in.txt -o mi200.csv %s && cat mi200.csv
// OUT: ^0,"copy.*",0,[0-9]+,1048576,256,0,0,8,0,16,64,393216,163840,114688,163840,131072$
// RUN: cd %t && lockstep omniperf profile -n copy --gpu mi300x -- %s && lockstep omniperf analyze -p workloads/copy/MI300X_A1 -b 2.1.13 2.1.18 5 10.1 10.2.0 10.2.1 13 16.3.10 17.3.8 17.3.9 18
// OUT: 0\.1 Top Kernels
// OUT: │ Metric_ID +│ Metric +│ +Avg │ Unit +│ +Peak │ +Pct of Peak │
// OUT: │ 2\.1\.13 +│ VALU Active Threads +│ +64\.00 │ Threads
// OUT: │ 10\.1\.0 +│ VALU +│ +6\.00 │ +6\.00 │ +6\.00 │ Instr per wave │
// OUT: │ 10\.2\.0 +│ INT32 +│ +3\.00
// OUT: │ 10\.2\.1 +│ INT64 +│ +2\.00
// OUT: │ 13\.2\.0 +│ Req +│ +4\.00 │ +4\.00 │ +4\.00 │ Req per wave │
// OUT: │ 16\.3\.10 +│ L1-L2 Read +│ +4\.00
// OUT: │ 17\.3\.8 +│ Hits +│ +4\.00
// OUT: │ 17\.3\.9 +│ Misses +│ +8\.00
// OUT: ^18\.1 Aggregate Stats \(All channels\)$
// OUT: │ 18\.1\.0 +│ Req +│ +0\.09 │ +0\.00 │ +0\.09 │ +0\.09 │ Req per wave +│
// OUT: ^  5\.1\.0 CPF Utilization \(CPF_CPF_STAT_BUSY\)$
// OUT: ^  13\.2\.1 Hits \(SQC_ICACHE_HITS\)$
// RUN: printf 'pmc: SQ_IFETCH TCC_READ_min TCC_READ_max TCC_WRITE_min TCC_WRITE_max TCC_REQ_std\n' > %t/in.txt && cd %t && lockstep rocprof -i in.txt -o channels.csv %s && cat channels.csv
// OUT: ^0,"copy.*",0,\d+,1048576,.*,64,65536,4096,4096,4096,4096,0$
// RUN: cd %t && lockstep omniperf profile -n one --gpu mi100 -- %s && lockstep omniperf profile -n two --gpu mi210 -- %s && lockstep omniperf analyze -p workloads/one/MI100 -p workloads/two/MI200 -b 1 11.2 -k 0
// OUT: │ +│ Kernel_Name +│ +Count │ +Count │
// OUT: │ +0 │ copy.*2\.00 │ 2\.00 \(0\.00%\)
// OUT: │ gpu_arch +│ gfx908 +│ gfx90a +│
// RUN: cd %t && lockstep rocprof-compute analyze -p %S
// EXIT: 1
// ERR: has no pmc_perf\.csv
// RUN: cd %t && lockstep omniperf profile -n copy --gpu rx7900xtx -- %s
// EXIT: 2
// ERR: is none of the GPUs that omniperf knows
// RUN: cd %t && printf 'pmc: SQ_NONSENSE\n' > in.txt && lockstep rocprof -i in.txt %s
// EXIT: 2
// ERR: ^lockstep: rocprof: no metric 'SQ_NONSENSE'
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__global__ void copy(double* a, double* b, double* c, int n, int stride) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) c[id] = a[id];
}

int main() {
    const int n = 1 << 20;
    double *a, *c;
    std::vector<double> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    hipMalloc(&a, n * sizeof(double));
    hipMalloc(&c, n * sizeof(double));
    hipMemcpy(a, in.data(), n * sizeof(double), hipMemcpyHostToDevice);
    for (int i = 0; i < 2; ++i) copy<<<n / 256, 256>>>(a, a, c, n, 1);
    hipMemcpy(out.data(), c, n * sizeof(double), hipMemcpyDeviceToHost);
    printf(in == out ? "copied\n" : "wrong\n");
}
