// nvprof's times: what the GPU did and which calls were made, as a summary, as traces and as CSV; and the part of a
// program between cudaProfilerStart and cudaProfilerStop.
//
// RUN: cd %t && lockstep nvcc %s -o app && lockstep nvprof -o kept.lockstep ./app
// OUT: ^times ok$
// ERR: ^==[0-9]+== NVPROF is profiling process [0-9]+, command: \./app$
// ERR: ^==[0-9]+== Profiling application: \./app$
// ERR: ^==[0-9]+== Profiling result:$
// ERR: ^            Type  Time\(%%\)      Time     Calls       Avg       Min       Max  Name$
// ERR: ^ GPU activities: +[0-9.]+%%( +[0-9.]+[nu]s) +[12]( +[0-9.]+[nu]s){3}  
// ERR: ^      API calls: +[0-9.]+%%( +[0-9.]+[num]*s) +[0-9]+( +[0-9.]+[num]*s){3}  cuda[A-Z]
// ERR: ^ +[0-9.]+%% .*  cudaLaunchKernel$
// ERR: ^ +- +- +2 +- +- +-  cudaMalloc$
// ERR: ^==[0-9]+== times are predicted for NVIDIA H200 \(h200; .*\)$
// ERR: ^==[0-9]+== calls that lockstep gives no time: .*cudaMalloc
//
// All kinds of work are there, whichever takes longest.
// RUN: cd %t && lockstep nvprof -i kept.lockstep --print-gpu-summary --csv 2> sum.csv; head -3 sum.csv; sed -n 's/^"GPU activities",[0-9.]*,[0-9.]*,\([0-9]*\),.*,\("[^"]*"\)$/\2 \1/p' sum.csv | LC_ALL=C sort; grep API sum.csv
// EXIT: 1
// OUT: ^======== Profiling result:$
// OUT: ^"Type","Time\(%%\)","Time","Calls","Avg","Min","Max","Name"$
// OUT: ^,%%,ms,,ms,ms,ms,$
// OUT: ^"\[CUDA memcpy DtoD\]" 1$
// OUT: ^"\[CUDA memcpy DtoH\]" 1$
// OUT: ^"\[CUDA memcpy HtoD\]" 2$
// OUT: ^"\[CUDA memset\]" 1$
// OUT: ^"scale\(float const \*, float\*, int\)" 2$
// NOT: times ok
// NOT: API calls
//
// RUN: cd %t && lockstep nvprof --import-profile kept.lockstep --print-gpu-trace
// ERR: ^   Start  Duration            Grid Size      Block Size     Regs\*    SSMem\*    DSMem\*      Size  Throughput  SrcMemType  DstMemType           Device   Context    Stream  Name$
// ERR: ^ *[0-9.]+[num]*s  [0-9.]+us                    -               -         -         -         -  64\.000KB  [0-9.]+[MG]B/s    Pageable      Device  NVIDIA H200 \(0\)         1         7  \[CUDA memcpy HtoD\]$
// ERR: ^ *[0-9.]+[num]*s .* 64\.000KB  [0-9.]+[MG]B/s      Device           -  NVIDIA H200 \(0\)         1         7  \[CUDA memset\]$
// ERR: ^ *[0-9.]+[num]*s +[0-9.]+[nu]s             \(64 1 1\)       \(256 1 1\) +[1-9][0-9]*        0B        0B         -           -           -           -  NVIDIA H200 \(0\)         1         7  scale\(float const \*, float\*, int\) \[[0-9]+\]$
// ERR: 64\.000KB  [0-9.]+[MG]B/s      Pinned      Device  NVIDIA H200 \(0\)         1        13  \[CUDA memcpy HtoD\]$
// ERR: \(64 1 1\)       \(256 1 1\) +[1-9][0-9]*        0B      512B         - .* 1        13  scale\(
// ERR: Device    Pageable  NVIDIA H200 \(0\)         1         7  \[CUDA memcpy DtoH\]$
// ERR: ^SrcMemType, DstMemType: 
//
// In the order of their begin, and the launch is the call that its kernel names.
// RUN: cd %t && lockstep nvprof -i kept.lockstep --print-api-trace --csv -u us 2> api.csv; lockstep nvprof -i kept.lockstep --print-gpu-trace --csv -q 2> gpu.csv; grep -E '^[0-9]' api.csv | sort -t, -k1,1n -s -c && echo sorted; number=$(grep scale gpu.csv | head -1 | sed 's/.*,//'); grep "\"cudaLaunchKernel\",$number\$" api.csv; head -3 api.csv; head -2 gpu.csv
// OUT: ^sorted$
// OUT: ^[0-9.]+,[1-9][0-9.]*,"cudaLaunchKernel",[0-9]+$
// OUT: ^======== Profiling result:$
// OUT: ^"Start","Duration","Name","Correlation_ID"$
// OUT: ^us,us,,$
// OUT: ^"Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem","Dynamic SMem","Size","Throughput","SrcMemType","DstMemType","Device","Context","Stream","Name","Correlation_ID"$
// OUT: ^ms,ms,,,,,,,,B,B,KB,GB/s,,,,,,,$
//
// RUN: cd %t && lockstep nvprof --profile-from-start off --print-gpu-trace --print-api-trace ./app
// OUT: ^times ok$
// ERR: ^ *[0-9.]+[num]*s +[0-9.]+[nu]s +- .* -         -         -  cudaMemcpyAsync$
// ERR: Pinned      Device .* 13  \[CUDA memcpy HtoD\]$
// ERR: \(64 1 1\) .* 13  scale\(
// NOT: CUDA memset
// NOT: cudaMalloc$
//
// What is left out of metrics is in the times all the same, and a program without kernels has times, too.
// RUN: cd %t && lockstep nvprof --profile-from-start off --events warps_launched,inst_executed ./app && lockstep profile --profile-from-start off --metrics warps_launched ./app
// ERR: ^Invocations                                Event Name         Min         Max         Avg       Total$
// ERR: ^          1                            warps_launched         512         512         512         512$
// OUT: ^== lockstep == not profiled, as was asked for: 1 launch of scale\(const float \*, float \*, int\)$
// RUN: cd %t && lockstep nvprof ./app none
// OUT: ^times ok$
// ERR: \[CUDA memset\]$
// ERR: cudaMemset$
// NOT: nothing to show
// RUN: cd %t && lockstep nvprof --events branch ./app none
// EXIT: 1
// ERR: no kernel was launched
// ERR: ^No events/metrics were profiled\.$
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scale(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main(int argc, char**) {
    constexpr int n = 16384, bytes = n * sizeof(float);
    static float pageable[n];
    float *pinned, *in, *out;
    cudaMallocHost(&pinned, bytes);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpy(in, pageable, bytes, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, bytes);
    if (argc == 1) {
        scale<<<64, 256>>>(in, out, n);
        cudaDeviceSynchronize();
        cudaProfilerStart();
        cudaMemcpyAsync(in, pinned, bytes, cudaMemcpyHostToDevice, stream);
        scale<<<64, 256, 512, stream>>>(in, out, n);
        cudaStreamSynchronize(stream);
        cudaProfilerStop();
        cudaProfilerStart();
        cudaMemcpy(out, in, bytes, cudaMemcpyDeviceToDevice);
        cudaMemcpy(pageable, out, bytes, cudaMemcpyDeviceToHost);
    }
    puts(cudaDeviceSynchronize() == cudaSuccess ? "times ok" : "failed");
}
