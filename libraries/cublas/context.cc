// Handles, their settings, and the words for statuses.
#include "cublas/context.h"

#include <new>

namespace lockstep::cublas {

void* workspace(cublasHandle_t handle, std::size_t bytes) {
    if (bytes <= handle->workspace_bytes) return handle->workspace;
    // cudaFree waits for kernels that still use it.
    if (handle->workspace) cudaFree(handle->workspace);
    handle->workspace = nullptr;
    handle->workspace_bytes = 0;
    if (bytes < 65536) bytes = 65536;
    if (cudaMalloc(&handle->workspace, bytes) != cudaSuccess) return handle->workspace = nullptr;
    handle->workspace_bytes = bytes;
    return handle->workspace;
}

namespace {

// The same code is the library of CUDA 12 and of 13: the runtime beside it tells which.
int version() {
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    return runtime < 13000 ? CUBLAS_VERSION : runtime / 1000 * 10000;
}

template <class V>
Status put(cublasHandle_t handle, V cublasContext::* member, V value) {
    LOCKSTEP_REQUIRE_HANDLE();
    handle->*member = value;
    return CUBLAS_STATUS_SUCCESS;
}

template <class V>
Status tell(cublasHandle_t handle, V cublasContext::* member, V* value) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(value);
    *value = handle->*member;
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    LOCKSTEP_REQUIRE(handle);
    *handle = nullptr;
    if (cudaFree(nullptr) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
    auto* made = new (std::nothrow) cublasContext;
    if (!made) return CUBLAS_STATUS_ALLOC_FAILED;
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    LOCKSTEP_REQUIRE_HANDLE();
    if (handle->workspace) cudaFree(handle->workspace);
    handle->state = 0;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
    LOCKSTEP_REQUIRE(version);
    *version = lockstep::cublas::version();
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
    LOCKSTEP_REQUIRE(value);
    const int number = version();
    switch (type) {
        case MAJOR_VERSION: *value = number / 10000; return CUBLAS_STATUS_SUCCESS;
        case MINOR_VERSION: *value = number / 100 % 100; return CUBLAS_STATUS_SUCCESS;
        case PATCH_LEVEL: *value = number % 100; return CUBLAS_STATUS_SUCCESS;
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}

size_t cublasGetCudartVersion(void) {
    int version = 0;
    return cudaRuntimeGetVersion(&version) == cudaSuccess ? static_cast<size_t>(version) : 0;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    return put(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
    return tell(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
    return put(handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
    return tell(handle, &cublasContext::pointer_mode, mode);
}
// No kernel here uses atomics: results repeat in either mode.
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
    return put(handle, &cublasContext::atomics_mode, mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
    return tell(handle, &cublasContext::atomics_mode, mode);
}
// Modes allow less precise arithmetic, and never demand it: it is always the types' own here.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    return put(handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
    return tell(handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
    return put(handle, &cublasContext::sm_count_target, count);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
    return tell(handle, &cublasContext::sm_count_target, count);
}
// Memory that a program offers is an offer: kernels here take their own, which is little.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* memory, size_t bytes) {
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(memory || bytes == 0);
    LOCKSTEP_REQUIRE(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
    return CUBLAS_STATUS_SUCCESS;
}

#define LOCKSTEP_STATUSES(ROW)                                                              \
    ROW(CUBLAS_STATUS_SUCCESS, "the operation was successful")                              \
    ROW(CUBLAS_STATUS_NOT_INITIALIZED, "the library or the handle was not initialized")     \
    ROW(CUBLAS_STATUS_ALLOC_FAILED, "memory that the library needs could not be allocated") \
    ROW(CUBLAS_STATUS_INVALID_VALUE, "an argument has a value that is not allowed")         \
    ROW(CUBLAS_STATUS_ARCH_MISMATCH, "the GPU lacks a feature that the function needs")     \
    ROW(CUBLAS_STATUS_MAPPING_ERROR, "GPU memory could not be accessed")                    \
    ROW(CUBLAS_STATUS_EXECUTION_FAILED, "a kernel could not be launched or failed")         \
    ROW(CUBLAS_STATUS_INTERNAL_ERROR, "an operation inside the library failed")             \
    ROW(CUBLAS_STATUS_NOT_SUPPORTED, "this combination of arguments is not supported")      \
    ROW(CUBLAS_STATUS_LICENSE_ERROR, "the license does not allow it")

const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define LOCKSTEP_ROW(name, text) \
    case name: return #name;
        LOCKSTEP_STATUSES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
    }
    return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
    switch (status) {
#define LOCKSTEP_ROW(name, text) \
    case name: return text;
        LOCKSTEP_STATUSES(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
    }
    return "unknown cuBLAS status";
}
