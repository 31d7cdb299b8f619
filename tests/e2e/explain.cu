// What explain says of kernels that each have one fault, beside their twins that lack it: the finding is there at its
// line, and the time that is imagined without the fault is the twin's, as an H200 took with nvcc's code (4.8, 14.0, 6.1
// and 4.3 us).
// RUN: lockstep explain -o %t/run.lockstep --json %t/findings.json %s
// OUT: ^ +(99|100) %%  Atomics of many lanes meet at one address \[atomics\]$
// OUT: ^ +9[0-9] %%  Lanes meet at the same banks of shared memory \[bank-conflicts\]$
// OUT: ^ +[4-7][0-9] %%  Integer division or remainder, .* \[division\]$
// OUT: ^ +explain\.cu:[0-9]+: if \(threadIdx\.x %% \(2 \* s\) == 0\)
// OUT: ^strided\(const Particle \*, float \*\): [0-9.]+us, [0-9]+ %% of all kernels$
// OUT: ^ +5[0-9] %%  Lanes of a warp access memory that is not side by side \[uncoalesced\]$
// OUT: ^ +explain\.cu:[0-9]+: out\[i\] = in\[i\]\.x;$
// OUT: - 18\.0 sectors of 32 bytes a request, where 4\.0 would hold
// RUN: lockstep profile --from %t/run.lockstep --metrics what-if --expect 'strided: lockstep__time_without_scattered_accesses == 4770 +- 480' --expect 'conflicting: lockstep__time_without_bank_conflicts == 14020 +- 1400' --expect 'remainders: lockstep__time_without_integer_division == 6140 +- 610' --expect 'crowded: lockstep__time_without_atomic_contention == 4290 +- 430'
// RUN: lockstep explain --from %t/run.lockstep --expect 'strided: no bank-conflicts' --expect 'packed: no uncoalesced' --expect 'padded: no bank-conflicts' --expect 'masked: no division' --expect 'spread: no atomics'
// RUN: lockstep explain --from %t/run.lockstep --expect 'strided: no uncoalesced above 10 %%'
// EXIT: 1
// ERR: expectation 'strided: no uncoalesced above 10 %%' does not hold: strided\(.*\): uncoalesced \(.*\) costs [0-9.]+ %%
// RUN: lockstep explain --from %t/run.lockstep --expect 'no such-thing'
// EXIT: 2
// ERR: there is no finding 'such-thing'; there are atomics, bank-conflicts
// RUN: lockstep explain --from %t/run.lockstep --expect 'nobody: no finding'
// EXIT: 1
// ERR: no kernel matches it
#include <cstdio>

struct Particle {
    float x, y, z, w, rest[4];
};

__global__ void strided(const Particle* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
}
__global__ void packed(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// Each thread adds up a column of a tile of its block, whose rows are `width` floats.
template <int width>
__device__ void columns(float* out) {
    __shared__ float tile[32 * width];
    for (int row = 0; row < 32; ++row) tile[row * width + threadIdx.x] = row;
    __syncthreads();
    float sum = 0;
    for (int turn = 0; turn < 16; ++turn)
        for (int column = 0; column < 32; ++column) sum += tile[threadIdx.x * width + (column ^ turn)];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
__global__ void conflicting(float* out) { columns<32>(out); }
__global__ void padded(float* out) { columns<33>(out); }

__global__ void remainders(int* out) {
    __shared__ int values[256];
    values[threadIdx.x] = 1;
    for (int s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * s) == 0) values[threadIdx.x] += values[threadIdx.x + s];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}
__global__ void masked(int* out) {
    __shared__ int values[256];
    values[threadIdx.x] = 1;
    for (int s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        if ((threadIdx.x & (2 * s - 1)) == 0) values[threadIdx.x] += values[threadIdx.x + s];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

__global__ void crowded(float* out) { atomicAdd(out, 1.0f); }
__global__ void spread(float* out) { atomicAdd(out + blockIdx.x * blockDim.x + threadIdx.x, 1.0f); }

int main() {
    const int threads = 256, blocks = 4096, n = threads * blocks;
    Particle* particles;
    float* out;
    cudaMalloc(&particles, n * sizeof *particles);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(particles, 0, n * sizeof *particles);
    cudaMemset(out, 0, n * sizeof *out);
    strided<<<blocks, threads>>>(particles, out);
    packed<<<blocks, threads>>>(&particles->x, out);
    conflicting<<<blocks, 32>>>(out);
    padded<<<blocks, 32>>>(out);
    remainders<<<blocks, threads>>>(reinterpret_cast<int*>(out));
    masked<<<blocks, threads>>>(reinterpret_cast<int*>(out));
    crowded<<<blocks, threads>>>(out);
    spread<<<blocks, threads>>>(out);
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
