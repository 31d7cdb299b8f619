// cuBLAS: products of half, bfloat16 and int8, batches of systems, data to and from the device, streams,
// versions, and what is refused. The kernels show in profiles.
// RUN: lockstep profile -O0 %s -lcublas
// OUT: ^all as expected$
// OUT: lockstep::cublas::gemm_tile<__half
// ERR: lockstep: cublas GemmEx: CUBLAS_STATUS_NOT_SUPPORTED: there is no kernel for these types: A is cudaDataType 2, B 0
// ERR: lockstep: cublas gemm: CUBLAS_STATUS_INVALID_VALUE: must hold: lda >= 1
#include <cublas_v2.h>

#include <cmath>
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
T make(float value) {
    return T(value);
}
template <class T>
float number(T value) {
    return float(value);
}

// Small integers: exact in every type.
template <class In, class Out, class Scale>
void product(cublasHandle_t handle, cudaDataType in, cudaDataType out, cublasComputeType_t compute,
             bool device_scalars) {
    const int m = 19, n = 7, k = 23, lda = k + 1, ldb = n + 2, ldc = m + 3;
    std::vector<In> a(lda * m), b(ldb * k);
    std::vector<Out> c(ldc * n), result(ldc * n);
    for (size_t i = 0; i < a.size(); ++i) a[i] = make<In>(float(int(i * 7 % 5) - 2));
    for (size_t i = 0; i < b.size(); ++i) b[i] = make<In>(float(int(i * 3 % 7) - 3));
    for (size_t i = 0; i < c.size(); ++i) c[i] = make<Out>(float(int(i % 4)));
    In *da, *db;
    Out* dc;
    Scale *scalars, host_scalars[] = {make<Scale>(2), make<Scale>(3)};
    cudaMalloc(&da, a.size() * sizeof(In));
    cudaMalloc(&db, b.size() * sizeof(In));
    cudaMalloc(&dc, c.size() * sizeof(Out));
    cudaMalloc(&scalars, sizeof host_scalars);
    OK(cublasSetMatrix(k, m, sizeof(In), a.data(), lda, da, lda));
    OK(cublasSetMatrix(n, k, sizeof(In), b.data(), ldb, db, ldb));
    OK(cublasSetMatrix(m, n, sizeof(Out), c.data(), ldc, dc, ldc));
    OK(cublasSetVector(2, sizeof(Scale), host_scalars, 1, scalars, 1));
    OK(cublasSetPointerMode(handle, device_scalars ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
    const Scale* given = device_scalars ? scalars : host_scalars;
    OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, given, da, in, lda, db, in, ldb, given + 1, dc,
                    out, ldc, compute, CUBLAS_GEMM_DEFAULT));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    OK(cublasGetMatrix(m, n, sizeof(Out), dc, ldc, result.data(), ldc));
    int wrong = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            float sum = 0;
            for (int l = 0; l < k; ++l) sum += number(a[l + i * lda]) * number(b[j + l * ldb]);
            wrong += number(result[i + j * ldc]) != 2 * sum + 3 * number(c[i + j * ldc]);
        }
    if (wrong) ++failures, printf("types %d to %d: %d of %d elements are wrong\n", in, out, wrong, m * n);
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(scalars);
}

