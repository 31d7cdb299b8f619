// cuFFT: transforms of all types in one to three dimensions, of sizes with all kinds of factors, with
// strides, batches and in place; results against sums over all elements.
// RUN: lockstep run -O0 %s -lcufft
// OUT: ^all as expected$
// ERR: lockstep: cufft describe: cufftResult 8: must hold: n\[i\] >= 1
#include <cufftXt.h>

#include <cmath>
#include <complex>
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
#define OK(call) CHECK((call) == CUFFT_SUCCESS)

using Number = std::complex<double>;

static std::vector<Number> slow(const std::vector<Number>& in, const int (&n)[3], int sign) {
    std::vector<Number> now = in;
    int step = 1;
    for (int axis = 2; axis >= 0; step *= n[axis--]) {
        std::vector<Number> next(now.size());
        for (size_t i = 0; i < now.size(); ++i) {
            const int place = int(i / step) % n[axis];
            const size_t first = i - size_t(place) * step;
            for (int k = 0; k < n[axis]; ++k)
                next[i] += now[first + size_t(k) * step] *
                           std::polar(1.0, sign * 2 * M_PI * (double(place) * k / n[axis]));
        }
        now = next;
    }
    return now;
}

template <class T>
struct Array {
    T* data;
    explicit Array(size_t n) { cudaMallocManaged(&data, n * sizeof(T)); }
    ~Array() { cudaFree(data); }
    T& operator[](size_t i) const { return data[i]; }
};

static double number(size_t i) { return double(int(i * 2654435761u >> 7 & 255) - 128) / 128; }
static bool near(Number a, Number b, size_t count, bool exact) {
    return std::abs(a - b) <= (exact ? 1e-12 : 1e-5) * std::sqrt(double(count)) * 4;
}

template <class R>
struct Names;
template <>
struct Names<float> {
    using Complex = cufftComplex;
    static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
    static auto run(cufftHandle plan, Complex* in, Complex* out, int sign) {
        return cufftExecC2C(plan, in, out, sign);
    }
    static auto run(cufftHandle plan, float* in, Complex* out) { return cufftExecR2C(plan, in, out); }
    static auto run(cufftHandle plan, Complex* in, float* out) { return cufftExecC2R(plan, in, out); }
};
template <>
struct Names<double> {
    using Complex = cufftDoubleComplex;
    static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
    static auto run(cufftHandle plan, Complex* in, Complex* out, int sign) {
        return cufftExecZ2Z(plan, in, out, sign);
    }
    static auto run(cufftHandle plan, double* in, Complex* out) { return cufftExecD2Z(plan, in, out); }
    static auto run(cufftHandle plan, Complex* in, double* out) { return cufftExecZ2D(plan, in, out); }
};

static cufftHandle plan_for(int rank, const int (&n)[3], cufftType type, int batch) {
    cufftHandle plan = 0;
    if (rank == 1) OK(cufftPlan1d(&plan, n[2], type, batch));
    if (rank == 2) OK(cufftPlan2d(&plan, n[1], n[2], type));
    if (rank == 3) OK(cufftPlan3d(&plan, n[0], n[1], n[2], type));
    return plan;
}

template <class R>
void all_types(int rank, const int (&n)[3], int batch) {
    using Complex = typename Names<R>::Complex;
    const bool exact = sizeof(R) == 8;
    const size_t count = size_t(n[0]) * n[1] * n[2], rows = count / n[2], half = n[2] / 2 + 1;
    Array<Complex> in(count * batch), out(count * batch), spectrum(rows * half * batch);
    Array<R> real(rows * 2 * half * batch), back(count * batch);
    std::vector<std::vector<Number>> given(batch, std::vector<Number>(count)), reals = given;
    for (int b = 0; b < batch; ++b)
        for (size_t i = 0; i < count; ++i) {
            given[b][i] = {number(b * count + i), number(b * count + i + 77777)};
            reals[b][i] = given[b][i].real();
            in[b * count + i].x = R(given[b][i].real());
            in[b * count + i].y = R(given[b][i].imag());
            real[b * count + i] = R(given[b][i].real());
        }
    const cufftHandle complex = plan_for(rank, n, Names<R>::c2c, batch);
    const cufftHandle forward = plan_for(rank, n, Names<R>::r2c, batch);
    const cufftHandle backward = plan_for(rank, n, Names<R>::c2r, batch);
    for (int sign : {CUFFT_FORWARD, CUFFT_INVERSE}) {
        OK(Names<R>::run(complex, in.data, out.data, sign));
        cudaDeviceSynchronize();
        int wrong = 0;
        for (int b = 0; b < batch; ++b) {
            const auto expected = slow(given[b], n, sign);
            for (size_t i = 0; i < count; ++i) {
                const Complex got = out[b * count + i];
                wrong += !near({got.x, got.y}, expected[i], count, exact);
            }
        }
        if (wrong) printf("%d x %d x %d, %d bytes: ", n[0], n[1], n[2], int(sizeof(R)));
        CHECK(wrong == 0);
    }
    const auto right_half = [&] {
        int wrong = 0;
        for (int b = 0; b < batch; ++b) {
            const auto expected = slow(reals[b], n, CUFFT_FORWARD);
            for (size_t i = 0; i < rows * half; ++i) {
                const Complex got = spectrum[b * rows * half + i];
                wrong += !near({got.x, got.y}, expected[i / half * n[2] + i % half], count, exact);
            }
        }
        return wrong == 0;
    };
    OK(Names<R>::run(forward, real.data, spectrum.data));
    cudaDeviceSynchronize();
    CHECK(right_half());
    OK(Names<R>::run(backward, spectrum.data, back.data));
    cudaDeviceSynchronize();
    int wrong = 0;
    for (size_t i = 0; i < count * batch; ++i)
        wrong += !near(back[i] / R(count), reals[i / count][i % count], count, exact);
    CHECK(wrong == 0);
    // In place rows of real numbers are padded to those of their spectrum.
    R* const padded = reinterpret_cast<R*>(spectrum.data);
    for (size_t i = 0; i < count * batch; ++i)
        padded[i / n[2] * 2 * half + i % n[2]] = R(reals[i / count][i % count].real());
    OK(Names<R>::run(forward, padded, spectrum.data));
    cudaDeviceSynchronize();
    CHECK(right_half());
    OK(Names<R>::run(backward, spectrum.data, padded));
    cudaDeviceSynchronize();
    for (size_t i = 0; i < count * batch; ++i)
        wrong += !near(padded[i / n[2] * 2 * half + i % n[2]] / R(count), reals[i / count][i % count], count,
                       exact);
    CHECK(wrong == 0);
    for (cufftHandle plan : {complex, forward, backward}) OK(cufftDestroy(plan));
}

