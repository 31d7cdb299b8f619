// Several copies, prefetches or discards in one call. The driver API's structures are laid out as the
// runtime's.
#include "runtime/batches.h"
#include "runtime/driver.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;

static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes));
static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp));
static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));

namespace {

void** pointers(CUdeviceptr* addresses) { return reinterpret_cast<void**>(addresses); }
cudaMemLocation* places(CUmemLocation* locations) { return reinterpret_cast<cudaMemLocation*>(locations); }

}  // namespace

extern "C" {

CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                            CUmemcpyAttributes* attributes, size_t* firsts, size_t kinds, size_t* failed,
                            CUstream stream) {
    return forward([&] {
        return copy_batch(pointers(to), pointers(from), sizes, count,
                          reinterpret_cast<const cudaMemcpyAttributes*>(attributes), firsts, kinds, failed,
                          stream);
    });
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* firsts, size_t kinds,
                               CUstream stream) {
    return cuMemcpyBatchAsync(to, from, sizes, count, attributes, firsts, kinds, nullptr, stream);
}

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                              unsigned long long flags, CUstream stream) {
    return forward([&] {
        return copy_batch_3d(count, reinterpret_cast<const cudaMemcpy3DBatchOp*>(operations), failed, flags,
                             stream);
    });
}

CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
                                 CUstream stream) {
    return cuMemcpy3DBatchAsync(count, operations, nullptr, flags, stream);
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count,
                                 CUmemLocation* locations, size_t* firsts, size_t kinds,
                                 unsigned long long flags, CUstream stream) {
    return forward([&] {
        return cudaMemPrefetchBatchAsync(pointers(addresses), sizes, count, places(locations), firsts, kinds,
                                         flags, stream);
    });
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count, unsigned long long flags,
                                CUstream stream) {
    return forward(
        [&] { return cudaMemDiscardBatchAsync(pointers(addresses), sizes, count, flags, stream); });
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count,
                                           CUmemLocation* locations, size_t* firsts, size_t kinds,
                                           unsigned long long flags, CUstream stream) {
    return forward([&] {
        return cudaMemDiscardAndPrefetchBatchAsync(pointers(addresses), sizes, count, places(locations),
                                                   firsts, kinds, flags, stream);
    });
}
}

LOCKSTEP_PER_THREAD(cuMemcpyBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cuMemcpyBatchAsync_v2, _ptsz);
LOCKSTEP_PER_THREAD(cuMemcpy3DBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cuMemcpy3DBatchAsync_v2, _ptsz);
LOCKSTEP_PER_THREAD(cuMemPrefetchBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cuMemDiscardBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cuMemDiscardAndPrefetchBatchAsync, _ptsz);
