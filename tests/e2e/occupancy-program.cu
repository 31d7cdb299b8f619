// What each kernel of a program takes, and its best block size. The register counts differ with and without
// ptxas, so they are given, or only looked at.
// RUN: lockstep occupancy --regs 24 %s
// OUT: 3 kernels, occupancy in percent
// OUT: ^registers: given$
// OUT: ^bounded +24 +\S+ +256 +400 +128,4 +50 +100 +100 +- +- +- +- +128$
// OUT: ^plain +24 +\S+ +0 +0 +- +50 +100 +100 +100 +100 +75 +100 +1024$
// RUN: lockstep occupancy --regs 24 --kernel dynamic --block 128 --smem 32K %s
// OUT: static shared memory +8 bytes, and a dynamic array
// OUT: ^a block of 128 threads, 24 registers a thread, 32776 bytes of shared memory$
// OUT: ^active blocks an SM +6$
// RUN: lockstep nvcc -o %t/program %s && lockstep occupancy --regs 24 --csv --block 128 %t/program
// OUT: ^"bounded\(float \*\)",24,given,.*,256,400,128,4,128,16,64,100,warps$
// RUN: lockstep occupancy --estimate --kernel plain %s
// OUT: registers a thread +[1-9][0-9]?$
// OUT: spills +0 bytes stored, 0 loaded a thread
// OUT: ^registers: estimate \(asked for\)$
// OUT: highest occupancy with 1024 threads a block
// RUN: lockstep occupancy --estimate --block 64 --json -maxrregcount=32 %s | tr -d ' \n'
// OUT: "registers_source":"estimate".*"register_bound":128.*"register_bound":32
// RUN: lockstep occupancy --block 256 %s
// EXIT: nonzero
// ERR: ^lockstep: kernel bounded\(float \*\): a block of 256 threads; its __launch_bounds__ allow 128$
// RUN: lockstep occupancy --kernel nothing %s
// EXIT: nonzero
// ERR: --kernel nothing: none of the kernels is called so: .*bounded
// RUN: lockstep occupancy --kernel '(' %s
// EXIT: nonzero
// ERR: ^lockstep: --kernel \(
// RUN: lockstep occupancy --gpu fermi --smem 48K --kernel bounded %s
// EXIT: nonzero
// ERR: kernel bounded\(float \*\): Tesla C2070: 49408 bytes of shared memory a block; the GPU's limit is 49152
__global__ void __launch_bounds__(128, 4) bounded(float* p) {
    __shared__ float tile[64];
    float mine[100];
    for (int i = 0; i < 100; ++i) mine[i] = p[i * 3];
    tile[threadIdx.x % 64] = p[threadIdx.x];
    __syncthreads();
    p[0] = tile[static_cast<int>(p[1])] + mine[static_cast<int>(p[2])];
}

__global__ void plain(float* p) { p[threadIdx.x] *= 2; }

__global__ void dynamic(double* p) {
    extern __shared__ double values[];
    __shared__ double first;
    values[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x == 0) first = p[0];
    __syncthreads();
    p[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x] + first;
}

int main() {}
