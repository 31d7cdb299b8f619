// What explain says of AMD's kernels that each have one fault, beside their twins that lack it: the finding is there at
// its line, and what is imagined without the fault takes as long as the twin does.
// RUN: lockstep explain -o %t/run.lockstep --most 30 %s
// OUT: ^ +[67][0-9] %%  Lanes of a wavefront access memory that is not side by side \[uncoalesced\]$
// OUT: - stride: each lane is 32 bytes after its neighbour
// OUT: - 18\.0 lines of 64 bytes a request, where 4\.0 would hold what the lanes ask for
// OUT: - [0-9]+ blocks for 120 compute units
// RUN: lockstep explain --from %t/run.lockstep --kernels conflicting
// OUT: ^ +[5-9][0-9] %%  Lanes meet at the same banks of the LDS \[bank-conflicts\]$
// OUT: ^ +explain-hip\.hip:[0-9]+: .*sum \+= tile
// RUN: lockstep explain --from %t/run.lockstep --kernels chased
// OUT: Too little is under way to hide the memory's latency \[latency\]$
// OUT: - 1\.0 wavefronts of a compute unit are there to hide it, of 40 places
// RUN: lockstep explain --from %t/run.lockstep --kernels crowded
// OUT: A compute unit holds fewer wavefronts than it has room for \[occupancy\]$
// OUT: - the LDS's bytes allow 2 blocks a compute unit, its places for wavefronts 40$
// RUN: lockstep profile --from %t/run.lockstep --metrics what-if --expect 'strided: lockstep__time_without_scattered_accesses == 11065 +- 600' --expect 'conflicting: lockstep__time_without_bank_conflicts == 126800 +- 6000' --expect 'parted: lockstep__time_without_divergence == 22150 +- 1100' --expect 'doubles: lockstep__time_without_double_precision == 31240 +- 1500' --expect 'packed: time == 11065 +- 600' --expect 'padded: time == 126800 +- 6000' --expect 'whole: time == 22150 +- 1100' --expect 'floats: time == 31240 +- 1500'
// RUN: lockstep explain --from %t/run.lockstep --expect 'strided: no bank-conflicts' --expect 'packed: no uncoalesced' --expect 'padded: no bank-conflicts' --expect 'parted: no uncoalesced' --expect 'whole: no divergence' --expect 'floats: no double-precision' --expect 'floats: no special-functions' --expect 'named: no flat-lds' --expect 'registers: no spills' --expect 'roomy: no occupancy' --expect 'small: no spills' --expect 'first_lane: no divergence'
// RUN: lockstep explain --from %t/run.lockstep --expect 'parted: no divergence above 40 %%' --expect 'doubles: no double-precision above 40 %%' --expect 'roots: no special-functions above 40 %%' --expect 'flat: no flat-lds above 5 %%' --expect 'arrays: no spills above 10 %%' --expect 'odd: no block-size above 20 %%' --expect 'small: no small-grid above 80 %%'
// EXIT: 1
// ERR: parted\(.*\): divergence
// ERR: doubles\(.*\): double-precision
// ERR: roots\(.*\): special-functions
// ERR: flat\(.*\): flat-lds
// ERR: arrays\(.*\): spills
// ERR: odd\(.*\): block-size
// ERR: small\(.*\): small-grid
#include <hip/hip_runtime.h>

#include <cstdio>

struct Particle {
    float x, y, z, w, rest[4];
};

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void strided(const Particle* in, float* out) { out[index()] = in[index()].x; }
__global__ void packed(const float* in, float* out) { out[index()] = in[index()]; }
__global__ void odd(const float* in, float* out) { out[index()] = in[index()]; }
__global__ void small(const float* in, float* out) {
    float sum = 0;
    for (int i = 0; i < 1000; ++i) sum += in[index() + i * 64];
    out[index()] = sum;
}

template <int width>
__device__ void columns(float* out) {
    __shared__ float tile[64 * width];
    for (int row = 0; row < 64; ++row) tile[row * width + threadIdx.x] = row;
    __syncthreads();
    float sum = 0;
    for (int turn = 0; turn < 16; ++turn)
        for (int column = 0; column < 64; ++column)
            sum += tile[threadIdx.x * width + (column ^ turn)];
    out[index()] = sum;
}
__global__ void conflicting(float* out) { columns<64>(out); }
__global__ void padded(float* out) { columns<65>(out); }

