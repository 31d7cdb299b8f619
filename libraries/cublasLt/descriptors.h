// What the descriptions of a product hold, in place of the numbers that cublasLt.h shows of them.
#pragma once
#include <cublasLt.h>

#include "cublas/context.h"

namespace lockstep::cublas {

struct Layout {
    cudaDataType type;
    std::int32_t order;
    std::uint64_t rows, columns;
    std::int64_t ld, stride;
    std::int32_t batches;
};

// Types that are not set are D's.
constexpr std::int32_t as_the_result = -1;

struct Product {
    cublasComputeType_t compute;
    cudaDataType scale;
    std::int32_t pointer_mode, transa, transb, transc, fill;
    std::uint32_t epilogue;
    const void* bias;
    void* aux;
    const void* scales[4];  // of A, B, C and D: for types of 8 bits
    const void* aux_scale;
    void *largest, *aux_largest;
    std::int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
    std::int32_t bias_type, aux_type, sm_count;
    signed char fast_sum;
};

struct Preference {
    std::uint64_t workspace_bytes, implementations;
    std::uint32_t search, reductions, alignments[4];
    float waves;
};

static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Product) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

inline const Layout& layout(cublasLtMatrixLayout_t given) { return *reinterpret_cast<Layout*>(given); }
inline const Product& product(cublasLtMatmulDesc_t given) { return *reinterpret_cast<Product*>(given); }

}  // namespace lockstep::cublas
