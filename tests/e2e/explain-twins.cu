// More kernels with one fault each, beside twins that lack it. The finding is at its line, what is imagined without the
// fault takes the twin's time, and twins and near misses have no such finding.
// RUN: lockstep explain -o %t/run.lockstep %s
// RUN: lockstep explain --from %t/run.lockstep --kernels '^by_lane\('
// OUT: ^ +6[0-9] %%  Lanes of one warp go different ways, one after the other \[divergence\]$
// OUT: ^ +explain-twins\.cu:[0-9]+: switch \(way\) \{$
// RUN: lockstep explain --from %t/run.lockstep --kernels '^constants_apart\('
// OUT: ^ +9[0-9] %%  Lanes read different constants, one after the other \[constant-serialisation\]$
// OUT: ^ +explain-twins\.cu:[0-9]+: sum \+= table\[
// RUN: lockstep explain --from %t/run.lockstep --kernels '^local_array\('
// OUT: ^ +[5-9][0-9] %%  Registers or arrays are kept in local memory \[spills\]$
// OUT: ^ +explain-twins\.cu:[0-9]+: kept\[index\[
// RUN: lockstep explain --from %t/run.lockstep --kernels '^library_doubles\('
// OUT: Double precision, or conversions to and from it \[double-precision\]$
// OUT: ^ +explain-twins\.cu:[0-9]+: for \(int i = 0; i < turns; \+\+i\) x = pow\(x, 1\.01\);$
// OUT: 9[0-9] %% of the instructions that warps execute are of double precision
// RUN: lockstep explain --from %t/run.lockstep --kernels '^halved_tree\('
// OUT: Note:  Warps come to this condition
// RUN: lockstep explain --from %t/run.lockstep --kernels '^(smoothed|even_steps|by_warp)\('
// NOT: idle-warps
// RUN: lockstep profile --from %t/run.lockstep --metrics what-if --expect 'by_lane: lockstep__time_without_divergence == 9380 +- 940' --expect 'one_more_block: lockstep__time_without_uneven_blocks == 12400 +- 620' --expect 'few_blocks: lockstep__time_without_idle_sms == 10340 +- 1034' --expect 'sums_of_neighbours: lockstep__time_without_repeated_loads == 12820 +- 1900' --expect 'double_constants: lockstep__time_without_double_precision == 6590 +- 660' --expect 'constants_apart: lockstep__time_without_constant_serialisation == 12200 +- 1220'
// RUN: lockstep profile --from %t/run.lockstep --metrics gpu__time_duration.sum --expect 'by_warp: gpu__time_duration.sum == 9380 +- 550' --expect 'whole_waves: gpu__time_duration.sum == 12390 +- 620' --expect 'more_blocks: gpu__time_duration.sum == 10340 +- 520' --expect 'smoothed: gpu__time_duration.sum == 12820 +- 640' --expect 'float_constants: gpu__time_duration.sum == 6590 +- 330' --expect 'shared_table: gpu__time_duration.sum == 12060 +- 1210'
// RUN: lockstep explain --from %t/run.lockstep --expect 'by_warp: no divergence' --expect 'selected: no divergence' --expect 'whole_waves: no partial-wave' --expect 'more_blocks: no small-grid' --expect 'smoothed: no repeated-loads' --expect 'float_constants: no double-precision' --expect 'shared_table: no constant-serialisation' --expect 'constants_together: no constant-serialisation' --expect 'by_eight: no division' --expect 'even_steps: no uneven-warps' --expect 'double_constants: no special-functions'
// RUN: lockstep explain --from %t/run.lockstep --expect 'rounded: no float-division'
// EXIT: 1
// ERR: rounded\(.*\): float-division \(Division of floats, rounded as IEEE asks for\) costs
// RUN: lockstep explain --from %t/run.lockstep --expect 'one_warp_works: no uneven-warps above 30 %%'
// EXIT: 1
// ERR: one_warp_works\(.*\): uneven-warps
// RUN: lockstep explain --from %t/run.lockstep --expect 'single_threads: no block-rate above 50 %%'
// EXIT: 1
// ERR: single_threads\(.*\): block-rate
// RUN: lockstep explain --from %t/run.lockstep --kernels '^by_lane\(' --json -
// OUT: ^  "kernels": \[$
// OUT: ^      "findings": \[$
// OUT: ^          "advice": ".+",$
// OUT: ^          "cost": 0\.6[0-9]+,$
// OUT: ^          "cost_from": "the model, if lanes that part .*",$
// OUT: ^          "evidence": \{$
// OUT: ^            "active_lanes": [0-9.]+,$
// OUT: ^          "gain": 0\.6[0-9]+,$
// OUT: ^          "id": "divergence",$
// OUT: ^          "places": \[$
// OUT: ^              "file": ".*explain-twins\.cu",$
// OUT: ^              "line": [0-9]+,$
// OUT: ^          "title": "Lanes of one warp go different ways, one after the other"$
// OUT: ^      "kernel": "by_lane\(float \*, int\)",$
// RUN: lockstep explain --from %t/run.lockstep --expect 'no finding above 100 %%'
// RUN: lockstep explain --from %t/run.lockstep --expect 'no finding above ten %%'
// EXIT: 2
// ERR: expectation 'no finding above ten %%': it should be like 'no finding above 10 %%'
#include <cstdio>

