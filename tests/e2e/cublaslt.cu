// cuBLASLt: products by description, in columns and in rows, batches, C beside D, and what follows a product,
// with its gradients; results against the same on the CPU.
// RUN: lockstep run -O0 %s -lcublasLt -lcublas
// OUT: ^all as expected$
// ERR: lockstep: cublas LtMatmul: CUBLAS_STATUS_NOT_SUPPORTED: only where each->order == CUBLASLT_ORDER_COL
#include <cublasLt.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

static int failures = 0;
#define CHECK(condition)                                                 \
    do {                                                                 \
        if (!(condition)) {                                              \
            ++failures;                                                  \
            printf("line %d: %s does not hold\n", __LINE__, #condition); \
        }                                                                \
    } while (0)
#define OK(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

template <class T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType type_of<__nv_bfloat16> = CUDA_R_16BF;

template <class T>
struct Array {
    T* data;
    size_t count;

    explicit Array(size_t n) : count(n) { cudaMallocManaged(&data, n * sizeof(T)); }
    ~Array() { cudaFree(data); }
    T& operator[](size_t i) const { return data[i]; }
};

static float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x))); }
static float gelu_slope(float x) {
    const double h = 1e-3;
    return float((double(gelu(float(x + h))) - gelu(float(x - h))) / (2 * h));
}

struct Case {
    cublasOperation_t transa, transb;
    cublasLtOrder_t order_a, order_b, order_d;
    unsigned epilogue;
    bool device_scalars, own_c;
};

