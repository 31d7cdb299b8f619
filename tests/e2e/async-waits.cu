// A wait for a group of asynchronous copies takes as long as they take to come, from device memory here; one
// that leaves groups under way does not wait for these.
// RUN: lockstep profile --gpu h200 --expect 'at_once: time >= 8us' --expect 'later: time <= 5us' %s
// OUT: ^1536 1536$
#include <cstdio>

template <int Pending>
__device__ void walk(const char* from, int* out) {
    __shared__ alignas(16) char tile[8][128 * 16];
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 16; ++i) {
        const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[i % 8][threadIdx.x * 16]));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                     "l"(from + threadIdx.x * 4096 + i * 128)
                     : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int i = 0; i < 8; ++i) sum += tile[i][threadIdx.x * 16];
    atomicAdd(out, sum);
}
__global__ void at_once(const char* from, int* out) { walk<0>(from, out); }
__global__ void later(const char* from, int* out) { walk<6>(from, out); }

int main() {
    char* from;
    int* out;
    cudaMalloc(&from, 128 * 4096);
    cudaMallocManaged(&out, 8);
    cudaMemset(from, 0, 128 * 4096);
    for (int i = 0; i < 16; ++i) cudaMemset2D(from + i * 128, 4096, i % 8 < 4 ? 2 : 1, 16, 128);
    at_once<<<1, 128>>>(from, out);
    later<<<1, 128>>>(from, out + 1);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", out[0], out[1]);
}