// Systems of a batch: factored, solved with the matrix and its transpose, inverted in two ways.
void systems(cublasHandle_t handle) {
    const int n = 6, lda = 7, batches = 3, size = lda * n;
    std::vector<float> a(size * batches), x(n * batches), b(n * batches), bt(n * batches);
    for (int i = 0; i < size * batches; ++i)
        a[i] = float((i * 37 + i / 5) % 11) - 5 + (i % (lda + 1) == 0 ? 0.5f : 0);
    for (int i = 0; i < n * batches; ++i) x[i] = float(i % 5) - 2;
    for (int t = 0; t < batches; ++t)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                b[t * n + i] += a[t * size + i + j * lda] * x[t * n + j];
                bt[t * n + i] += a[t * size + j + i * lda] * x[t * n + j];
            }
    float *matrices, *sides, *factors, **addresses;
    int *pivots, *info, wrong_argument = 1;
    cudaMalloc(&matrices, a.size() * 4);
    cudaMalloc(&factors, a.size() * 4);
    cudaMalloc(&sides, x.size() * 4);
    cudaMalloc(&addresses, 4 * batches * sizeof(float*));
    cudaMalloc(&pivots, n * batches * 4);
    cudaMalloc(&info, batches * 4);
    float* inverses;
    cudaMalloc(&inverses, n * n * batches * 4);
    std::vector<float*> host;
    for (int t = 0; t < batches; ++t) host.push_back(matrices + t * size);
    for (int t = 0; t < batches; ++t) host.push_back(factors + t * size);
    for (int t = 0; t < batches; ++t) host.push_back(sides + t * n);
    for (int t = 0; t < batches; ++t) host.push_back(inverses + t * n * n);
    cudaMemcpy(addresses, host.data(), host.size() * sizeof(float*), cudaMemcpyHostToDevice);
    cudaMemcpy(matrices, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(factors, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    OK(cublasSgetrfBatched(handle, n, addresses + batches, lda, pivots, info, batches));
    int found[batches];
    cudaMemcpy(found, info, sizeof found, cudaMemcpyDeviceToHost);
    CHECK(found[0] == 0 && found[1] == 0 && found[2] == 0);
    const auto near = [](float a, float b) { return std::abs(a - b) < 1e-3f; };
    for (const bool transposed : {false, true}) {
        cudaMemcpy(sides, (transposed ? bt : b).data(), x.size() * 4, cudaMemcpyHostToDevice);
        OK(cublasSgetrsBatched(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, 1, addresses + batches, lda,
                               pivots, addresses + 2 * batches, n, &wrong_argument, batches));
        CHECK(wrong_argument == 0);
        std::vector<float> got(x.size());
        cudaMemcpy(got.data(), sides, got.size() * 4, cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < x.size(); ++i) CHECK(near(got[i], x[i]));
    }
    for (const bool at_once : {false, true}) {
        if (at_once)
            OK(cublasSmatinvBatched(handle, n, addresses, lda, addresses + 3 * batches, n, info, batches));
        else
            OK(cublasSgetriBatched(handle, n, addresses + batches, lda, pivots, addresses + 3 * batches, n,
                                   info, batches));
        std::vector<float> inverse(n * n * batches);
        cudaMemcpy(inverse.data(), inverses, inverse.size() * 4, cudaMemcpyDeviceToHost);
        for (int t = 0; t < batches; ++t)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    float sum = 0;
                    for (int k = 0; k < n; ++k)
                        sum += a[t * size + i + k * lda] * inverse[t * n * n + k + j * n];
                    CHECK(near(sum, i == j));
                }
    }
}

int main() {
    cublasHandle_t handle = nullptr;
    float one = 1, *x = nullptr;
    CHECK(cublasSaxpy(nullptr, 1, &one, x, 1, x, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasCreate(&handle));

    product<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, false);
    product<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, true);
    product<__half, __half, float>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, true);
    product<__half, float, float>(handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, false);
    product<__nv_bfloat16, __nv_bfloat16, float>(handle, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, false);
    product<signed char, int, int>(handle, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, true);
    product<float, float, float>(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, false);

    systems(handle);

    // Refused, and said why.
    const __half half = 1;
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &half, x, CUDA_R_16F, 2, x, CUDA_R_32F, 2,
                       &half, x, CUDA_R_16F, 2, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 2, &one, x, 2, x, 2, &one, x, 3) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &one, x, 2, x, 2, &one, x, 3) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, x, 2, x, 0, &one, x, 1) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSetMatrix(5, 5, 4, &one, 3, x, 5) == CUBLAS_STATUS_INVALID_VALUE);
    // Nothing to do touches nothing.
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 2, 2, &one, x, 2, x, 2, &one, x, 3));
    OK(cublasSscal(handle, 0, &one, x, 1));

    cudaStream_t stream, found = nullptr;
    cudaStreamCreate(&stream);
    OK(cublasSetStream(handle, stream));
    OK(cublasGetStream(handle, &found));
    CHECK(found == stream);
    cudaMalloc(&x, 8);
    const float values[] = {3, -4};
    float norm = 0, back[2] = {};
    OK(cublasSetVectorAsync(2, 4, values, 1, x, 1, stream));
    OK(cublasSnrm2(handle, 2, x, 1, &norm));
    CHECK(norm == 5);
    OK(cublasGetVector(2, 4, x, 1, back, 1));
    CHECK(back[0] == 3 && back[1] == -4);

    cublasMath_t math;
    OK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    OK(cublasGetMathMode(handle, &math));
    CHECK(math == CUBLAS_TF32_TENSOR_OP_MATH);
    int version = 0;
    OK(cublasGetVersion(handle, &version));
    CHECK(version / 10000 == CUBLAS_VER_MAJOR);
    OK(cublasDestroy(handle));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    puts(failures ? "failed" : "all as expected");
    return failures != 0;
}