template <class T>
void product(cublasLtHandle_t handle, const Case& test) {
    const int m = 37, n = 21, k = 19, batches = 2, aux_ld = 128;
    const auto layout = [&](int rows, int columns, cublasLtOrder_t order, int* ld, int64_t* stride) {
        const bool in_rows = order == CUBLASLT_ORDER_ROW;
        *ld = (in_rows ? columns : rows) + 3;
        *stride = int64_t(*ld) * (in_rows ? rows : columns);
        cublasLtMatrixLayout_t made;
        OK(cublasLtMatrixLayoutCreate(&made, type_of<T>, rows, columns, *ld));
        OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
        OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches,
                                            sizeof batches));
        OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride,
                                            sizeof *stride));
        return made;
    };
    const auto place = [](int i, int j, int ld, cublasLtOrder_t order) {
        return order == CUBLASLT_ORDER_ROW ? int64_t(i) * ld + j : i + int64_t(j) * ld;
    };
    const bool ta = test.transa == CUBLAS_OP_T, tb = test.transb == CUBLAS_OP_T;
    int lda, ldb, ldd;
    int64_t stride_a, stride_b, stride_d;
    const auto la = layout(ta ? k : m, ta ? m : k, test.order_a, &lda, &stride_a),
               lb = layout(tb ? n : k, tb ? k : n, test.order_b, &ldb, &stride_b),
               ld = layout(m, n, test.order_d, &ldd, &stride_d);
    Array<T> a(stride_a * batches), b(stride_b * batches), c(stride_d * batches), d(stride_d * batches),
        bias(64), aux(aux_ld * 64 * batches);
    Array<float> scalars(2);
    std::vector<float> before(d.count), sums(64);
    const auto number = [](size_t i) { return float(int(i * 2654435761u >> 8 & 31) - 15) / 16; };
    for (size_t i = 0; i < a.count; ++i) a[i] = T(number(i));
    for (size_t i = 0; i < b.count; ++i) b[i] = T(number(i + 1000));
    for (size_t i = 0; i < c.count; ++i) c[i] = T(number(i + 2000)), d[i] = T(number(i + 3000));
    for (size_t i = 0; i < 64; ++i) bias[i] = T(number(i + 4000));
    for (size_t i = 0; i < aux.count; ++i) aux[i] = T(number(i + 5000) * 2);
    const T* const added = test.own_c ? c.data : d.data;
    for (size_t i = 0; i < d.count; ++i) before[i] = float(added[i]);
    scalars[0] = 0.5f, scalars[1] = 2;

    cublasLtMatmulDesc_t operation;
    OK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
        OK(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value));
    };
    const cublasLtPointerMode_t mode =
        test.device_scalars ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST;
    set(CUBLASLT_MATMUL_DESC_TRANSA, test.transa);
    set(CUBLASLT_MATMUL_DESC_TRANSB, test.transb);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, test.epilogue);
    set(CUBLASLT_MATMUL_DESC_POINTER_MODE, mode);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.data);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.data);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(aux_ld));
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, int64_t(aux_ld * 64));
    std::vector<uint32_t> bits(aux.count * sizeof(T) / 4);
    for (size_t i = 0; i < bits.size(); ++i) bits[i] = reinterpret_cast<uint32_t*>(aux.data)[i];
    std::vector<float> aux_before(aux.count);
    for (size_t i = 0; i < aux.count; ++i) aux_before[i] = float(aux[i]);

    cublasLtMatmulPreference_t preference;
    OK(cublasLtMatmulPreferenceCreate(&preference));
    const size_t room = 1 << 20;
    OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room,
                                            sizeof room));
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    OK(cublasLtMatmulAlgoGetHeuristic(handle, operation, la, lb, ld, ld, preference, 1, &found, &count));
    CHECK(count == 1);
    const float host_scalars[] = {scalars[0], scalars[1]};
    const float* given = test.device_scalars ? scalars.data : host_scalars;
    OK(cublasLtMatmul(handle, operation, given, a.data, la, b.data, lb, given + 1, added, ld, d.data, ld,
                      &found.algo, nullptr, 0, 0));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);

    const bool in_rows = test.order_d == CUBLASLT_ORDER_ROW;
    const unsigned e = test.epilogue;
    const bool gradient = e & (8 | 64), last_type_exact = sizeof(T) == 4;
    const float tolerance = last_type_exact ? 1e-4f : type_of<T> == CUDA_R_16F ? 4e-3f : 3e-2f;
    std::vector<double> bias_sums(64);
    int wrong = 0;
    for (int batch = 0; batch < batches; ++batch)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                double sum = 0;
                for (int x = 0; x < k; ++x) {
                    const float left =
                        float(a[batch * stride_a + place(ta ? x : i, ta ? i : x, lda, test.order_a)]);
                    const float right =
                        float(b[batch * stride_b + place(tb ? j : x, tb ? x : j, ldb, test.order_b)]);
                    sum += left * right;
                }
                const int64_t at = batch * stride_d + place(i, j, ldd, test.order_d);
                float value = float(0.5 * sum + 2.0 * before[at]);
                if (e & 4) value += float(bias[i]);
                const int64_t aux_at = (in_rows ? j + i * aux_ld : i + j * aux_ld) + batch * aux_ld * 64;
                const bool bit =
                    (gradient ? bits[aux_at / 32] : reinterpret_cast<uint32_t*>(aux.data)[aux_at / 32]) >>
                        (aux_at % 32) &
                    1;
                if (e & 2) {
                    if (e & 128) wrong += bit != (value > 0);
                    value = value > 0 ? value : 0;
                }
                if (e & 8) value = bit ? value : 0;
                if (e & 64) value *= gelu_slope(aux_before[aux_at]);
                if (e & 32) {
                    if (e & 128)
                        wrong += std::fabs(float(aux[aux_at]) - value) > tolerance * (1 + std::fabs(value));
                    value = gelu(value);
                }
                if (batch == 0 && e & 16) bias_sums[i] += value;
                wrong += !(std::fabs(float(d[at]) - value) <= tolerance * (1 + std::fabs(value)));
            }
    if (wrong)
        printf("epilogue %u, type %d, orders %d %d %d: ", e, int(type_of<T>), test.order_a, test.order_b,
               test.order_d);
    CHECK(wrong == 0);
    // Gradients of biases: all batches write the same place here, so one alone is asked for below.
    cublasLtMatrixLayoutDestroy(la);
    cublasLtMatrixLayoutDestroy(lb);
    cublasLtMatrixLayoutDestroy(ld);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatmulDescDestroy(operation);
}

