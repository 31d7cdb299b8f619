// Every header of libcu++ and its neighbours together, with instructions of every kind.
#include <cuda/access_property>
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/discard_memory>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/ccomplex>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/ctime>
#if __cplusplus >= 201703L
#include <cuda/std/expected>
#endif
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/latch>
#include <cuda/std/limits>
#if __cplusplus >= 201703L
#include <cuda/std/mdspan>
#endif
#include <cuda/std/memory>
#include <cuda/std/new>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/semaphore>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#if __cplusplus >= 201703L
#include <cuda/std/variant>
#endif
#include <cuComplex.h>
#include <cuda_fp8.h>
#include <device_types.h>
#include <math_constants.h>

#include <cuda/std/version>
#include <cuda/version>
#include <nv/target>
#include <nvfunctional>
#include <nvtx3/nvtx3.hpp>

__global__ void use(int* counts, double* sum, const float* in, float* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ float tile[64];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), barrier);
    barrier.arrive_and_wait();
    cuda::atomic_ref<int, cuda::thread_scope_device> count(counts[threadIdx.x % 2]);
    count.fetch_add(1, cuda::memory_order_acq_rel);
    cuda::atomic_ref<double, cuda::thread_scope_system>(*sum).fetch_add(1.0, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
    const auto now = cuda::std::chrono::system_clock::now();
    out[threadIdx.x] = tile[63 - threadIdx.x] + (float)__nv_fp8_e4m3(tile[threadIdx.x]) + (now == now);
}
