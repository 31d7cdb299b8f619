/* nvcuda::experimental::awbarrier: a barrier in shared memory as a class. */
#ifndef LOCKSTEP_CUDA_AWBARRIER_H
#define LOCKSTEP_CUDA_AWBARRIER_H
#define _CUDA_AWBARRIER_H_
#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__) && defined(__cplusplus)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace nvcuda {
namespace experimental {

class pipeline;

class awbarrier {
  public:
    class arrival_token {
      public:
        arrival_token() = default;
        __device__ __forceinline__ uint32_t pending_count() const {
            return __mbarrier_token_pending_count(token_);
        }

      private:
        friend class awbarrier;
        __device__ __forceinline__ explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
        __mbarrier_token_t token_;
    };

    awbarrier() = default;
    awbarrier(const awbarrier&) = delete;
    awbarrier& operator=(const awbarrier&) = delete;

    __device__ __forceinline__ arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier_)); }
    __device__ __forceinline__ arrival_token arrive_and_drop() {
        return arrival_token(__mbarrier_arrive_and_drop(&barrier_));
    }
    __device__ __forceinline__ void wait(arrival_token token) {
        while (!__mbarrier_test_wait(&barrier_, token.token_)) {
        }
    }
    __device__ __forceinline__ void arrive_and_wait() { wait(arrive()); }
    __device__ __forceinline__ bool timed_wait(arrival_token token, uint32_t hint_cycles) {
        const long long start = clock64();
        do {
            if (__mbarrier_test_wait(&barrier_, token.token_)) return true;
        } while (clock64() - start < (long long)hint_cycles);
        return false;
    }
    __device__ __forceinline__ bool timed_wait_parity(bool phase, uint32_t hint_cycles) {
        const long long start = clock64();
        do {
            if (__mbarrier_test_wait_parity(&barrier_, phase)) return true;
        } while (clock64() - start < (long long)hint_cycles);
        return false;
    }
    __device__ __forceinline__ bool try_wait(arrival_token token, uint32_t max_sleep_nanosec) {
        return __mbarrier_try_wait(&barrier_, token.token_, max_sleep_nanosec);
    }
    __device__ __forceinline__ bool try_wait_parity(bool phase, uint32_t max_sleep_nanosec) {
        return __mbarrier_try_wait_parity(&barrier_, phase, max_sleep_nanosec);
    }
    static constexpr __host__ __device__ uint32_t max() { return (1u << 14) - 1; }

  private:
    friend __device__ void init(awbarrier* barrier, uint32_t expected_count);
    friend __device__ void inval(awbarrier* barrier);
    friend class pipeline;
    __mbarrier_t barrier_;
};

__device__ __forceinline__ void init(awbarrier* barrier, uint32_t expected_count) {
    __mbarrier_init(&barrier->barrier_, expected_count);
}
__device__ __forceinline__ void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->barrier_); }

}  // namespace experimental
}  // namespace nvcuda
#pragma clang attribute pop
#endif
#endif
