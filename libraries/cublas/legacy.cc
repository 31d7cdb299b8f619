// cuBLAS's first interface: a handle of the process's own, and the last error kept until it is asked for.
#include <cublas.h>

#include <mutex>

namespace {

// The library's only state. Calls of several threads are put in order, which the interface leaves to
// programs.
struct Legacy {
    std::recursive_mutex mutex;
    cublasHandle_t handle = nullptr;
    cublasStatus_t error = CUBLAS_STATUS_SUCCESS;
};
Legacy& legacy() {
    static Legacy state;
    return state;
}

void keep(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) legacy().error = status;
}

// A letter that means nothing is a value that the functions refuse.
template <class E>
E none() {
    return static_cast<E>(7);
}
cublasOperation_t operation(char c) {
    switch (c) {
        case 'N':
        case 'n': return CUBLAS_OP_N;
        case 'T':
        case 't': return CUBLAS_OP_T;
        case 'C':
        case 'c': return CUBLAS_OP_C;
    }
    return none<cublasOperation_t>();
}
cublasFillMode_t triangle(char c) {
    if (c == 'U' || c == 'u') return CUBLAS_FILL_MODE_UPPER;
    return c == 'L' || c == 'l' ? CUBLAS_FILL_MODE_LOWER : none<cublasFillMode_t>();
}
cublasDiagType_t diagonal(char c) {
    if (c == 'U' || c == 'u') return CUBLAS_DIAG_UNIT;
    return c == 'N' || c == 'n' ? CUBLAS_DIAG_NON_UNIT : none<cublasDiagType_t>();
}
cublasSideMode_t side_of(char c) {
    if (c == 'L' || c == 'l') return CUBLAS_SIDE_LEFT;
    return c == 'R' || c == 'r' ? CUBLAS_SIDE_RIGHT : none<cublasSideMode_t>();
}

}  // namespace

cublasStatus_t cublasInit(void) {
    const std::lock_guard lock(legacy().mutex);
    if (legacy().handle) return CUBLAS_STATUS_SUCCESS;
    return cublasCreate_v2(&legacy().handle);
}

cublasStatus_t cublasShutdown(void) {
    const std::lock_guard lock(legacy().mutex);
    if (!legacy().handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    const cublasStatus_t status = cublasDestroy_v2(legacy().handle);
    legacy().handle = nullptr;
    return status;
}

cublasStatus_t cublasGetError(void) {
    const std::lock_guard lock(legacy().mutex);
    const cublasStatus_t status = legacy().error;
    legacy().error = CUBLAS_STATUS_SUCCESS;
    return status;
}

cublasStatus_t cublasGetVersion(int* version) { return cublasGetVersion_v2(legacy().handle, version); }

cublasStatus_t cublasAlloc(int n, int size, void** memory) {
    if (!legacy().handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (n <= 0 || size <= 0 || !memory) return CUBLAS_STATUS_INVALID_VALUE;
    const bool there = cudaMalloc(memory, static_cast<size_t>(n) * static_cast<size_t>(size)) == cudaSuccess;
    return there ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasFree(void* memory) {
    if (!legacy().handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    return cudaFree(memory) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
    return cublasSetStream_v2(legacy().handle, stream);
}

#define LOCKSTEP_UNPACK(...) __VA_ARGS__
#define LOCKSTEP_LEGACY(name, parameters, arguments)                         \
    void cublas##name parameters {                                           \
        const std::lock_guard lock(legacy().mutex);                          \
        keep(cublas##name##_v2(legacy().handle, LOCKSTEP_UNPACK arguments)); \
    }
#define LOCKSTEP_LEGACY_RESULT(type, name, parameters, arguments)            \
    type cublas##name parameters {                                           \
        const std::lock_guard lock(legacy().mutex);                          \
        type result{};                                                       \
        keep(cublas##name##_v2(legacy().handle, LOCKSTEP_UNPACK arguments)); \
        return result;                                                       \
    }
#include "lockstep/cublas-legacy-functions.h"
