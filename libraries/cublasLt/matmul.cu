// Products of matrices with what may follow one. The product itself is cuBLAS's; where something follows, it
// is summed up in float in memory of its own, and one more kernel makes D of it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <initializer_list>
#include <utility>

#include "cublasLt/descriptors.h"

namespace lockstep::cublas {

// A matrix whose type is known at run time, of float, half or bfloat16: what follows a product takes little
// time, and need not be compiled for each combination.
struct Elements {
    void* first;
    long long ld, batch_step;
    cudaDataType type;

    __device__ long long place(int i, int j, int batch) const { return i + j * ld + batch * batch_step; }
    __device__ float get(long long at) const {
        if (type == CUDA_R_16F) return __half2float(static_cast<const __half*>(first)[at]);
        if (type == CUDA_R_16BF) return __bfloat162float(static_cast<const __nv_bfloat16*>(first)[at]);
        return static_cast<const float*>(first)[at];
    }
    __device__ void put(long long at, float value) const {
        if (type == CUDA_R_16F)
            static_cast<__half*>(first)[at] = __float2half(value);
        else if (type == CUDA_R_16BF)
            static_cast<__nv_bfloat16*>(first)[at] = __float2bfloat16(value);
        else
            static_cast<float*>(first)[at] = value;
    }
};

enum class Activation : int { none, relu, gelu };

struct Following {
    Activation activation;
    bool gradient;       // of the activation, at what lies in aux
    bool bias_by_row;    // a row of what is stored by columns has one bias, else a column
    bool sums_follow;    // over what `product` holds, which then has to be as in D
    Elements bias, aux;  // aux of ReLU is a bit for each element
    Elements c, d;
    Scalar<float> beta;
    float* product;  // without gaps
    int rows, columns, batches;
};

// GELU by tanh, as cuBLASLt has it.
constexpr float gelu_inner = 0.7978845608028654f, gelu_cubic = 0.044715f;
__device__ inline float gelu(float x) {
    return 0.5f * x * (1 + tanhf(gelu_inner * (x + gelu_cubic * x * x * x)));
}
__device__ inline float gelu_slope(float x) {
    const float t = tanhf(gelu_inner * (x + gelu_cubic * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * gelu_inner * (1 + 3 * gelu_cubic * x * x);
}

// Whole warps vote. GPUs before 3.0 have no other form.
__device__ inline unsigned ballot(bool vote) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
    return __ballot_sync(~0u, vote);
#else
    return __ballot(vote);
#endif
}

__global__ void what_follows(Following task) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    const bool inside = i < task.rows;
    const float beta = task.beta.get();
    for (int batch = blockIdx.z; batch < task.batches; batch += gridDim.z)
        for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < task.columns; j += gridDim.y * blockDim.y) {
            const long long at = task.d.place(i, j, batch);
            float* const product =
                task.product + i + (j + static_cast<long long>(batch) * task.columns) * task.rows;
            float value = inside ? *product : 0;
            // What beta = 0 stands for may not be read.
            if (inside && beta != 0) value += beta * task.c.get(task.c.place(i, j, batch));
            if (inside && task.bias.first)
                value += task.bias.get((task.bias_by_row ? i : j) + batch * task.bias.batch_step);
            const long long aux = task.aux.place(i, j, batch);
            if (task.activation == Activation::relu && task.aux.first) {
                // 32 rows are a word.
                auto* const words = static_cast<unsigned*>(task.aux.first);
                if (task.gradient) {
                    if (inside && !(words[aux / 32] >> (aux % 32) & 1)) value = 0;
                } else {
                    const unsigned positive = ballot(inside && value > 0);
                    if (threadIdx.x == 0) words[aux / 32] = positive;
                }
            }
            if (!inside) continue;
            if (task.activation == Activation::relu && !task.gradient) value = value > 0 ? value : 0;
            if (task.activation == Activation::gelu && task.gradient)
                value *= gelu_slope(task.aux.get(aux));
            else if (task.activation == Activation::gelu) {
                if (task.aux.first) task.aux.put(aux, value);
                value = gelu(value);
            }
            if (task.sums_follow) *product = value;
            task.d.put(at, value);
        }
}

// The sum of each row (or column) of a matrix, a block each, always in the same order.
__global__ void __launch_bounds__(256)
    sums_of_lines(Elements matrix, Elements sums, bool of_rows, int count, int length, int batches) {
    __shared__ float parts[256];
    for (int batch = blockIdx.y; batch < batches; batch += gridDim.y)
        for (int line = blockIdx.x; line < count; line += gridDim.x) {
            float sum = 0;
            for (int k = threadIdx.x; k < length; k += 256)
                sum += matrix.get(of_rows ? matrix.place(line, k, batch) : matrix.place(k, line, batch));
            parts[threadIdx.x] = sum;
            __syncthreads();
            for (int step = 128; step > 0; step /= 2) {
                if (threadIdx.x < step) parts[threadIdx.x] += parts[threadIdx.x + step];
                __syncthreads();
            }
            if (threadIdx.x == 0) sums.put(line + batch * sums.batch_step, parts[0]);
            __syncthreads();
        }
}