__device__ float work(float x, float k) {
    for (int i = 0; i < 200; ++i) x = x * k + 1.0f;
    return x;
}
__global__ void parted(float* out) {
    const float v = index();
    out[index()] = threadIdx.x % 2 ? work(v, 0.5f) : work(v, 0.25f) - 3;
}
__global__ void whole(float* out) {
    const float v = index();
    out[index()] = threadIdx.x / warpSize % 2 ? work(v, 0.5f) : work(v, 0.25f) - 3;
}
// Nobody could do one lane's work with fewer wavefronts.
__global__ void first_lane(float* out) {
    if (threadIdx.x == 0) out[blockIdx.x] = work(blockIdx.x, 0.5f);
}

__global__ void doubles(double* out) {
    double v = index();
    for (int k = 0; k < 300; ++k) v = v * 1.0001 + 0.5;
    out[index()] = v;
}
__global__ void floats(float* out) {
    float v = index();
    for (int k = 0; k < 300; ++k) v = v * 1.0001f + 0.5f;
    out[index()] = v;
}
__global__ void roots(float* out) {
    float v = index();
    for (int k = 0; k < 300; ++k) v = __frsqrt_rn(v) + 1.5f;
    out[index()] = v;
}

__global__ void chased(const int* next, int* out, int steps) {
    int at = index();
    for (int i = 0; i < steps; ++i) at = (next[at] + at + 4099) & ((1 << 20) - 1);
    out[index()] = at;
}

// A pointer that may be one to either memory.
__global__ void flat(const float* in, float* out, int which) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const float* from = which ? tile : in;
    int at = threadIdx.x;
    for (int k = 0; k < 200; ++k) at = (at + 1 + static_cast<int>(from[at])) & 63;
    out[index()] = at;
}
__global__ void named(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int at = threadIdx.x;
    for (int k = 0; k < 200; ++k) at = (at + 1 + static_cast<int>(tile[at])) & 63;
    out[index()] = at;
}

// An array whose index the compiler does not know, and one whose indices it does.
__global__ void arrays(const int* in, int* out) {
    int own[64];
    for (int k = 0; k < 64; ++k) own[k] = in[(threadIdx.x + 64 * k) & 4095];
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += own[(k + sum) & 63];
    out[index()] = sum;
}
__global__ void registers(const int* in, int* out) {
    int own[16], sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) own[k] = in[(threadIdx.x + 64 * k) & 4095];
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += own[15 - k];
    out[index()] = sum;
}

template <int words>
__device__ void waits(const int* in, int* out) {
    __shared__ int buffer[words];
    buffer[threadIdx.x] = 0;
    int at = threadIdx.x;
    for (int i = 0; i < 50; ++i) at = in[at] + buffer[at & 63];
    out[index()] = at;
}
__global__ void crowded(const int* in, int* out) { waits<8192>(in, out); }
__global__ void roomy(const int* in, int* out) { waits<64>(in, out); }

int main() {
    const int threads = 256, n = 1 << 20, blocks = n / threads;
    void *in, *out;
    hipMalloc(&in, n * sizeof(Particle));
    hipMalloc(&out, n * sizeof(double));
    hipMemset(in, 0, n * sizeof(Particle));
    const auto floats_in = static_cast<float*>(in);
    const auto ints_in = static_cast<int*>(in);
    const auto floats_out = static_cast<float*>(out);
    const auto ints_out = static_cast<int*>(out);
    strided<<<blocks, threads>>>(static_cast<Particle*>(in), floats_out);
    packed<<<blocks, threads>>>(floats_in, floats_out);
    odd<<<blocks, 72>>>(floats_in, floats_out);
    small<<<10, 64>>>(floats_in, floats_out);
    conflicting<<<1200, 64>>>(floats_out);
    padded<<<1200, 64>>>(floats_out);
    parted<<<blocks, threads>>>(floats_out);
    whole<<<blocks, threads>>>(floats_out);
    first_lane<<<blocks, threads>>>(floats_out);
    doubles<<<blocks, threads>>>(static_cast<double*>(out));
    floats<<<blocks, threads>>>(floats_out);
    roots<<<blocks, threads>>>(floats_out);
    chased<<<120, 64>>>(ints_in, ints_out, 1000);
    flat<<<480, 64>>>(floats_in, floats_out, 1);
    named<<<480, 64>>>(floats_in, floats_out);
    arrays<<<1200, threads>>>(ints_in, ints_out);
    registers<<<1200, threads>>>(ints_in, ints_out);
    crowded<<<2400, 64>>>(ints_in, ints_out);
    roomy<<<2400, 64>>>(ints_in, ints_out);
    std::printf("%s\n", hipGetErrorString(hipDeviceSynchronize()));
}