// Columns of a wider array, every third number, and a work area of the program's.
static void embedded() {
    const int n[] = {6, 10}, in_embed[] = {6, 13}, out_embed[] = {6, 11};
    const int istride = 3, idist = 6 * 13 * 3 + 5, ostride = 2, odist = 6 * 11 * 2 + 1, batch = 2;
    Array<cufftComplex> in(idist * batch), out(odist * batch);
    for (int i = 0; i < idist * batch; ++i) in[i] = {float(number(i)), float(number(i + 999))};
    for (int i = 0; i < odist * batch; ++i) out[i] = {-7, -7};
    cufftHandle plan;
    size_t bytes = 0, estimated = 0;
    OK(cufftCreate(&plan));
    OK(cufftSetAutoAllocation(plan, 0));
    OK(cufftMakePlanMany(plan, 2, const_cast<int*>(n), const_cast<int*>(in_embed), istride, idist,
                         const_cast<int*>(out_embed), ostride, odist, CUFFT_C2C, batch, &bytes));
    OK(cufftEstimateMany(2, const_cast<int*>(n), nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, batch, &estimated));
    CHECK(bytes > 0 && bytes == estimated);
    CHECK(cufftExecC2C(plan, in.data, out.data, CUFFT_FORWARD) == CUFFT_NO_WORKSPACE);
    void* area;
    cudaMalloc(&area, bytes);
    OK(cufftSetWorkArea(plan, area));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    OK(cufftSetStream(plan, stream));
    OK(cufftExecC2C(plan, in.data, out.data, CUFFT_FORWARD));
    cudaStreamSynchronize(stream);
    int wrong = 0, touched = 0;
    const int size[] = {1, 6, 10};
    for (int b = 0; b < batch; ++b) {
        std::vector<Number> given(60);
        for (int i = 0; i < 60; ++i) {
            const cufftComplex value = in[b * idist + (i / 10 * 13 + i % 10) * istride];
            given[i] = {value.x, value.y};
        }
        const auto expected = slow(given, size, CUFFT_FORWARD);
        for (int i = 0; i < 60; ++i) {
            cufftComplex& got = out[b * odist + (i / 10 * 11 + i % 10) * ostride];
            wrong += !near({got.x, got.y}, expected[i], 60, false);
            got = {-7, -7};
        }
    }
    for (int i = 0; i < odist * batch; ++i) touched += out[i].x != -7;
    CHECK(wrong == 0);
    CHECK(touched == 0);
    OK(cufftDestroy(plan));
    CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

int main() {
    for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 60, 64, 77, 101, 128, 210})
        all_types<float>(1, {1, 1, n}, n < 50 ? 3 : 1);
    all_types<double>(1, {1, 1, 480}, 2);
    all_types<double>(1, {1, 1, 13 * 17}, 1);
    all_types<float>(2, {1, 12, 18}, 1);
    all_types<double>(2, {1, 7, 9}, 1);
    all_types<float>(3, {4, 5, 6}, 1);
    all_types<double>(3, {3, 8, 5}, 1);
    embedded();
    cufftHandle plan;
    CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    int version = 0;
    OK(cufftGetVersion(&version));
    CHECK(version >= 11000);

    // Types named at run time.
    long long size = 16;
    size_t bytes;
    Array<cufftComplex> one(16), other(16);
    for (int i = 0; i < 16; ++i) one[i] = {float(i == 3), 0};
    OK(cufftCreate(&plan));
    CHECK(cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F, 1, &bytes,
                              CUDA_C_16F) == CUFFT_NOT_SUPPORTED);
    OK(cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0, CUDA_C_32F, 1, &bytes,
                           CUDA_C_32F));
    OK(cufftXtExec(plan, one.data, other.data, CUFFT_FORWARD));
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        CHECK(near({other[i].x, other[i].y}, std::polar(1.0, -2 * M_PI * 3 * i / 16), 1, false));
    OK(cufftDestroy(plan));
    if (failures == 0) printf("all as expected\n");
    return failures;
}
