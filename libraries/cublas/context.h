// What a handle holds, and what every function does with it: checks, scalars by either pointer mode,
// launches, memory to work in.
#pragma once
#include <cublas_v2.h>

#include <climits>
#include <cstdint>
#include <type_traits>

#include "cublas/complex.h"
#include "cublas/refuse.h"

struct cublasContext {
    static constexpr unsigned alive = 0x6c636221;

    unsigned state = alive;  // what is no handle, or no longer one, is noticed mostly
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
    cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
    int sm_count_target = 0;
    void* workspace = nullptr;  // grows to what the largest call needed
    std::size_t workspace_bytes = 0;
};

namespace lockstep::cublas {

template <class T>
constexpr char letter() {
    if constexpr (Parts<T>::complex) return sizeof(T) == 8 ? 'C' : 'Z';
    return sizeof(T) == 4 ? 'S' : 'D';
}

inline bool valid(cublasHandle_t handle) { return handle && handle->state == cublasContext::alive; }

// In a function with a `handle`: its name for messages is __func__, as in the BLAS.
#define LOCKSTEP_REQUIRE_AS(condition, status)                 \
    do {                                                       \
        if (!(condition)) {                                    \
            static bool told = false;                          \
            return refuse(status, __func__, #condition, told); \
        }                                                      \
    } while (0)
#define LOCKSTEP_REQUIRE(condition) LOCKSTEP_REQUIRE_AS(condition, CUBLAS_STATUS_INVALID_VALUE)
// What only one form of a function asks for, before what all of them do.
#define LOCKSTEP_REQUIRE_FIRST(condition) \
    if (valid(handle)) LOCKSTEP_REQUIRE(condition)
#define LOCKSTEP_REQUIRE_HANDLE() \
    if (!valid(handle)) return CUBLAS_STATUS_NOT_INITIALIZED
#define LOCKSTEP_REQUIRE_SIZES(...)                                           \
    do {                                                                      \
        static bool told = false;                                             \
        if (!fits(__VA_ARGS__))                                               \
            return refuse(CUBLAS_STATUS_NOT_SUPPORTED, __func__,              \
                          "sizes of 2^31 and more (" #__VA_ARGS__ ")", told); \
    } while (0)
#define LOCKSTEP_TRY(expression) \
    if (const Status tried = (expression); tried != CUBLAS_STATUS_SUCCESS) return tried

inline Status status_of(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Kernels count in 32 bits; the _64 functions take what fits.
template <class... Sizes>
bool fits(Sizes... sizes) {
    return ((sizes <= INT_MAX && sizes >= INT_MIN) && ...);
}

template <class... P>
Status launch_with(cublasHandle_t handle, void (*kernel)(P...), dim3 grid, dim3 block, P... values) {
    void* addresses[] = {&values...};
    return status_of(
        cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, addresses, 0, handle->stream));
}
template <class... P, class... A>
Status launch(cublasHandle_t handle, void (*kernel)(P...), dim3 grid, dim3 block, const A&... arguments) {
    return launch_with<P...>(handle, kernel, grid, block, static_cast<P>(arguments)...);
}

// At least `bytes` of device memory that this call may use; null if there is none.
void* workspace(cublasHandle_t handle, std::size_t bytes);

// alpha and beta: a value, or where in device memory it will be when the kernel runs. What lies there may be
// of another type: the real factor of Hermitian updates, half of products in half.
enum class Stored : int { as_is, real, half };

template <class T>
struct Scalar {
    T value;
    const void* pointer;
    Stored stored;
    bool conjugated = false;

    __device__ T get() const { return conjugate_if(conjugated, plain()); }

    __device__ T plain() const {
        if (!pointer) return value;
        if constexpr (Parts<T>::complex)
            if (stored == Stored::real) return T(*static_cast<const Real<T>*>(pointer));
        if constexpr (std::is_same_v<T, float>)
            if (stored == Stored::half) return __half2float(*static_cast<const __half*>(pointer));
        return *static_cast<const T*>(pointer);
    }
};
template <class T>
Scalar<T> scalar(cublasHandle_t handle, const T* given) {
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {T(), given, Stored::as_is};
    return {*given, nullptr, Stored::as_is};
}
template <class T>
Scalar<T> real_scalar(cublasHandle_t handle, const Real<T>* given) {
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return {T(), given, Parts<T>::complex ? Stored::real : Stored::as_is};
    return {T(*given), nullptr, Stored::as_is};
}
template <class T>
Scalar<T> constant(T value) {
    return {value, nullptr, Stored::as_is};
}

// One matrix or vector, or one of a batch: at a stride, or wherever an array in device memory says.
template <class T>
struct Batch {
    T* base;
    T* const* array;
    long long stride;

    __device__ T* operator[](int i) const { return array ? array[i] : base + i * stride; }
};
template <class T>
Batch<T> single(T* base) {
    return {base, nullptr, 0};
}

// A vector with BLAS's increments: a negative one runs through it from the end.
template <class T>
struct Vector {
    T* first;
    long long increment;

    __host__ __device__ T& operator[](long long i) const { return first[i * increment]; }
};
template <class T>
Vector<T> vector(T* x, std::int64_t n, std::int64_t increment) {
    return {increment < 0 && n > 0 ? x + (1 - n) * increment : x, increment};
}

// Memory for kernels' results that the host or the device is given, by pointer mode.
template <class R, class F>
Status give_result(cublasHandle_t handle, R* result, void* scratch, F compute) {
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return compute(result);
    LOCKSTEP_TRY(compute(static_cast<R*>(scratch)));
    LOCKSTEP_TRY(
        status_of(cudaMemcpyAsync(result, scratch, sizeof(R), cudaMemcpyDeviceToHost, handle->stream)));
    return status_of(cudaStreamSynchronize(handle->stream));
}

inline int blocks_for(std::int64_t items, int each, int most = 65535) {
    const std::int64_t blocks = (items + each - 1) / each;
    return static_cast<int>(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

}  // namespace lockstep::cublas