// The gradient of a bias: sums over the product's inner dimension, or over D.
void gradients(cublasLtHandle_t handle, unsigned epilogue) {
    const int m = 20, n = 300, k = 33;
    Array<float> a(m * k), b(k * n), d(m * n), bias(n), aux(m * n);
    for (size_t i = 0; i < a.count; ++i) a[i] = float(int(i % 7) - 3);
    for (size_t i = 0; i < b.count; ++i) b[i] = float(int(i % 5) - 1);
    for (size_t i = 0; i < aux.count; ++i) aux[i] = float(int(i % 3) - 1);
    cublasLtMatrixLayoutOpaque_t la, lb, ld;
    OK(cublasLtMatrixLayoutInit(&la, CUDA_R_32F, m, k, m));
    OK(cublasLtMatrixLayoutInit(&lb, CUDA_R_32F, k, n, k));
    OK(cublasLtMatrixLayoutInit(&ld, CUDA_R_32F, m, n, m));
    cublasLtMatmulDescOpaque_t operation;
    OK(cublasLtMatmulDescInit(&operation, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F));
    const int64_t aux_ld = m;
    OK(cublasLtMatmulDescSetAttribute(&operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
    OK(cublasLtMatmulDescSetAttribute(&operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.data,
                                      sizeof(void*)));
    OK(cublasLtMatmulDescSetAttribute(&operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux.data,
                                      sizeof(void*)));
    OK(cublasLtMatmulDescSetAttribute(&operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld,
                                      sizeof aux_ld));
    unsigned told = 0;
    size_t size = 0;
    OK(cublasLtMatmulDescGetAttribute(&operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &told, sizeof told, &size));
    CHECK(told == epilogue && size == sizeof told);
    const float one = 1, none = 0;
    OK(cublasLtMatmul(handle, &operation, &one, a.data, &la, b.data, &lb, &none, d.data, &ld, d.data, &ld,
                      nullptr, nullptr, 0, 0));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    const int count = epilogue == CUBLASLT_EPILOGUE_BGRADB ? n : m;
    int wrong = 0;
    for (int line = 0; line < count; ++line) {
        double sum = 0;
        if (epilogue == CUBLASLT_EPILOGUE_BGRADA)
            for (int x = 0; x < k; ++x) sum += a[line + x * m];
        else if (epilogue == CUBLASLT_EPILOGUE_BGRADB)
            for (int x = 0; x < k; ++x) sum += b[x + line * k];
        else
            for (int j = 0; j < n; ++j) sum += d[line + j * m];
        wrong += !(std::fabs(sum - bias[line]) < 1e-3 * (1 + std::fabs(sum)));
    }
    CHECK(wrong == 0);
}

int main() {
    cublasLtHandle_t handle;
    OK(cublasLtCreate(&handle));
    const auto n = CUBLAS_OP_N, t = CUBLAS_OP_T;
    const auto columns = CUBLASLT_ORDER_COL, rows = CUBLASLT_ORDER_ROW;
    for (unsigned epilogue : {1u, 2u, 4u, 6u, 32u, 36u, 130u, 134u, 136u, 160u, 164u, 192u}) {
        product<float>(handle, {t, n, columns, columns, columns, epilogue, false, false});
        product<float>(handle, {n, t, columns, rows, rows, epilogue, true, true});
    }
    product<__half>(handle, {n, n, columns, columns, columns, 164, false, false});
    product<__nv_bfloat16>(handle, {t, n, rows, columns, columns, 192, false, true});
    product<__nv_bfloat16>(handle, {n, n, rows, rows, rows, 1, false, false});
    for (unsigned epilogue : {256u, 512u, 208u}) gradients(handle, epilogue);

    cublasLtMatmulDescOpaque_t operation;
    cublasLtMatrixLayoutOpaque_t layout;
    cublasLtMatmulPreferenceOpaque_t preference;
    cublasLtMatmulHeuristicResult_t found;
    int count = 1;
    OK(cublasLtMatmulDescInit(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatrixLayoutInit(&layout, CUDA_R_32F, 8, 8, 8));
    OK(cublasLtMatmulPreferenceInit(&preference));
    const cublasLtOrder_t tiled = CUBLASLT_ORDER_COL32;
    OK(cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &tiled, sizeof tiled));
    CHECK(cublasLtMatmulAlgoGetHeuristic(handle, &operation, &layout, &layout, &layout, &layout, &preference,
                                         1, &found, &count) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(count == 0);
    OK(cublasLtDestroy(handle));
    if (failures == 0) printf("all as expected\n");
    return failures;
}
