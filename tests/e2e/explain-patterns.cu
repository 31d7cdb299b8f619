// The pattern of accesses that are not coalesced is told, each with advice of its own.
// RUN: lockstep explain -o %t/run.lockstep %s
// RUN: lockstep explain --from %t/run.lockstep --kernels fields
// OUT: - stride: each lane is 20 bytes after its neighbour, at 2 places: fields of an array of$
// OUT: > Make a structure of arrays
// RUN: lockstep explain --from %t/run.lockstep --kernels transposed
// OUT: - transposed: each lane is 4096 bytes after its neighbour, a row of its own$
// OUT: > Let threadIdx\.x run along the rows
// RUN: lockstep explain --from %t/run.lockstep --kernels narrow
// OUT: - narrow rows: 4 lanes lie side by side, the next ones 4096 bytes further$
// OUT: > Make the block wider
// RUN: lockstep explain --from %t/run.lockstep --kernels gathered
// OUT: - random: no step between the lanes' addresses
// OUT: > Sort or group the work
// RUN: lockstep explain --from %t/run.lockstep --expect 'plain: no uncoalesced' --expect 'fields: no repeated-loads' --expect 'transposed: no repeated-loads' --expect 'offset: no uncoalesced above 30 %%' --expect 'fields: no finding above 99 %%'
// RUN: lockstep explain --from %t/run.lockstep --expect 'elds: no finding above 99 %%'
// EXIT: 1
// ERR: no kernel matches it
#include <cstdio>

struct Particle {
    float x, y, z, mass, charge;
};
constexpr int width = 1024;

__global__ void fields(const Particle* p, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].x * p[i].charge;
}
__global__ void transposed(const float* in, float* out) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
    out[column * width + row] = in[row * width + column];
}
__global__ void narrow(const float* in, float* out) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * width + column] = in[row * width + column];
}
__global__ void gathered(const unsigned* index, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}
__global__ void offset(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
}
__global__ void plain(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void number(unsigned* index) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    index[i] = i * 2654435761u % (width * width);
}

int main() {
    const int n = width * width;
    float *in, *out;
    unsigned* index;
    cudaMalloc(&in, (n + 1) * sizeof(Particle));
    cudaMalloc(&out, n * sizeof *out);
    cudaMalloc(&index, n * sizeof *index);
    cudaMemset(in, 0, (n + 1) * sizeof(Particle));
    number<<<n / 256, 256>>>(index);
    fields<<<n / 256, 256>>>(reinterpret_cast<Particle*>(in), out);
    transposed<<<dim3(width / 256, width), 256>>>(in, out);
    narrow<<<dim3(width / 4, width / 64), dim3(4, 64)>>>(in, out);
    gathered<<<n / 256, 256>>>(index, in, out);
    offset<<<n / 256, 256>>>(in, out);
    plain<<<n / 256, 256>>>(in, out);
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
