// Barriers in shared memory: the functions of cuda_awbarrier_primitives.h, the class of cuda_awbarrier.h, and
// mbarrier's other forms.
// RUN: lockstep run %s
// OUT: ^memory barriers ok$
// RUN: lockstep run --gpu a100 %s
// OUT: ^memory barriers ok$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^memory barriers ok$
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include "support/check.h"

__global__ void rounds(int* out, int* pending) {
    __shared__ __mbarrier_t barrier;
    __shared__ int values[128];
    const int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 10; ++i) {
        values[t] = t * (i + 1);
        const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        if (i == 0) atomicAdd(&pending[__mbarrier_token_pending_count(token)], 1);
        while (!__mbarrier_test_wait(&barrier, token)) {
        }
        sum += values[(t + 33) % 128];
        __syncthreads();
    }
    out[t] = sum;
    if (t == 0) __mbarrier_inval(&barrier);
}

// Warps hand their numbers on, one after the other; each leaves the barrier when it is done.
__global__ void drops(int* out) {
    __shared__ __mbarrier_t barrier;
    __shared__ volatile int turn;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        __mbarrier_init(&barrier, blockDim.x);
        turn = 0;
    }
    __syncthreads();
    for (int i = 0; i < warp; ++i) {
        const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_test_wait(&barrier, token)) {
        }
    }
    out[threadIdx.x] = turn;
    __syncwarp();
    if (threadIdx.x % 32 == 0) turn = turn + 1;
    __syncwarp();
    __mbarrier_arrive_and_drop(&barrier);
}

// Half of the warps make what the others use.
__global__ void producers(const int* in, int* out, int rounds) {
    using nvcuda::experimental::awbarrier;
    __shared__ awbarrier full[2], empty[2];
    __shared__ int buffer[2][32];
    const int t = threadIdx.x % 32;
    const bool producer = threadIdx.x < 32;
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 64);
        init(&empty[threadIdx.x], 64);
    }
    __syncthreads();
    nvcuda::experimental::pipeline pipe;
    int sum = 0;
    if (!producer)
        for (int b = 0; b < 2; ++b) empty[b].arrive();
    for (int i = 0; i < rounds; ++i) {
        const int b = i % 2;
        if (producer) {
            empty[b].arrive_and_wait();
            memcpy_async(buffer[b][t], in[32 * i + t], pipe);
            pipe.arrive_on(full[b]);
            pipe.commit_and_wait();
            full[b].arrive();
        } else {
            full[b].wait(full[b].arrive());
            sum += buffer[b][(t + 1) % 32] * (i + 1);
            empty[b].arrive();
        }
    }
    if (!producer) out[t] = sum;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ unsigned address_of(void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void other_forms(unsigned* out) {
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x != 0) return;
    unsigned n = 0;
    auto say = [&](bool value) { out[n++] = value; };
    auto parity = [&](bool phase) { return __mbarrier_test_wait_parity(&barrier, phase); };
    const unsigned at = address_of(&barrier);
    unsigned long long state;
    __mbarrier_init(&barrier, 4);
    say(parity(false));  // the first phase is not over, the one before it is
    say(parity(true));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(state) : "r"(at) : "memory");
    out[n++] = __mbarrier_token_pending_count(state);
    say(__mbarrier_test_wait(&barrier, state));
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(at) : "memory");
    out[n++] = __mbarrier_token_pending_count(state);
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    say(__mbarrier_test_wait(&barrier, state));
    say(__mbarrier_try_wait(&barrier, state, 100));
    say(parity(false));
    say(parity(true));
    // Bytes that are awaited keep a phase open.
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 64;" : "=l"(state) : "r"(at) : "memory");
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0], 3;" ::"r"(at) : "memory");
    say(__mbarrier_test_wait(&barrier, state));
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 60;" ::"r"(at) : "memory");
    say(__mbarrier_test_wait(&barrier, state));
    asm volatile("mbarrier.complete_tx.shared::cluster.b64 [%0], 4;" ::"r"(at) : "memory");
    say(__mbarrier_test_wait(&barrier, state));
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 2;" : "=l"(state) : "r"(at) : "memory");
    out[n++] = __mbarrier_token_pending_count(state);
    state = __mbarrier_arrive(&barrier);
    say(__mbarrier_test_wait(&barrier, state));
    state = __mbarrier_arrive(&barrier);
    out[n++] = __mbarrier_token_pending_count(state);
    say(__mbarrier_test_wait(&barrier, state));
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at) : "memory");
    __mbarrier_arrive(&barrier);
    state = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, state)) {
    }
    asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&barrier) : "memory");
    say(__mbarrier_test_wait(&barrier, state));
    out[n++] = 99;
}
#else
__global__ void other_forms(unsigned*) {}
#endif

int main() {
    int *out = device_zeros<int>(1024), *pending = device_zeros<int>(256);
    rounds<<<1, 128>>>(out, pending);
    std::vector<int> got = to_host(out, 128), counts = to_host(pending, 256);
    for (int t = 0; t < 128; ++t) EXPECT_AT(t, got[t], (t + 33) % 128 * 55);
    for (int i = 1; i <= 128; ++i) EXPECT_AT(i, counts[i], 1);

    drops<<<1, 256>>>(out);
    got = to_host(out, 256);
    for (int t = 0; t < 256; ++t) EXPECT_AT(t, got[t], t / 32);

    const int many = 9;
    std::vector<int> in(32 * many);
    for (size_t i = 0; i < in.size(); ++i) in[i] = (int)(i * 37 % 101);
    producers<<<1, 64>>>(to_device(in), out, many);
    got = to_host(out, 32);
    for (int t = 0; t < 32; ++t) {
        int sum = 0;
        for (int i = 0; i < many; ++i) sum += in[32 * i + (t + 1) % 32] * (i + 1);
        EXPECT_AT(t, got[t], sum);
    }

    cudaDeviceProp prop;
    CUDA(cudaGetDeviceProperties(&prop, 0));
    if (prop.major >= 9) {
        other_forms<<<1, 32>>>((unsigned*)out);
        const std::vector<int> expected = {0, 1, 4, 0, 2, 1, 1, 1, 0, 0, 0, 1, 4, 0, 1, 1, 0, 99};
        got = to_host(out, expected.size());
        for (size_t i = 0; i < expected.size(); ++i) EXPECT_AT(i, got[i], expected[i]);
    }
    if (failures() == 0) std::printf("memory barriers ok\n");
}
