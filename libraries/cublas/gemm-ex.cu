// gemm of half, and of types that are named at run time. Products of half and bfloat16 are summed in float.
#include <cstdio>

#include "cublas/gemm.h"

namespace lockstep::cublas {
namespace {

// The matrices of a batch, or one, with types told apart from addresses.
struct Untyped {
    const void* base;
    const void* const* array;
    long long stride;

    template <class T>
    Batch<const T> in() const {
        return {static_cast<const T*>(base), reinterpret_cast<const T* const*>(array), stride};
    }
    template <class T>
    Batch<T> out() const {
        return {static_cast<T*>(const_cast<void*>(base)),
                reinterpret_cast<T* const*>(const_cast<void* const*>(array)), stride};
    }
};

struct ExCall {
    cublasHandle_t handle;
    cublasOperation_t transa, transb;
    std::int64_t m, n, k;
    const void *alpha, *beta;
    Untyped A, B, C;
    std::int64_t lda, ldb, ldc, batches;

    template <class In, class Out, class Compute>
    Status run(Scalar<Compute> a, Scalar<Compute> b) const {
        return gemm(handle, transa, transb, m, n, k, a, A.in<In>(), lda, B.in<In>(), ldb, b, C.out<Out>(),
                    ldc, batches);
    }
    template <class In, class Out, class Compute>
    Status run() const {
        return run<In, Out, Compute>(scalar(handle, static_cast<const Compute*>(alpha)),
                                     scalar(handle, static_cast<const Compute*>(beta)));
    }
    template <class T>
    Status run_one_type() const {
        return gemm_of(handle, transa, transb, m, n, k, static_cast<const T*>(alpha), A.in<T>(), lda,
                       B.in<T>(), ldb, static_cast<const T*>(beta), C.out<T>(), ldc, batches);
    }

