// Handles and descriptions of cuBLASLt: made, read and changed, attribute by attribute.
#include "cublasLt/descriptors.h"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>

namespace lockstep::cublas {
namespace {

struct Attribute {
    int number;
    std::size_t place, size;
};
#define LOCKSTEP_ATTRIBUTE(name, type, member) {name, offsetof(type, member), sizeof(type::member)}
#define LOCKSTEP_ATTRIBUTE_AT(name, type, member, index) \
    {name, offsetof(type, member) + (index) * sizeof(type::member[0]), sizeof(type::member[0])}

const Attribute layout_attributes[] = {
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, Layout, ld),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batches),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, stride),
};
const Attribute product_attributes[] = {
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Product, compute),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Product, scale),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, Product, pointer_mode),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, Product, transa),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, Product, transb),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSC, Product, transc),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_FILL_MODE, Product, fill),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, Product, epilogue),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Product, bias),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Product, bias_stride),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Product, aux),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Product, aux_ld),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Product, aux_stride),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, Product, alpha_stride),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Product, sm_count),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, Product, scales, 0),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, Product, scales, 1),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, Product, scales, 2),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, Product, scales, 3),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, Product, largest),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Product, aux_type),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, Product, aux_scale),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, Product, aux_largest),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Product, fast_sum),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Product, bias_type),
};
const Attribute preference_attributes[] = {
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, workspace_bytes),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference, reductions),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference, alignments, 0),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference, alignments, 1),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference, alignments, 2),
    LOCKSTEP_ATTRIBUTE_AT(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference, alignments, 3),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, waves),
    LOCKSTEP_ATTRIBUTE(CUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, implementations),
};

template <std::size_t n>
const Attribute* find(const Attribute (&attributes)[n], int number) {
    for (const Attribute& attribute : attributes)
        if (attribute.number == number) return &attribute;
    return nullptr;
}

template <std::size_t n>
Status set_attribute(const Attribute (&attributes)[n], void* description, int number, const void* value,
                     std::size_t bytes) {
    LOCKSTEP_REQUIRE(description && value);
    const Attribute* const attribute = find(attributes, number);
    LOCKSTEP_REQUIRE_AS(attribute, CUBLAS_STATUS_NOT_SUPPORTED);
    LOCKSTEP_REQUIRE(bytes == attribute->size);
    std::memcpy(static_cast<char*>(description) + attribute->place, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

// With no room for the value: how large it is.
template <std::size_t n>
Status get_attribute(const Attribute (&attributes)[n], const void* description, int number, void* value,
                     std::size_t bytes, std::size_t* written) {
    LOCKSTEP_REQUIRE(description && (bytes ? value != nullptr : written != nullptr));
    const Attribute* const attribute = find(attributes, number);
    LOCKSTEP_REQUIRE_AS(attribute, CUBLAS_STATUS_NOT_SUPPORTED);
    if (written) *written = attribute->size;
    if (bytes == 0) return CUBLAS_STATUS_SUCCESS;
    LOCKSTEP_REQUIRE(bytes == attribute->size);
    std::memcpy(value, static_cast<const char*>(description) + attribute->place, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Ours, class Opaque>
Status fill(Opaque* description, std::size_t size, const Ours& value) {
    LOCKSTEP_REQUIRE(description && size >= sizeof(Opaque));
    std::memset(description, 0, sizeof *description);
    new (description) Ours(value);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Ours, class Opaque>
Status create(Opaque** description, const Ours& value) {
    LOCKSTEP_REQUIRE(description);
    *description = new (std::nothrow) Opaque;
    if (!*description) return CUBLAS_STATUS_ALLOC_FAILED;
    return fill(*description, sizeof(Opaque), value);
}

template <class Opaque>
Status destroy(Opaque* description) {
    delete description;
    return CUBLAS_STATUS_SUCCESS;
}

Layout new_layout(cudaDataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
    return {type, CUBLASLT_ORDER_COL, rows, columns, ld, 0, 1};
}
Product new_product(cublasComputeType_t compute, cudaDataType scale) {
    Product made = {};
    made.compute = compute;
    made.scale = scale;
    made.transa = made.transb = made.transc = CUBLAS_OP_N;
    made.fill = CUBLAS_FILL_MODE_FULL;
    made.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    made.bias_type = made.aux_type = as_the_result;
    return made;
}

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

// A handle of cuBLAS serves as one of cuBLASLt, and so is one here.
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
size_t cublasLtGetVersion(void) {
    int version = 0;
    return cublasGetVersion(nullptr, &version) == CUBLAS_STATUS_SUCCESS ? static_cast<size_t>(version) : 0;
}
size_t cublasLtGetCudartVersion(void) { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
    return cublasGetProperty(type, value);
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
    return fill(layout, size, new_layout(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
    return create(layout, new_layout(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return destroy(layout); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
    return set_attribute(layout_attributes, layout, attribute, value, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* value,
                                                size_t bytes, size_t* written) {
    return get_attribute(layout_attributes, layout, attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t product, size_t size,
                                               cublasComputeType_t compute, cudaDataType scale) {
    return fill(product, size, new_product(compute, scale));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t compute,
                                        cudaDataType scale) {
    return create(product, new_product(compute, scale));
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) { return destroy(product); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
    return set_attribute(product_attributes, product, attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute, void* value,
                                              size_t bytes, size_t* written) {
    return get_attribute(product_attributes, product, attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t size) {
    return fill(preference, size, Preference{});
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    return create(preference, Preference{});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
    return set_attribute(preference_attributes, preference, attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* value, size_t bytes, size_t* written) {
    return get_attribute(preference_attributes, preference, attribute, value, bytes, written);
}