__device__ void take(float* out, int way, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
    switch (way) {
        case 0:
            for (int t = 0; t < turns; ++t) x = x * 1.1f + 2;
            break;
        case 1:
            for (int t = 0; t < turns; ++t) x = x * x - 3;
            break;
        case 2:
            for (int t = 0; t < turns; ++t) x = x * 0.5f + x * x;
            break;
        default:
            for (int t = 0; t < turns; ++t) x = (x + 1) * (x - 1);
    }
    out[i] = x;
}
__global__ void by_lane(float* out, int turns) { take(out, threadIdx.x & 3, turns); }
__global__ void by_warp(float* out, int turns) { take(out, threadIdx.x >> 5 & 3, turns); }
__global__ void selected(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    if (i & 1)
        x = x * 2;
    else
        x = x + 3;
    out[i] = x;
}

__device__ void work(float* out, int turns) {
    float x = threadIdx.x;
    for (int t = 0; t < turns; ++t) x = x * 1.01f + 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void one_more_block(float* out, int turns) { work(out, turns); }
__global__ void whole_waves(float* out, int turns) { work(out, turns); }
__global__ void few_blocks(float* out, int turns) { work(out, turns); }
__global__ void more_blocks(float* out, int turns) { work(out, turns); }
__global__ void single_threads(float* out) { out[blockIdx.x] = blockIdx.x; }

__global__ void sums_of_neighbours(const float* in, float* out, int radius) {
    const int i = blockIdx.x * 256 + threadIdx.x + 64;
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += in[i + k];
    out[i] = sum;
}
__global__ void smoothed(const float* in, float* out, int radius) {
    __shared__ float tile[384];
    const int first = blockIdx.x * 256;
    for (int k = threadIdx.x; k < 384; k += 256) tile[k] = in[first + k];
    __syncthreads();
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += tile[threadIdx.x + 64 + k];
    out[first + 64 + threadIdx.x] = sum;
}

__global__ void double_constants(float* out, int turns) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float x = i;
    for (int t = 0; t < turns; ++t) x = x * 1.0001 + 0.5;
    out[i] = x;
}
__global__ void float_constants(float* out, int turns) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float x = i;
    for (int t = 0; t < turns; ++t) x = x * 1.0001f + 0.5f;
    out[i] = x;
}
__global__ void library_doubles(double* out, int turns) {
    double x = threadIdx.x + 1;
    for (int i = 0; i < turns; ++i) x = pow(x, 1.01);
    out[blockIdx.x * 256 + threadIdx.x] = x;
}
__global__ void rounded(float* out, float by, int turns) {
    float x = threadIdx.x;
    for (int t = 0; t < turns; ++t) x += t / (by + x);
    out[blockIdx.x * 256 + threadIdx.x] = x;
}
__global__ void by_eight(unsigned* out, int turns) {
    unsigned x = threadIdx.x;
    for (int t = 0; t < turns; ++t) x += (x + t) / 8u + (x + t) % 8u;
    out[blockIdx.x * 256 + threadIdx.x] = x;
}