    Scalar<float> half_scalar(const void* given) const {
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {0, given, Stored::half};
        return constant(__half2float(*static_cast<const __half*>(given)));
    }
    Status run_half() const { return run<__half, __half, float>(half_scalar(alpha), half_scalar(beta)); }
};

Status gemm_ex(const ExCall& call, cudaDataType Atype, cudaDataType Btype, cudaDataType Ctype,
               cublasComputeType_t compute) {
    cublasHandle_t handle = call.handle;
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(call.alpha && call.beta);
    const bool compute_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const bool compute_float = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                               compute == CUBLAS_COMPUTE_32F_FAST_16F ||
                               compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                               compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    const bool compute_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool compute_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    const auto types = [&](cudaDataType in, cudaDataType out) {
        return Atype == in && Btype == in && Ctype == out;
    };
    if (compute_half && types(CUDA_R_16F, CUDA_R_16F)) return call.run_half();
    if (compute_float) {
        if (types(CUDA_R_16F, CUDA_R_16F)) return call.run<__half, __half, float>();
        if (types(CUDA_R_16F, CUDA_R_32F)) return call.run<__half, float, float>();
        if (types(CUDA_R_16BF, CUDA_R_16BF)) return call.run<__nv_bfloat16, __nv_bfloat16, float>();
        if (types(CUDA_R_16BF, CUDA_R_32F)) return call.run<__nv_bfloat16, float, float>();
        if (types(CUDA_R_8I, CUDA_R_32F)) return call.run<signed char, float, float>();
        if (types(CUDA_R_32F, CUDA_R_32F)) return call.run_one_type<float>();
        if (types(CUDA_C_32F, CUDA_C_32F)) return call.run_one_type<Complex<float>>();
    }
    if (compute_double) {
        if (types(CUDA_R_64F, CUDA_R_64F)) return call.run_one_type<double>();
        if (types(CUDA_C_64F, CUDA_C_64F)) return call.run_one_type<Complex<double>>();
    }
    if (compute_int && types(CUDA_R_8I, CUDA_R_32I)) return call.run<signed char, int, int>();
    char reason[160];
    std::snprintf(
        reason, sizeof reason,
        "there is no kernel for these types: A is cudaDataType %d, B %d, C %d, cublasComputeType_t %d",
        static_cast<int>(Atype), static_cast<int>(Btype), static_cast<int>(Ctype), static_cast<int>(compute));
    static bool told = false;
    return refuse(CUBLAS_STATUS_NOT_SUPPORTED, "GemmEx", reason, told);
}

Status half_gemm(const ExCall& call) {
    return gemm_ex(call, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
}

Untyped one(const void* base) { return {base, nullptr, 0}; }
Untyped strided(const void* base, long long stride) { return {base, nullptr, stride}; }
template <class T>
Untyped array(T* const* pointers) {
    return {nullptr, reinterpret_cast<const void* const*>(pointers), 0};
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

#define LOCKSTEP_CALL(a, b, c, batches) \
    ExCall { handle, transa, transb, m, n, k, alpha, beta, a, b, c, lda, ldb, ldc, batches }

#define LOCKSTEP_DEFINE(Int, suffix)                                                                         \
    cublasStatus_t cublasHgemm##suffix(cublasHandle_t handle, cublasOperation_t transa,                      \
                                       cublasOperation_t transb, Int m, Int n, Int k, const __half* alpha,   \
                                       const __half* A, Int lda, const __half* B, Int ldb,                   \
                                       const __half* beta, __half* C, Int ldc) {                             \
        return half_gemm(LOCKSTEP_CALL(one(A), one(B), one(C), 1));                                          \
    }                                                                                                        \
    cublasStatus_t cublasHgemmBatched##suffix(                                                               \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const __half* alpha, const __half* const A[], Int lda, const __half* const B[], Int ldb,             \
        const __half* beta, __half* const C[], Int ldc, Int batchCount) {                                    \
        return half_gemm(LOCKSTEP_CALL(array(A), array(B), array(C), batchCount));                           \
    }                                                                                                        \
    cublasStatus_t cublasHgemmStridedBatched##suffix(                                                        \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const __half* alpha, const __half* A, Int lda, long long strideA, const __half* B, Int ldb,          \
        long long strideB, const __half* beta, __half* C, Int ldc, long long strideC, Int batchCount) {      \
        return half_gemm(                                                                                    \
            LOCKSTEP_CALL(strided(A, strideA), strided(B, strideB), strided(C, strideC), batchCount));       \
    }                                                                                                        \
    cublasStatus_t cublasGemmEx##suffix(                                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const void* alpha, const void* A, cudaDataType Atype, Int lda, const void* B, cudaDataType Btype,    \
        Int ldb, const void* beta, void* C, cudaDataType Ctype, Int ldc, cublasComputeType_t computeType,    \
        cublasGemmAlgo_t) {                                                                                  \
        return gemm_ex(LOCKSTEP_CALL(one(A), one(B), one(C), 1), Atype, Btype, Ctype, computeType);          \
    }                                                                                                        \
    cublasStatus_t cublasGemmBatchedEx##suffix(                                                              \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const void* alpha, const void* const A[], cudaDataType Atype, Int lda, const void* const B[],        \
        cudaDataType Btype, Int ldb, const void* beta, void* const C[], cudaDataType Ctype, Int ldc,         \
        Int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {                                 \
        return gemm_ex(LOCKSTEP_CALL(array(A), array(B), array(C), batchCount), Atype, Btype, Ctype,         \
                       computeType);                                                                         \
    }                                                                                                        \
    cublasStatus_t cublasGemmStridedBatchedEx##suffix(                                                       \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const void* alpha, const void* A, cudaDataType Atype, Int lda, long long strideA, const void* B,     \
        cudaDataType Btype, Int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype,       \
        Int ldc, long long strideC, Int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {     \
        return gemm_ex(                                                                                      \
            LOCKSTEP_CALL(strided(A, strideA), strided(B, strideB), strided(C, strideC), batchCount), Atype, \
            Btype, Ctype, computeType);                                                                      \
    }                                                                                                        \
    cublasStatus_t cublasSgemmEx##suffix(                                                                    \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const float* alpha, const void* A, cudaDataType Atype, Int lda, const void* B, cudaDataType Btype,   \
        Int ldb, const float* beta, void* C, cudaDataType Ctype, Int ldc) {                                  \
        LOCKSTEP_REQUIRE_FIRST(Ctype == CUDA_R_32F || Ctype == CUDA_R_16F || Ctype == CUDA_R_16BF);          \
        return gemm_ex(LOCKSTEP_CALL(one(A), one(B), one(C), 1), Atype, Btype, Ctype, CUBLAS_COMPUTE_32F);   \
    }                                                                                                        \
    cublasStatus_t cublasCgemmEx##suffix(                                                                    \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, Int k,      \
        const cuComplex* alpha, const void* A, cudaDataType Atype, Int lda, const void* B,                   \
        cudaDataType Btype, Int ldb, const cuComplex* beta, void* C, cudaDataType Ctype, Int ldc) {          \
        LOCKSTEP_REQUIRE_FIRST(Ctype == CUDA_C_32F || Ctype == CUDA_C_8I);                                   \
        return gemm_ex(LOCKSTEP_CALL(one(A), one(B), one(C), 1), Atype, Btype, Ctype, CUBLAS_COMPUTE_32F);   \
    }
LOCKSTEP_DEFINE(int, )
LOCKSTEP_DEFINE(int64_t, _64)
#undef LOCKSTEP_CALL
#undef LOCKSTEP_DEFINE