namespace {

bool is_small_float(cudaDataType type) {
    return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}
std::size_t size_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_8I:
        case CUDA_R_8U: return 1;
        case CUDA_R_16F:
        case CUDA_R_16BF: return 2;
        case CUDA_R_64F:
        case CUDA_C_32F: return 8;
        case CUDA_C_64F: return 16;
        default: return 4;
    }
}

cublasOperation_t other(cublasOperation_t op) { return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N; }

// A product as cuBLAS computes it, in columns. A D that lies in rows is the transposed one of its factors'
// transposed ones, in reverse.
struct Plan {
    cublasOperation_t transa, transb;
    std::int64_t m, n, k, lda, ldb;
    int batches;
    bool in_rows;
    Layout a, b, c, d;
    Product product;
};

#define LOCKSTEP_ONLY_WHERE(condition)                                                              \
    do {                                                                                            \
        static bool told = false;                                                                   \
        if (!(condition))                                                                           \
            return refuse(CUBLAS_STATUS_NOT_SUPPORTED, "LtMatmul", "only where " #condition, told); \
    } while (0)

Status make_plan(const Product& product, Layout a, Layout b, const Layout& c, const Layout& d, Plan& plan) {
    for (const Layout* each : std::initializer_list<const Layout*>{&a, &b, &c, &d})
        LOCKSTEP_ONLY_WHERE(each->order == CUBLASLT_ORDER_COL || each->order == CUBLASLT_ORDER_ROW);
    LOCKSTEP_ONLY_WHERE(product.pointer_mode == CUBLASLT_POINTER_MODE_HOST ||
                        product.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE);
    LOCKSTEP_ONLY_WHERE(product.transc == CUBLAS_OP_N && product.fill == CUBLAS_FILL_MODE_FULL);
    for (const void* scale : product.scales) LOCKSTEP_ONLY_WHERE(!scale);
    LOCKSTEP_ONLY_WHERE(!product.largest && !product.aux_largest && !product.aux_scale);
    LOCKSTEP_REQUIRE(c.order == d.order && c.rows == d.rows && c.columns == d.columns);
    LOCKSTEP_REQUIRE(a.batches == d.batches && b.batches == d.batches && c.batches == d.batches);
    LOCKSTEP_ONLY_WHERE(c.type == d.type);

    auto transa = static_cast<cublasOperation_t>(product.transa),
         transb = static_cast<cublasOperation_t>(product.transb);
    const std::uint64_t inner = transa == CUBLAS_OP_N ? a.columns : a.rows;
    LOCKSTEP_REQUIRE(d.rows == (transa == CUBLAS_OP_N ? a.rows : a.columns));
    LOCKSTEP_REQUIRE(inner == (transb == CUBLAS_OP_N ? b.rows : b.columns));
    LOCKSTEP_REQUIRE(d.columns == (transb == CUBLAS_OP_N ? b.columns : b.rows));
    const auto of_columns = [](cublasOperation_t& op, const Layout& layout) {
        if (layout.order == CUBLASLT_ORDER_COL) return true;
        const bool conjugated = op == CUBLAS_OP_C;
        op = other(op);
        return !conjugated;
    };
    LOCKSTEP_ONLY_WHERE(of_columns(transa, a) && of_columns(transb, b));
    plan = {transa,
            transb,
            static_cast<std::int64_t>(d.rows),
            static_cast<std::int64_t>(d.columns),
            static_cast<std::int64_t>(inner),
            a.ld,
            b.ld,
            d.batches,
            d.order == CUBLASLT_ORDER_ROW,
            a,
            b,
            c,
            d,
            product};
    if (plan.in_rows) {
        LOCKSTEP_ONLY_WHERE(transa != CUBLAS_OP_C && transb != CUBLAS_OP_C);
        plan.transa = other(transb);
        plan.transb = other(transa);
        std::swap(plan.m, plan.n);
        std::swap(plan.lda, plan.ldb);
        std::swap(plan.a, plan.b);
    }

    if (product.epilogue == CUBLASLT_EPILOGUE_DEFAULT) return CUBLAS_STATUS_SUCCESS;
    LOCKSTEP_ONLY_WHERE(is_small_float(a.type) && is_small_float(d.type));
    LOCKSTEP_ONLY_WHERE(product.scale == CUDA_R_32F);
    const auto known_type = [](std::int32_t type) {
        return type == as_the_result || is_small_float(static_cast<cudaDataType>(type));
    };
    LOCKSTEP_ONLY_WHERE(known_type(product.bias_type) && known_type(product.aux_type));
    constexpr unsigned known = CUBLASLT_EPILOGUE_RELU_AUX_BIAS | CUBLASLT_EPILOGUE_DRELU_BGRAD |
                               CUBLASLT_EPILOGUE_GELU_AUX_BIAS | CUBLASLT_EPILOGUE_DGELU_BGRAD |
                               CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB;
    LOCKSTEP_ONLY_WHERE((product.epilogue & ~known) == 0);
    return CUBLAS_STATUS_SUCCESS;
}

// One call: cuBLAS's functions take the stream, and where alpha and beta are, from a handle.
struct Call {
    const Plan& plan;
    cublasContext context;
    const void *alpha, *a, *b, *beta, *c;
    void* d;

    Status multiply(cublasComputeType_t compute, const void* factor, void* result, cudaDataType type,
                    std::int64_t ld, std::int64_t stride) {
        return cublasGemmStridedBatchedEx_64(&context, plan.transa, plan.transb, plan.m, plan.n, plan.k,
                                             alpha, a, plan.a.type, plan.lda, plan.a.stride, b, plan.b.type,
                                             plan.ldb, plan.b.stride, factor, result, type, ld, stride,
                                             plan.batches, compute, CUBLAS_GEMM_DEFAULT);
    }

    // Whether beta is zero, and C may be missing, is known only where it is the host's.
    Status plain() {
        const std::size_t bytes = size_of(plan.d.type);
        if (c && c != d)
            for (int batch = 0; batch < plan.batches; ++batch)
                LOCKSTEP_TRY(status_of(cudaMemcpy2DAsync(
                    static_cast<char*>(d) + batch * plan.d.stride * bytes, plan.d.ld * bytes,
                    static_cast<const char*>(c) + batch * plan.c.stride * bytes, plan.c.ld * bytes,
                    plan.m * bytes, plan.n, cudaMemcpyDeviceToDevice, context.stream)));
        return multiply(plan.product.compute, beta, d, plan.d.type, plan.d.ld, plan.d.stride);
    }

    bool has(unsigned what) const { return (plan.product.epilogue & what) == what; }

    Following following(float* product) {
        const Product& asked = plan.product;
        const auto type = [&](std::int32_t given) {
            return given == as_the_result ? plan.d.type : static_cast<cudaDataType>(given);
        };
        constexpr unsigned relu = CUBLASLT_EPILOGUE_RELU, relu_slope = CUBLASLT_EPILOGUE_DRELU,
                           gelu = CUBLASLT_EPILOGUE_GELU, gelu_slope = CUBLASLT_EPILOGUE_DGELU,
                           aux = CUBLASLT_EPILOGUE_GELU_AUX & ~gelu;
        return {has(relu) || has(relu_slope)   ? Activation::relu
                : has(gelu) || has(gelu_slope) ? Activation::gelu
                                               : Activation::none,
                has(relu_slope) || has(gelu_slope),
                !plan.in_rows,
                has(CUBLASLT_EPILOGUE_DRELU_BGRAD) || has(CUBLASLT_EPILOGUE_DGELU_BGRAD),
                {has(CUBLASLT_EPILOGUE_BIAS) ? const_cast<void*>(asked.bias) : nullptr, 0, asked.bias_stride,
                 type(asked.bias_type)},
                {has(aux) ? asked.aux : nullptr, asked.aux_ld, asked.aux_stride, type(asked.aux_type)},
                {const_cast<void*>(c), plan.c.ld, plan.c.stride, plan.c.type},
                {d, plan.d.ld, plan.d.stride, plan.d.type},
                scalar(&context, static_cast<const float*>(beta)),
                product,
                static_cast<int>(plan.m),
                static_cast<int>(plan.n),
                plan.batches};
    }

    Status add_lines(Elements matrix, bool of_rows, std::int64_t count, std::int64_t length) {
        const Product& asked = plan.product;
        const Elements sums = {
            const_cast<void*>(asked.bias), 0, asked.bias_stride,
            asked.bias_type == as_the_result ? plan.d.type : static_cast<cudaDataType>(asked.bias_type)};
        return launch(&context, sums_of_lines, dim3(blocks_for(count, 1), blocks_for(plan.batches, 1)), 256,
                      matrix, sums, of_rows, static_cast<int>(count), static_cast<int>(length), plan.batches);
    }

    // `memory`: a zero, where beta is wanted in device memory, and the product.
    Status with_following(float* memory) {
        const float zero = 0, *no_sum = &zero;
        if (context.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
            LOCKSTEP_TRY(status_of(cudaMemsetAsync(memory, 0, sizeof zero, context.stream)));
            no_sum = memory;
        }
        float* const product = memory + 4;
        LOCKSTEP_TRY(multiply(CUBLAS_COMPUTE_32F, no_sum, product, CUDA_R_32F, plan.m, plan.m * plan.n));
        const Following task = following(product);
        LOCKSTEP_TRY(
            launch(&context, what_follows,
                   dim3(blocks_for(plan.m, 32, INT_MAX), blocks_for(plan.n, 8), blocks_for(plan.batches, 1)),
                   dim3(32, 8), task));
        if (task.sums_follow)
            return add_lines({product, plan.m, plan.m * plan.n, CUDA_R_32F}, !plan.in_rows,
                             plan.in_rows ? plan.n : plan.m, plan.in_rows ? plan.m : plan.n);
        if (has(CUBLASLT_EPILOGUE_BGRADA) || has(CUBLASLT_EPILOGUE_BGRADB)) {
            if (has(CUBLASLT_EPILOGUE_BGRADA) != plan.in_rows)
                return add_lines({const_cast<void*>(a), plan.lda, plan.a.stride, plan.a.type},
                                 plan.transa == CUBLAS_OP_N, plan.m, plan.k);
            return add_lines({const_cast<void*>(b), plan.ldb, plan.b.stride, plan.b.type},
                             plan.transb != CUBLAS_OP_N, plan.n, plan.k);
        }
        return CUBLAS_STATUS_SUCCESS;
    }

    Status run() {
        const Product& asked = plan.product;
        if (asked.epilogue == CUBLASLT_EPILOGUE_DEFAULT) return plain();
        LOCKSTEP_REQUIRE_SIZES(plan.m, plan.n, plan.k);
        if (plan.m == 0 || plan.n == 0 || plan.batches == 0) return CUBLAS_STATUS_SUCCESS;
        const Following task = following(nullptr);
        constexpr unsigned any_bias = CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_BGRADA |
                                      CUBLASLT_EPILOGUE_BGRADB |
                                      (CUBLASLT_EPILOGUE_DRELU_BGRAD & ~CUBLASLT_EPILOGUE_DRELU);
        LOCKSTEP_REQUIRE(!(asked.epilogue & any_bias) || asked.bias);
        const bool bits = task.activation == Activation::relu;
        LOCKSTEP_REQUIRE(!task.gradient || task.aux.first);
        LOCKSTEP_REQUIRE(!task.aux.first || asked.aux_ld >= plan.m);
        LOCKSTEP_REQUIRE(!task.aux.first || !bits || (asked.aux_ld % 128 == 0 && asked.aux_stride % 32 == 0));
        float* memory = nullptr;
        LOCKSTEP_TRY(
            status_of(cudaMallocAsync(reinterpret_cast<void**>(&memory),
                                      (plan.m * plan.n * plan.batches + 4) * sizeof(float), context.stream)));
        const Status status = with_following(memory);
        const Status freed = status_of(cudaFreeAsync(memory, context.stream));
        return status == CUBLAS_STATUS_SUCCESS ? freed : status;
    }
};

}  // namespace
}  // namespace lockstep::cublas

