// What is predicted stands where it belongs: warps wait at the line of the barrier, and the GPU's name has beside it how
// far its times are known to be right.
//
// RUN: lockstep profile --source %s
// OUT: ^  bound by too few blocks: .*\(predicted\)$
// OUT: ^  warps: [0-9]+ %% at barriers
// OUT: ^ +%l +[0-9]+ barrier .*__syncthreads\(\);  // HERE$
// OUT: ^    profile-time\.cu:%l: [0-9]+ %% of the warps' cycles, of which [0-9]+ %% at barriers
//
// RUN: sed -e '/^lockstep =/d' -e '/^.validated/a lockstep = "mean error 7 %%"' $LOCKSTEP_SOURCE/gpus/h200.toml > %t/mine.toml && lockstep profile --gpu %t/mine.toml -o %t/a.lockstep %s && lockstep profile --from %t/a.lockstep --json -
// ENV: LOCKSTEP_SOURCE=%S/../..
// OUT: ^== lockstep == .* on NVIDIA H200 \(.*mine.*; code of lockstep .* with clang 19.*; predictions: mean error 7 %%\): 1 kernel, 1 launch$
// OUT: "validated": "mean error 7 %%"
//
// RUN: LOCKSTEP_PROFILE=%t/own.lockstep lockstep run --set sms=8 %s && lockstep profile --from %t/own.lockstep
// OUT: ^== lockstep == .* on NVIDIA H200 with sm\.count=8 \(h200; code of lockstep .*; predictions not compared with a real one\): 1 kernel, 1 launch$
//
// Code that nobody has compared with a GPU's times is not said to be near them.
// RUN: lockstep profile -G --json - %s
// OUT: "compiler": "lockstep .* -G", "optimised": false, "validated": null
// RUN: lockstep ptx --raw %s | sed '/^\/\//d' > %t/code.ptx && lockstep profile --ptx %t/code.ptx %s
// OUT: ^== lockstep == .*; code of an unknown compiler; predictions not validated for this compiler\): 1 kernel, 1 launch$
//
// RUN: lockstep profile --metrics gpu__time_duration.sum %s -- fault
// EXIT: nonzero
// OUT: ^ +1  gpu__time_duration\.sum +Duration +n/a +n/a +n/a  predicted$
// OUT: ^== lockstep == n/a: gpu__time_duration\.sum has no value for these launches on NVIDIA H200$
// NOT: Time\(%%\)
#include <cstdio>

// The first warp works, the others wait for it.
__global__ void wait_for_one(float* out) {
    __shared__ float result;
    if (threadIdx.x < 32) {
        float x = out[threadIdx.x];
        for (int i = 0; i < 1000; ++i) x = x * 1.5f + 1;
        result = x;
    }
    __syncthreads();  // HERE
    out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

int main(int argc, char**) {
    float* out;
    cudaMalloc(&out, 8 * 256 * sizeof(float));
    cudaMemset(out, 0, 8 * 256 * sizeof(float));
    wait_for_one<<<8, 256>>>(argc > 1 ? nullptr : out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::puts("profile-time ok");
    return 0;
}
