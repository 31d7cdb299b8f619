// Barriers, copies that they wait for, pipelines, latches and semaphores: of a block and of the grid, in
// shared and in global memory.
// RUN: lockstep run %s
// OUT: ^barrier 1270 270$
// OUT: ^copies 261632$
// OUT: ^two stages 3045120$
// OUT: ^four stages 3045120$
// OUT: ^roles 760704$
// OUT: ^thread 3045120$
// OUT: ^no error 10 64 0 64$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^barrier 1270 270$
// OUT: ^copies 261632$
// OUT: ^two stages 3045120$
// OUT: ^four stages 3045120$
// OUT: ^roles 760704$
// OUT: ^thread 3045120$
// OUT: ^no error 10 64 0 64$
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/barrier>
#include <cuda/std/chrono>
namespace cg = cooperative_groups;
using bar_t = cuda::barrier<cuda::thread_scope_block>;
static_assert(sizeof(bar_t) == 8, "");
__global__ void b1(int* o) {
    __shared__ bar_t bar;
    __shared__ int s[128];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    for (int r = 0; r < 4; r++) {
        s[threadIdx.x] = threadIdx.x * (r + 1);
        bar_t::arrival_token t = bar.arrive();
        bar.wait(cuda::std::move(t));
        int v = s[127 - threadIdx.x];
        bar.arrive_and_wait();
        o[threadIdx.x] += v;
    }
}
__global__ void b2(const int* in, int* o) {
    __shared__ bar_t bar;
    __shared__ __align__(16) int s[256];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    for (int r = 0; r < 2; r++) {
        cuda::memcpy_async(block, s, in + r * 256, cuda::aligned_size_t<16>(sizeof(int) * 256), bar);
        bar.arrive_and_wait();
        atomicAdd(o, s[threadIdx.x] + s[255 - threadIdx.x]);
        block.sync();
    }
}
template <int N>
__global__ void p1(const int* in, int* o, int tiles) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, N> state;
    __shared__ int s[N][128];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0, fetch = 0;
    for (int i = 0; i < tiles; i++) {
        for (; fetch < tiles && fetch < i + N; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetch % N], in + fetch * 128, sizeof(int) * 128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[i % N][127 - threadIdx.x] * (i + 1);
        pipe.consumer_release();
    }
    atomicAdd(o, sum);
}
__global__ void p2(const int* in, int* o, int tiles) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (threadIdx.x < 32) {
        for (int i = 0; i < tiles; i++) {
            pipe.producer_acquire();
            for (int j = threadIdx.x; j < 64; j += 32)
                cuda::memcpy_async(&s[i % 2][j], &in[i * 64 + j], sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < tiles; i++) {
            pipe.consumer_wait();
            sum += s[i % 2][threadIdx.x - 32] * (i + 1);
            pipe.consumer_release();
        }
        atomicAdd(o, sum);
    }
}
__global__ void p3(const int* in, int* o, int tiles) {
    __shared__ int s[3][128];
    auto pipe = cuda::make_pipeline();
    int sum = 0, fetch = 0;
    for (int i = 0; i < tiles; i++) {
        for (; fetch < tiles && fetch < i + 3; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[fetch % 3][threadIdx.x], in + fetch * 128 + threadIdx.x, sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[i % 3][threadIdx.x] * (i + 1);
        pipe.consumer_release();
    }
    atomicAdd(o, sum);
}
struct Count {
    int* n;
    __host__ __device__ void operator()() noexcept { ++*n; }
};
__global__ void misc(int* o, cuda::barrier<cuda::thread_scope_device>* gb,
                     cuda::latch<cuda::thread_scope_device>* l,
                     cuda::counting_semaphore<cuda::thread_scope_device>* sem) {
    __shared__ cuda::barrier<cuda::thread_scope_block, Count> cb;
    __shared__ int n, in;
    if (threadIdx.x == 0) {
        n = 0;
        in = 0;
        init(&cb, blockDim.x, Count{&n});
    }
    __syncthreads();
    for (int i = 0; i < 3; i++) cb.arrive_and_wait();
    if (threadIdx.x >= 16) {
        cb.arrive_and_drop();
    } else {
        cb.arrive_and_wait();
        cb.arrive_and_wait();
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&o[0], n);
    // grid-wide
    o[8 + blockIdx.x * blockDim.x + threadIdx.x] = 1;
    gb->arrive_and_wait();
    int other = o[8 + (1 - blockIdx.x) * blockDim.x + threadIdx.x];
    atomicAdd(&o[1], other);
    l->arrive_and_wait();
    sem->acquire();
    atomicAdd(&in, 1);
    if (atomicAdd(&o[2], 1) >= 0) atomicSub(&o[2], 1);
    sem->release();
    atomicAdd(&o[3], 1);
}
int main() {
    int *o, *in;
    cudaMallocManaged(&o, 4096);
    cudaMallocManaged(&in, 1 << 16);
    for (int i = 0; i < 4096; i++) in[i] = i;
    for (int i = 0; i < 1024; i++) o[i] = 0;
    b1<<<1, 128>>>(o);
    cudaDeviceSynchronize();
    printf("barrier %d %d\n", o[0], o[100]);
    for (int i = 0; i < 1024; i++) o[i] = 0;
    b2<<<1, 256>>>(in, o);
    cudaDeviceSynchronize();
    printf("copies %d\n", o[0]);
    o[0] = 0;
    p1<2><<<1, 128>>>(in, o, 8);
    cudaDeviceSynchronize();
    printf("two stages %d\n", o[0]);
    o[0] = 0;
    p1<4><<<1, 128>>>(in, o, 8);
    cudaDeviceSynchronize();
    printf("four stages %d\n", o[0]);
    o[0] = 0;
    p2<<<1, 96>>>(in, o, 8);
    cudaDeviceSynchronize();
    printf("roles %d\n", o[0]);
    o[0] = 0;
    p3<<<1, 128>>>(in, o, 8);
    cudaDeviceSynchronize();
    printf("thread %d\n", o[0]);
    o[0] = 0;
    cuda::barrier<cuda::thread_scope_device>* gb;
    cudaMallocManaged(&gb, sizeof *gb);
    init(gb, 64);
    cuda::latch<cuda::thread_scope_device>* l;
    cudaMallocManaged(&l, sizeof *l);
    new (l) cuda::latch<cuda::thread_scope_device>(64);
    cuda::counting_semaphore<cuda::thread_scope_device>* sem;
    cudaMallocManaged(&sem, sizeof *sem);
    new (sem) cuda::counting_semaphore<cuda::thread_scope_device>(2);
    misc<<<2, 32>>>(o, gb, l, sem);
    const char* how = cudaGetErrorString(cudaDeviceSynchronize());
    printf("%s %d %d %d %d\n", how, o[0], o[1], o[2], o[3]);
}