__constant__ float table[1024];
__global__ void constants_apart(float* out, int turns) {
    float sum = 0;
    for (int t = 0; t < turns; ++t)
        sum += table[(threadIdx.x * 5 + t) & 1023];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void constants_together(float* out, int turns) {
    float sum = 0;
    for (int t = 0; t < turns; ++t) sum += table[t & 1023] * threadIdx.x;
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void shared_table(const float* from, float* out, int turns) {
    __shared__ float here[1024];
    for (int k = threadIdx.x; k < 1024; k += 256) here[k] = from[k];
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < turns; ++t) sum += here[(threadIdx.x * 5 + t) & 1023];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void local_array(const int* index, float* out, int turns) {
    float kept[32];
    for (int k = 0; k < 32; ++k) kept[k] = k + threadIdx.x;
    for (int t = 0; t < turns; ++t)
        kept[index[t] & 31] += kept[(index[t] * 7) & 31];
    out[blockIdx.x * 256 + threadIdx.x] = kept[turns & 31];
}

__global__ void halved_tree(const float* in, float* out) {
    __shared__ float sums[1024];
    sums[threadIdx.x] = in[blockIdx.x * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 512; k > 0; k >>= 1) {
        if (threadIdx.x < k) sums[threadIdx.x] += sums[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
__global__ void one_warp_works(float* out, int turns) {
    __shared__ float sums[256];
    float x = threadIdx.x;
    for (int t = 0; t < 8; ++t) {
        if (threadIdx.x < 32)
            for (int k = 0; k < turns; ++k) sums[(threadIdx.x + k * 32) & 255] += x * k;
        __syncthreads();
        x += sums[threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = x;
}
__global__ void even_steps(float* out, int turns) {
    __shared__ float sums[256];
    float x = threadIdx.x;
    for (int t = 0; t < 4; ++t) {
        for (int k = 0; k < turns; ++k) x = x * 1.01f + 1;
        sums[threadIdx.x] = x;
        __syncthreads();
        x += sums[(threadIdx.x + 32) & 255];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = x;
}

int main() {
    const int n = 1 << 20;
    float *in, *out;
    cudaMalloc(&in, 4 * n + 1024);
    cudaMalloc(&out, 4 * n + 1024);
    cudaMemset(in, 0, 4 * n + 1024);
    by_lane<<<n / 256, 256>>>(out, 100);
    by_warp<<<n / 256, 256>>>(out, 100);
    selected<<<n / 256, 256>>>(in, out);
    one_more_block<<<132 * 8 + 1, 256>>>(out, 1000);
    whole_waves<<<132 * 8, 256>>>(out, 1000);
    few_blocks<<<16, 1024>>>(out, 4000);
    more_blocks<<<132, 124>>>(out, 4000);
    single_threads<<<1 << 17, 1>>>(out);
    sums_of_neighbours<<<n / 256 - 1, 256>>>(in, out, 32);
    smoothed<<<n / 256 - 1, 256>>>(in, out, 32);
    double_constants<<<n / 256, 256>>>(out, 100);
    float_constants<<<n / 256, 256>>>(out, 100);
    library_doubles<<<n / 1024, 256>>>(reinterpret_cast<double*>(out), 10);
    rounded<<<n / 256, 256>>>(out, 3, 50);
    by_eight<<<n / 256, 256>>>(reinterpret_cast<unsigned*>(out), 20);
    constants_apart<<<n / 256, 256>>>(out, 40);
    constants_together<<<n / 256, 256>>>(out, 40);
    shared_table<<<n / 256, 256>>>(in, out, 40);
    local_array<<<n / 256, 256>>>(reinterpret_cast<int*>(in), out, 20);
    halved_tree<<<1024, 1024>>>(in, out);
    one_warp_works<<<1056, 256>>>(out, 256);
    even_steps<<<1056, 256>>>(out, 200);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