using namespace lockstep::cublas;

// There is one algorithm for what is supported, which takes no memory of the program's.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t given, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                                              cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int* returned) {
    const auto handle = reinterpret_cast<cublasHandle_t>(given);
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(operation && A && B && C && D && preference && returned);
    LOCKSTEP_REQUIRE(requested >= 1 && results);
    *returned = 0;
    Plan plan;
    LOCKSTEP_TRY(make_plan(product(operation), layout(A), layout(B), layout(C), layout(D), plan));
    results[0] = {{{1}}, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
    *returned = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t given, cublasLtMatmulDesc_t operation, const void* alpha,
                              const void* A, cublasLtMatrixLayout_t Adesc, const void* B,
                              cublasLtMatrixLayout_t Bdesc, const void* beta, const void* C,
                              cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t stream) {
    const auto handle = reinterpret_cast<cublasHandle_t>(given);
    LOCKSTEP_REQUIRE_HANDLE();
    LOCKSTEP_REQUIRE(operation && Adesc && Bdesc && Cdesc && Ddesc && alpha && beta);
    LOCKSTEP_REQUIRE(A && B && D);
    Plan plan;
    LOCKSTEP_TRY(
        make_plan(product(operation), layout(Adesc), layout(Bdesc), layout(Cdesc), layout(Ddesc), plan));
    cublasContext context;
    context.stream = stream;
    context.pointer_mode = static_cast<cublasPointerMode_t>(plan.product.pointer_mode);
    if (plan.in_rows) std::swap(A, B);
    return Call{plan, context, alpha, A, B, beta, C, D}.run();
}
