// cuBLAS against a plain host reference: levels 1 to 3 with transposes, leading dimensions, increments of
// either sign, both pointer modes, odd sizes. Types are chosen by their letters when it is compiled: all four
// take a minute.
// What generations of GPUs do differently are reductions: of a second one, level 1 and gemm ("-") are enough.
// RUN: lockstep run --gpu fermi -O0 -DTYPES='"C"' %s
// OUT: ^C: all as the reference$
// RUN: lockstep run -O0 -DTYPES='"S-+"' %s
// OUT: ^S: all as the reference$
#include <cublas_v2.h>

#include <complex>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

using Wide = std::complex<double>;
static int failures = 0, checks = 0;

template <class T>
struct Number {
    using Host = T;
    using Real = T;
    static constexpr bool complex = false;
    static Wide wide(T a) { return a; }
    static T make(double re, double) { return T(re); }
};
template <>
struct Number<cuComplex> {
    using Real = float;
    static constexpr bool complex = true;
    static Wide wide(cuComplex a) { return {a.x, a.y}; }
    static cuComplex make(double re, double im) { return {float(re), float(im)}; }
};
template <>
struct Number<cuDoubleComplex> {
    using Real = double;
    static constexpr bool complex = true;
    static Wide wide(cuDoubleComplex a) { return {a.x, a.y}; }
    static cuDoubleComplex make(double re, double im) { return {re, im}; }
};

static unsigned seed = 1;
static double random_number() {
    seed = seed * 1664525u + 1013904223u;
    return ((seed >> 8) % 2001) / 1000.0 - 1.0;
}
template <class T>
T random_of() {
    const double re = random_number(), im = random_number();
    return Number<T>::make(re, im);
}

// Values in host and device memory.
template <class T>
struct Array {
    std::vector<T> host;
    T* device = nullptr;
    explicit Array(size_t n) : host(n) {
        for (T& value : host) value = random_of<T>();
        cudaMalloc(&device, (n + 1) * sizeof(T));
        push();
    }
    Array(const Array&) = delete;
    ~Array() { cudaFree(device); }
    void push() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
    std::vector<T> pull() const {
        std::vector<T> result(host.size());
        cudaMemcpy(result.data(), device, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return result;
    }
};

template <class T>
void compare(const std::string& what, const std::vector<T>& got, const std::vector<Wide>& expected,
             double scale = 1) {
    ++checks;
    const double epsilon = sizeof(typename Number<T>::Real) == 4 ? 2e-5 : 1e-12;
    for (size_t i = 0; i < got.size(); ++i) {
        const Wide value = Number<T>::wide(got[i]);
        if (std::abs(value - expected[i]) <= epsilon * scale * (1 + std::abs(expected[i]))) continue;
        if (++failures <= 20)
            printf("%s: element %zu is %g%+gi, not %g%+gi\n", what.c_str(), i, value.real(), value.imag(),
                   expected[i].real(), expected[i].imag());
        return;
    }
}
static void expect(const std::string& what, cublasStatus_t got,
                   cublasStatus_t wanted = CUBLAS_STATUS_SUCCESS) {
    ++checks;
    if (got != wanted && ++failures <= 20)
        printf("%s: %s, not %s\n", what.c_str(), cublasGetStatusName(got), cublasGetStatusName(wanted));
}

template <class T>
std::vector<Wide> widen(const std::vector<T>& values) {
    std::vector<Wide> result;
    for (const T& value : values) result.push_back(Number<T>::wide(value));
    return result;
}
static Wide op(cublasOperation_t trans, Wide a) { return trans == CUBLAS_OP_C ? std::conj(a) : a; }

// Where element i of a vector of n lies.
static size_t at(int i, int n, int inc) { return inc > 0 ? size_t(i) * inc : size_t(n - 1 - i) * -inc; }
static size_t span(int n, int inc) { return n ? size_t(n - 1) * std::abs(inc) + 1 : 0; }

template <class T>
struct Api;
#define SAME(L, l, T, PRE, lpre)                                                  \
    template <>                                                                   \
    struct Api<T> {                                                               \
        static constexpr char letter = #L[0];                                     \
        static constexpr auto axpy = cublas##L##axpy_v2;                          \
        static constexpr auto copy = cublas##L##copy_v2;                          \
        static constexpr auto swap = cublas##L##swap_v2;                          \
        static constexpr auto scal = cublas##L##scal_v2;                          \
        static constexpr auto asum = cublas##PRE##asum_v2;                        \
        static constexpr auto nrm2 = cublas##PRE##nrm2_v2;                        \
        static constexpr auto amax = cublasI##l##amax_v2;                         \
        static constexpr auto amin = cublasI##l##amin_v2_64;                      \
        static constexpr auto rot = cublas##L##rot_v2;                            \
        static constexpr auto rotg = cublas##L##rotg_v2;                          \
        static constexpr auto gemv = cublas##L##gemv_v2;                          \
        static constexpr auto gbmv = cublas##L##gbmv_v2;                          \
        static constexpr auto symv = cublas##L##symv_v2;                          \
        static constexpr auto syr = cublas##L##syr_v2;                            \
        static constexpr auto syr2 = cublas##L##syr2_v2;                          \
        static constexpr auto trmv = cublas##L##trmv_v2;                          \
        static constexpr auto trsv = cublas##L##trsv_v2;                          \
        static constexpr auto tbmv = cublas##L##tbmv_v2;                          \
        static constexpr auto tbsv = cublas##L##tbsv_v2;                          \
        static constexpr auto tpmv = cublas##L##tpmv_v2;                          \
        static constexpr auto tpsv = cublas##L##tpsv_v2;                          \
        static constexpr auto gemm = cublas##L##gemm_v2;                          \
        static constexpr auto gemm_64 = cublas##L##gemm_v2_64;                    \
        static constexpr auto gemmBatched = cublas##L##gemmBatched;               \
        static constexpr auto gemmStridedBatched = cublas##L##gemmStridedBatched; \
        static constexpr auto symm = cublas##L##symm_v2;                          \
        static constexpr auto syrk = cublas##L##syrk_v2;                          \
        static constexpr auto syr2k = cublas##L##syr2k_v2;                        \
        static constexpr auto trmm = cublas##L##trmm_v2;                          \
        static constexpr auto trsm = cublas##L##trsm_v2;                          \
        static constexpr auto trsmBatched = cublas##L##trsmBatched;               \
        static constexpr auto geam = cublas##L##geam;                             \
        static constexpr auto dgmm = cublas##L##dgmm;
#define REAL(L)                                        \
    static constexpr auto dotu = cublas##L##dot_v2;    \
    static constexpr auto dotc = cublas##L##dot_v2;    \
    static constexpr auto geru = cublas##L##ger_v2;    \
    static constexpr auto gerc = cublas##L##ger_v2;    \
    static constexpr auto sbmv = cublas##L##sbmv_v2;   \
    static constexpr auto spmv = cublas##L##spmv_v2;   \
    static constexpr auto spr = cublas##L##spr_v2;     \
    static constexpr auto spr2 = cublas##L##spr2_v2;   \
    static constexpr auto hemv = cublas##L##symv_v2;   \
    static constexpr auto her = cublas##L##syr_v2;     \
    static constexpr auto her2 = cublas##L##syr2_v2;   \
    static constexpr auto hemm = cublas##L##symm_v2;   \
    static constexpr auto herk = cublas##L##syrk_v2;   \
    static constexpr auto her2k = cublas##L##syr2k_v2; \
    }                                                  \
    ;
#define COMPLEX(L)                                     \
    static constexpr auto dotu = cublas##L##dotu_v2;   \
    static constexpr auto dotc = cublas##L##dotc_v2;   \
    static constexpr auto geru = cublas##L##geru_v2;   \
    static constexpr auto gerc = cublas##L##gerc_v2;   \
    static constexpr auto sbmv = cublas##L##hbmv_v2;   \
    static constexpr auto spmv = cublas##L##hpmv_v2;   \
    static constexpr auto spr = cublas##L##hpr_v2;     \
    static constexpr auto spr2 = cublas##L##hpr2_v2;   \
    static constexpr auto hemv = cublas##L##hemv_v2;   \
    static constexpr auto her = cublas##L##her_v2;     \
    static constexpr auto her2 = cublas##L##her2_v2;   \
    static constexpr auto hemm = cublas##L##hemm_v2;   \
    static constexpr auto herk = cublas##L##herk_v2;   \
    static constexpr auto her2k = cublas##L##her2k_v2; \
    }                                                  \
    ;
SAME(S, s, float, S, s)
REAL(S)
SAME(D, d, double, D, d)
REAL(D) SAME(C, c, cuComplex, Sc, c) COMPLEX(C) SAME(Z, z, cuDoubleComplex, Dz, z) COMPLEX(Z)

    // alpha and beta in host or device memory, as the handle's pointer mode wants it.
    template <class T>
    struct Factor {
    Array<T> value{1};
    const T* pointer;
    Wide wide;
    Factor(cublasHandle_t handle, double re, double im) {
        value.host[0] = Number<T>::make(re, im);
        value.push();
        cublasPointerMode_t mode;
        cublasGetPointerMode(handle, &mode);
        pointer = mode == CUBLAS_POINTER_MODE_DEVICE ? value.device : value.host.data();
        wide = Number<T>::wide(value.host[0]);
    }
};

template <class T>
struct Tests {
    using A = Api<T>;
    using R = typename Number<T>::Real;
    cublasHandle_t h;
    std::string mode;

    std::string name(const char* function) const { return std::string(1, A::letter) + function + mode; }

    void level1(int n, int incx, int incy) {
        const Factor<T> alpha(h, 0.75, -0.5);
        const auto fresh = [&](auto f) {
            Array<T> x(span(n, incx)), y(span(n, incy));
            f(x, y);
        };
        fresh([&](Array<T>& x, Array<T>& y) {
            expect(name("axpy"), A::axpy(h, n, alpha.pointer, x.device, incx, y.device, incy));
            auto expected = widen(y.host);
            for (int i = 0; i < n; ++i)
                expected[at(i, n, incy)] += alpha.wide * Number<T>::wide(x.host[at(i, n, incx)]);
            compare(name("axpy"), y.pull(), expected);
        });
        fresh([&](Array<T>& x, Array<T>& y) {
            expect(name("copy"), A::copy(h, n, x.device, incx, y.device, incy));
            auto expected = widen(y.host);
            for (int i = 0; i < n; ++i) expected[at(i, n, incy)] = Number<T>::wide(x.host[at(i, n, incx)]);
            compare(name("copy"), y.pull(), expected);
            expect(name("swap"), A::swap(h, n, x.device, incx, y.device, incy));
            compare(name("swap"), x.pull(), widen(x.host));
        });
        fresh([&](Array<T>& x, Array<T>& y) {
            expect(name("scal"), A::scal(h, n, alpha.pointer, x.device, std::abs(incx)));
            auto expected = widen(x.host);
            for (int i = 0; i < n; ++i) expected[at(i, n, std::abs(incx))] *= alpha.wide;
            compare(name("scal"), x.pull(), expected);
        });
        cublasPointerMode_t pointers;
        cublasGetPointerMode(h, &pointers);
        const bool device = pointers == CUBLAS_POINTER_MODE_DEVICE;
        const auto result_of = [&](auto call, auto zero) {
            Array<decltype(zero)> result(1);
            expect(name("reduction"), call(device ? result.device : result.host.data()));
            return device ? result.pull() : result.host;
        };
        fresh([&](Array<T>& x, Array<T>& y) {
            Wide u = 0, c = 0;
            double sum = 0, squares = 0, most = -1, least = 1e9;
            int64_t largest = 0, smallest = 0;
            const int inc = std::abs(incx);
            for (int i = 0; i < n; ++i) {
                const Wide a = Number<T>::wide(x.host[at(i, n, incx)]),
                           b = Number<T>::wide(y.host[at(i, n, incy)]);
                u += a * b;
                c += std::conj(a) * b;
                const Wide e = Number<T>::wide(x.host[at(i, n, inc)]);
                const double size = std::abs(e.real()) + std::abs(e.imag());
                sum += size;
                squares += std::norm(e);
                if (size > most) most = size, largest = i + 1;
                if (size < least) least = size, smallest = i + 1;
            }
            compare(name("dotu"),
                    result_of([&](T* r) { return A::dotu(h, n, x.device, incx, y.device, incy, r); }, T()),
                    {u});
            compare(name("dotc"),
                    result_of([&](T* r) { return A::dotc(h, n, x.device, incx, y.device, incy, r); }, T()),
                    {c});
            compare(name("asum"), result_of([&](R* r) { return A::asum(h, n, x.device, inc, r); }, R()),
                    {Wide(sum)});
            compare(name("nrm2"), result_of([&](R* r) { return A::nrm2(h, n, x.device, inc, r); }, R()),
                    {Wide(std::sqrt(squares))});
            if (n == 0) return;
            // Sizes may differ by rounding: it is the size that has to be right.
            const auto sizes_at = [&](int64_t index) {
                const Wide e = Number<T>::wide(x.host[at(int(index) - 1, n, inc)]);
                return std::abs(e.real()) + std::abs(e.imag());
            };
            const auto index_of = [&](auto call, auto zero) {
                decltype(zero)*there = nullptr, result = 0;
                cudaMalloc(&there, sizeof zero);
                expect(name("index"), call(device ? there : &result));
                if (device) cudaMemcpy(&result, there, sizeof result, cudaMemcpyDeviceToHost);
                cudaFree(there);
                return int64_t(result);
            };
            const int64_t found = index_of([&](int* r) { return A::amax(h, n, x.device, inc, r); }, 0);
            const int64_t found_64 =
                index_of([&](int64_t* r) { return A::amin(h, n, x.device, inc, r); }, int64_t(0));
            ++checks;
            if (found < 1 || found > n || found_64 < 1 || found_64 > n ||
                std::abs(sizes_at(found) - most) > 1e-6 || std::abs(sizes_at(found_64) - least) > 1e-6) {
                ++failures;
                printf("%s: %ld, %ld, not %ld, %ld\n", name("amax, amin").c_str(), long(found),
                       long(found_64), long(largest), long(smallest));
            }
        });
        // A rotation that makes the second of two numbers zero, and the same applied to vectors.
        fresh([&](Array<T>& x, Array<T>& y) {
            Array<T> a(1), b(1), s(1);
            Array<R> c(1);
            const Wide a0 = Number<T>::wide(a.host[0]), b0 = Number<T>::wide(b.host[0]);
            if (device)
                expect(name("rotg"), A::rotg(h, a.device, b.device, c.device, s.device));
            else {
                expect(name("rotg"), A::rotg(h, a.host.data(), b.host.data(), c.host.data(), s.host.data()));
                a.push(), c.push(), s.push();
            }
            const Wide r = Number<T>::wide(a.pull()[0]), cosine = c.pull()[0],
                       sine = Number<T>::wide(s.pull()[0]);
            compare(name("rotg r"), a.pull(), {cosine * a0 + sine * b0});
            compare(name("rotg 0"), std::vector<double>{std::abs(-std::conj(sine) * a0 + cosine * b0)},
                    {Wide(0)}, 1e8);
            compare(name("rotg |r|"), std::vector<double>{std::abs(r)},
                    {Wide(std::sqrt(std::norm(a0) + std::norm(b0)))}, 1e8);
            c.host = c.pull(), s.host = s.pull();
            expect(name("rot"), A::rot(h, n, x.device, incx, y.device, incy,
                                       device ? c.device : c.host.data(), device ? s.device : s.host.data()));
            auto xs = widen(x.host), ys = widen(y.host);
            for (int i = 0; i < n; ++i) {
                const Wide p = xs[at(i, n, incx)], q = ys[at(i, n, incy)];
                xs[at(i, n, incx)] = cosine * p + sine * q;
                ys[at(i, n, incy)] = cosine * q - std::conj(sine) * p;
            }
            compare(name("rot x"), x.pull(), xs);
            compare(name("rot y"), y.pull(), ys);
        });
    }

    // How a triangle or a band of an n x n matrix is stored; `k` < 0: no band.
    enum Storage { full, packed, band };
    static size_t place(Storage storage, bool upper, int n, int ld, int k, int i, int j) {
        if (storage == full) return i + size_t(j) * ld;
        if (storage == band) return (upper ? k + i - j : i - j) + size_t(j) * ld;
        return upper ? i + size_t(j) * (j + 1) / 2 : i + size_t(j) * (2 * n - j - 1) / 2;
    }
    static bool stored(Storage storage, bool upper, int k, int i, int j) {
        if (storage == band && std::abs(i - j) > k) return false;
        return upper ? i <= j : i >= j;
    }
    // The whole matrix that a stored triangle stands for.
    enum Kind { symmetric, hermitian, triangle, unit_triangle };
    static std::vector<Wide> whole(Kind kind, Storage storage, bool upper, int n, int ld, int k,
                                   const std::vector<T>& a) {
        std::vector<Wide> result(size_t(n) * n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                Wide value = 0;
                if (stored(storage, upper, k, i, j))
                    value = Number<T>::wide(a[place(storage, upper, n, ld, k, i, j)]);
                else if (kind <= hermitian && stored(storage, upper, k, j, i)) {
                    value = Number<T>::wide(a[place(storage, upper, n, ld, k, j, i)]);
                    if (kind == hermitian) value = std::conj(value);
                }
                if (i == j && kind == hermitian) value = value.real();
                if (i == j && kind == unit_triangle) value = 1;
                result[i + size_t(j) * n] = value;
            }
        return result;
    }
    static size_t storage_size(Storage storage, int n, int ld) {
        return storage == packed ? size_t(n) * (n + 1) / 2 : size_t(ld) * n;
    }
    // op of an m x n matrix times x
    static std::vector<Wide> times(cublasOperation_t trans, int m, int n, const std::vector<Wide>& a,
                                   const std::vector<Wide>& x) {
        const bool t = trans != CUBLAS_OP_N;
        std::vector<Wide> y(t ? n : m);
        for (int i = 0; i < int(y.size()); ++i)
            for (int j = 0; j < (t ? m : n); ++j)
                y[i] += op(trans, t ? a[j + size_t(i) * m] : a[i + size_t(j) * m]) * x[j];
        return y;
    }
    std::vector<Wide> elements(const Array<T>& x, int n, int inc) {
        std::vector<Wide> result;
        for (int i = 0; i < n; ++i) result.push_back(Number<T>::wide(x.host[at(i, n, inc)]));
        return result;
    }

    void products(int m, int n, int incx, int incy) {
        const Factor<T> alpha(h, 0.75, -0.5), beta(h, -0.5, 0.25), zero(h, 0, 0);
        for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
            const int xs = trans == CUBLAS_OP_N ? n : m, ys = trans == CUBLAS_OP_N ? m : n, lda = m + 3;
            Array<T> a(size_t(lda) * n), x(span(xs, incx)), y(span(ys, incy));
            for (const Factor<T>* b : {&beta, &zero}) {
                if (b == &zero)
                    for (T& value : y.host) value = Number<T>::make(NAN, NAN);
                y.push();
                std::vector<Wide> dense(size_t(m) * n), expected = widen(y.host);
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < m; ++i)
                        dense[i + size_t(j) * m] = Number<T>::wide(a.host[i + size_t(j) * lda]);
                const auto product = times(trans, m, n, dense, elements(x, xs, incx));
                for (int i = 0; i < ys; ++i) {
                    Wide& e = expected[at(i, ys, incy)];
                    e = alpha.wide * product[i] + (b == &zero ? Wide(0) : b->wide * e);
                }
                expect(name("gemv"), A::gemv(h, trans, m, n, alpha.pointer, a.device, lda, x.device, incx,
                                             b->pointer, y.device, incy));
                auto got = y.pull();
                if (std::abs(incy) != 1)  // between elements nothing changes
                    for (size_t i = 0; i < got.size(); ++i)
                        if (i % std::abs(incy) && b == &zero)
                            got[i] = y.host[i] = Number<T>::make(0, 0), expected[i] = 0;
                compare(name("gemv"), got, expected);
            }
            // A band of the same shape.
            const int kl = 2, ku = 1, ldb = kl + ku + 2;
            Array<T> band(size_t(ldb) * n), z(span(ys, incy));
            std::vector<Wide> dense(size_t(m) * n), expected = widen(z.host);
            for (int j = 0; j < n; ++j)
                for (int i = std::max(0, j - ku); i < std::min(m, j + kl + 1); ++i)
                    dense[i + size_t(j) * m] = Number<T>::wide(band.host[ku + i - j + size_t(j) * ldb]);
            const auto product = times(trans, m, n, dense, elements(x, xs, incx));
            for (int i = 0; i < ys; ++i) {
                Wide& e = expected[at(i, ys, incy)];
                e = alpha.wide * product[i] + beta.wide * e;
            }
            expect(name("gbmv"), A::gbmv(h, trans, m, n, kl, ku, alpha.pointer, band.device, ldb, x.device,
                                         incx, beta.pointer, z.device, incy));
            compare(name("gbmv"), z.pull(), expected);
        }
        // x y^T
        for (const bool conjugated : {false, true}) {
            const int lda = m + 1;
            Array<T> a(size_t(lda) * n), x(span(m, incx)), y(span(n, incy));
            auto expected = widen(a.host);
            const auto xs = elements(x, m, incx), ys = elements(y, n, incy);
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i)
                    expected[i + size_t(j) * lda] +=
                        alpha.wide * xs[i] * (conjugated ? std::conj(ys[j]) : ys[j]);
            expect(name("ger"), (conjugated ? A::gerc : A::geru)(h, m, n, alpha.pointer, x.device, incx,
                                                                 y.device, incy, a.device, lda));
            compare(name("ger"), a.pull(), expected);
        }
    }

    void triangles(int n, int incx, int incy) {
        const Factor<T> alpha(h, 0.75, -0.5), beta(h, -0.5, 0.25);
        const Factor<R> real(h, 0.75, 0);
        const int k = 3;
        for (const cublasFillMode_t uplo : {CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER}) {
            const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
            // y = alpha A x + beta y
            const auto product = [&](const char* what, Kind kind, Storage storage, int ld, auto call) {
                Array<T> a(storage_size(storage, n, ld)), x(span(n, incx)), y(span(n, incy));
                auto expected = widen(y.host);
                const auto result = times(CUBLAS_OP_N, n, n, whole(kind, storage, upper, n, ld, k, a.host),
                                          elements(x, n, incx));
                for (int i = 0; i < n; ++i) {
                    Wide& e = expected[at(i, n, incy)];
                    e = alpha.wide * result[i] + beta.wide * e;
                }
                expect(name(what), call(a.device, x.device, y.device));
                compare(name(what), y.pull(), expected);
            };
            const Kind self = Number<T>::complex ? hermitian : symmetric;
            product("symv", symmetric, full, n + 2, [&](T* a, T* x, T* y) {
                return A::symv(h, uplo, n, alpha.pointer, a, n + 2, x, incx, beta.pointer, y, incy);
            });
            product("hemv", self, full, n + 2, [&](T* a, T* x, T* y) {
                return A::hemv(h, uplo, n, alpha.pointer, a, n + 2, x, incx, beta.pointer, y, incy);
            });
            product("sbmv", self, band, k + 2, [&](T* a, T* x, T* y) {
                return A::sbmv(h, uplo, n, k, alpha.pointer, a, k + 2, x, incx, beta.pointer, y, incy);
            });
            product("spmv", self, packed, 0, [&](T* a, T* x, T* y) {
                return A::spmv(h, uplo, n, alpha.pointer, a, x, incx, beta.pointer, y, incy);
            });
            // A += alpha x x^T and the like
            const auto update = [&](const char* what, bool conjugated, bool two, Wide factor, Storage storage,
                                    int ld, auto call) {
                Array<T> a(storage_size(storage, n, ld)), x(span(n, incx)), y(span(n, incy));
                auto expected = widen(a.host);
                const auto xs = elements(x, n, incx), ys = elements(y, n, incy);
                const auto c = [&](Wide v) { return conjugated ? std::conj(v) : v; };
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i) {
                        if (!stored(storage, upper, k, i, j)) continue;
                        Wide& e = expected[place(storage, upper, n, ld, k, i, j)];
                        if (two)
                            e += factor * xs[i] * c(ys[j]) + c(factor) * ys[i] * c(xs[j]);
                        else
                            e += factor * xs[i] * c(xs[j]);
                        if (conjugated && i == j) e = e.real();
                    }
                expect(name(what), call(a.device, x.device, y.device));
                compare(name(what), a.pull(), expected);
            };
            const bool conj = Number<T>::complex;
            update("syr", false, false, alpha.wide, full, n + 1,
                   [&](T* a, T* x, T*) { return A::syr(h, uplo, n, alpha.pointer, x, incx, a, n + 1); });
            update("syr2", false, true, alpha.wide, full, n + 1, [&](T* a, T* x, T* y) {
                return A::syr2(h, uplo, n, alpha.pointer, x, incx, y, incy, a, n + 1);
            });
            update("her", conj, false, real.wide, full, n + 1,
                   [&](T* a, T* x, T*) { return A::her(h, uplo, n, real.pointer, x, incx, a, n + 1); });
            update("her2", conj, true, alpha.wide, full, n + 1, [&](T* a, T* x, T* y) {
                return A::her2(h, uplo, n, alpha.pointer, x, incx, y, incy, a, n + 1);
            });
            update("spr", conj, false, real.wide, packed, 0,
                   [&](T* a, T* x, T*) { return A::spr(h, uplo, n, real.pointer, x, incx, a); });
            update("spr2", conj, true, alpha.wide, packed, 0,
                   [&](T* a, T* x, T* y) { return A::spr2(h, uplo, n, alpha.pointer, x, incx, y, incy, a); });
            // x = op(A) x, and back
            for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
                for (const cublasDiagType_t diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
                    const auto there_and_back = [&](const char* what, Storage storage, int ld, auto multiply,
                                                    auto solve) {
                        Array<T> a(storage_size(storage, n, ld)), x(span(n, incx));
                        // Well away from singular.
                        for (T& value : a.host)
                            value = Number<T>::make(Number<T>::wide(value).real() / n, 0.1 / n);
                        for (int i = 0; i < n; ++i)
                            a.host[place(storage, upper, n, ld, k, i, i)] =
                                Number<T>::make(1.5 + 0.1 * random_number(), 0.3);
                        a.push();
                        const Kind kind = diag == CUBLAS_DIAG_UNIT ? unit_triangle : triangle;
                        auto expected = widen(x.host);
                        const auto result = times(trans, n, n, whole(kind, storage, upper, n, ld, k, a.host),
                                                  elements(x, n, incx));
                        for (int i = 0; i < n; ++i) expected[at(i, n, incx)] = result[i];
                        expect(name(what), multiply(a.device, x.device));
                        compare(name(what), x.pull(), expected);
                        expect(name(what), solve(a.device, x.device));
                        compare(name((std::string(what) + " solved").c_str()), x.pull(), widen(x.host), 10);
                    };
                    there_and_back(
                        "trmv", full, n + 1,
                        [&](T* a, T* x) { return A::trmv(h, uplo, trans, diag, n, a, n + 1, x, incx); },
                        [&](T* a, T* x) { return A::trsv(h, uplo, trans, diag, n, a, n + 1, x, incx); });
                    there_and_back(
                        "tbmv", band, k + 2,
                        [&](T* a, T* x) { return A::tbmv(h, uplo, trans, diag, n, k, a, k + 2, x, incx); },
                        [&](T* a, T* x) { return A::tbsv(h, uplo, trans, diag, n, k, a, k + 2, x, incx); });
                    there_and_back(
                        "tpmv", packed, 0,
                        [&](T* a, T* x) { return A::tpmv(h, uplo, trans, diag, n, a, x, incx); },
                        [&](T* a, T* x) { return A::tpsv(h, uplo, trans, diag, n, a, x, incx); });
                }
        }
    }

    // alpha op(a) op(b) + beta c, into columns of m
    static std::vector<Wide> product(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                     Wide alpha, const std::vector<Wide>& a, int lda,
                                     const std::vector<Wide>& b, int ldb) {
        std::vector<Wide> c(size_t(m) * n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                Wide sum = 0;
                for (int l = 0; l < k; ++l)
                    sum += op(ta, ta == CUBLAS_OP_N ? a[i + size_t(l) * lda] : a[l + size_t(i) * lda]) *
                           op(tb, tb == CUBLAS_OP_N ? b[l + size_t(j) * ldb] : b[j + size_t(l) * ldb]);
                c[i + size_t(j) * m] = alpha * sum;
            }
        return c;
    }
    // c = product + beta c, where `keep` says so
    static void put(
        std::vector<Wide>& c, int ldc, int m, int n, const std::vector<Wide>& product, Wide beta,
        const std::function<bool(int, int)>& keep = [](int, int) { return true; },
        bool real_diagonal = false) {
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                if (keep(i, j)) {
                    Wide& e = c[i + size_t(j) * ldc];
                    e = product[i + size_t(j) * m] + (beta == 0.0 ? Wide(0) : beta * e);
                    if (real_diagonal && i == j) e = e.real();
                }
    }

    void gemm(int m, int n, int k) {
        const Factor<T> alpha(h, 0.75, -0.5), beta(h, -0.5, 0.25);
        const int batches = 3;
        for (const cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
            for (const cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
                const int lda = (ta == CUBLAS_OP_N ? m : k) + 2, ldb = (tb == CUBLAS_OP_N ? k : n) + 1,
                          ldc = m + 3;
                const size_t sa = size_t(lda) * (ta == CUBLAS_OP_N ? k : m),
                             sb = size_t(ldb) * (tb == CUBLAS_OP_N ? n : k), sc = size_t(ldc) * n;
                Array<T> a(sa * batches), b(sb * batches), c(sc * batches);
                auto expected = widen(c.host), all_expected = expected;
                for (int batch = 0; batch < batches; ++batch) {
                    const auto part = [&](const Array<T>& x, size_t size) {
                        return widen(std::vector<T>(x.host.begin() + batch * size,
                                                    x.host.begin() + (batch + 1) * size));
                    };
                    auto one = part(c, sc);
                    put(one, ldc, m, n,
                        product(ta, tb, m, n, k, alpha.wide, part(a, sa), lda, part(b, sb), ldb), beta.wide);
                    std::copy(one.begin(), one.end(), all_expected.begin() + batch * sc);
                    if (batch == 0) std::copy(one.begin(), one.end(), expected.begin());
                }
                expect(name("gemm"), A::gemm(h, ta, tb, m, n, k, alpha.pointer, a.device, lda, b.device, ldb,
                                             beta.pointer, c.device, ldc));
                compare(name("gemm"), c.pull(), expected);
                c.push();
                expect(name("gemm_64"), A::gemm_64(h, ta, tb, m, n, k, alpha.pointer, a.device, lda, b.device,
                                                   ldb, beta.pointer, c.device, ldc));
                compare(name("gemm_64"), c.pull(), expected);
                if (ta != tb) continue;
                c.push();
                expect(name("gemmStridedBatched"),
                       A::gemmStridedBatched(h, ta, tb, m, n, k, alpha.pointer, a.device, lda, sa, b.device,
                                             ldb, sb, beta.pointer, c.device, ldc, sc, batches));
                compare(name("gemmStridedBatched"), c.pull(), all_expected);
                c.push();
                std::vector<T*> addresses;
                for (const auto& [base, size] :
                     {std::pair(a.device, sa), std::pair(b.device, sb), std::pair(c.device, sc)})
                    for (int i = 0; i < batches; ++i) addresses.push_back(base + i * size);
                T** pointers;
                cudaMalloc(&pointers, addresses.size() * sizeof(T*));
                cudaMemcpy(pointers, addresses.data(), addresses.size() * sizeof(T*), cudaMemcpyHostToDevice);
                expect(name("gemmBatched"),
                       A::gemmBatched(h, ta, tb, m, n, k, alpha.pointer, pointers, lda, pointers + batches,
                                      ldb, beta.pointer, pointers + 2 * batches, ldc, batches));
                compare(name("gemmBatched"), c.pull(), all_expected);
                cudaFree(pointers);
            }
    }

    void level3(int m, int n) {
        const Factor<T> alpha(h, 0.75, -0.5), beta(h, -0.5, 0.25);
        const Factor<R> real_alpha(h, 0.75, 0), real_beta(h, -0.5, 0);
        const bool complex = Number<T>::complex;
        const cublasOperation_t N = CUBLAS_OP_N;
        for (const cublasFillMode_t uplo : {CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER}) {
            const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
            for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
                const bool left = side == CUBLAS_SIDE_LEFT;
                const int na = left ? m : n, lda = na + 1, ldb = m + 2, ldc = m + 3;
                for (const bool hermit : {false, true}) {
                    Array<T> a(size_t(lda) * na), b(size_t(ldb) * n), c(size_t(ldc) * n);
                    const auto dense =
                        whole(hermit && complex ? hermitian : symmetric, full, upper, na, lda, 0, a.host);
                    auto expected = widen(c.host);
                    put(expected, ldc, m, n,
                        left ? product(N, N, m, n, m, alpha.wide, dense, m, widen(b.host), ldb)
                             : product(N, N, m, n, n, alpha.wide, widen(b.host), ldb, dense, n),
                        beta.wide);
                    expect(name("symm"),
                           (hermit ? A::hemm : A::symm)(h, side, uplo, m, n, alpha.pointer, a.device, lda,
                                                        b.device, ldb, beta.pointer, c.device, ldc));
                    compare(name(hermit ? "hemm" : "symm"), c.pull(), expected);
                }
                for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
                    for (const cublasDiagType_t diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
                        Array<T> a(size_t(lda) * na), b(size_t(ldb) * n), c(size_t(ldc) * n);
                        for (T& value : a.host)
                            value = Number<T>::make(Number<T>::wide(value).real() / na, 0.1 / na);
                        for (int i = 0; i < na; ++i)
                            a.host[i + size_t(i) * lda] = Number<T>::make(1.5 + 0.1 * random_number(), 0.3);
                        a.push();
                        const auto dense = whole(diag == CUBLAS_DIAG_UNIT ? unit_triangle : triangle, full,
                                                 upper, na, lda, 0, a.host);
                        auto expected = widen(c.host);
                        const auto result =
                            left ? product(trans, N, m, n, m, alpha.wide, dense, m, widen(b.host), ldb)
                                 : product(N, trans, m, n, n, alpha.wide, widen(b.host), ldb, dense, n);
                        put(expected, ldc, m, n, result, 0);
                        expect(name("trmm"), A::trmm(h, side, uplo, trans, diag, m, n, alpha.pointer,
                                                     a.device, lda, b.device, ldb, c.device, ldc));
                        compare(name("trmm"), c.pull(), expected);
                        // In place, and back.
                        auto in_place = widen(b.host);
                        put(in_place, ldb, m, n, result, 0);
                        expect(name("trmm"), A::trmm(h, side, uplo, trans, diag, m, n, alpha.pointer,
                                                     a.device, lda, b.device, ldb, b.device, ldb));
                        compare(name("trmm in place"), b.pull(), in_place);
                        const Wide inverse = 1.0 / alpha.wide;
                        const Factor<T> back(h, inverse.real(), inverse.imag());
                        expect(name("trsm"), A::trsm(h, side, uplo, trans, diag, m, n, back.pointer, a.device,
                                                     lda, b.device, ldb));
                        compare(name("trsm"), b.pull(), widen(b.host), 10);
                    }
            }
            // n x n of products of matrices with k = m columns
            for (const bool straight : {true, false})
                for (const bool hermit : {false, true}) {
                    const bool conj = hermit && complex;
                    const int k = m, lda = (straight ? n : k) + 1, ldb = lda + 1, ldc = n + 2;
                    const cublasOperation_t other = conj ? CUBLAS_OP_C : CUBLAS_OP_T,
                                            trans = straight ? N : other, ta = trans,
                                            tb = straight ? other : N;
                    const size_t columns = straight ? k : n;
                    Array<T> a(lda * columns), b(ldb * columns), c(size_t(ldc) * n);
                    const auto keep = [&](int i, int j) { return upper ? i <= j : i >= j; };
                    auto expected = widen(c.host);
                    put(expected, ldc, n, n,
                        product(ta, tb, n, n, k, conj ? real_alpha.wide : alpha.wide, widen(a.host), lda,
                                widen(a.host), lda),
                        conj ? real_beta.wide : beta.wide, keep, conj);
                    if constexpr (Number<T>::complex) {
                        if (hermit)
                            expect(name("herk"), A::herk(h, uplo, trans, n, k, real_alpha.pointer, a.device,
                                                         lda, real_beta.pointer, c.device, ldc));
                        else
                            expect(name("syrk"), A::syrk(h, uplo, trans, n, k, alpha.pointer, a.device, lda,
                                                         beta.pointer, c.device, ldc));
                    } else {
                        expect(name("syrk"), A::syrk(h, uplo, trans, n, k, alpha.pointer, a.device, lda,
                                                     beta.pointer, c.device, ldc));
                    }
                    compare(name(hermit ? "herk" : "syrk"), c.pull(), expected);
                    c.push();
                    expected = widen(c.host);
                    auto sum = product(ta, tb, n, n, k, alpha.wide, widen(a.host), lda, widen(b.host), ldb);
                    const auto second = product(ta, tb, n, n, k, conj ? std::conj(alpha.wide) : alpha.wide,
                                                widen(b.host), ldb, widen(a.host), lda);
                    for (size_t i = 0; i < sum.size(); ++i) sum[i] += second[i];
                    put(expected, ldc, n, n, sum, conj ? real_beta.wide : beta.wide, keep, conj);
                    if constexpr (Number<T>::complex) {
                        if (hermit)
                            expect(name("her2k"), A::her2k(h, uplo, trans, n, k, alpha.pointer, a.device, lda,
                                                           b.device, ldb, real_beta.pointer, c.device, ldc));
                        else
                            expect(name("syr2k"), A::syr2k(h, uplo, trans, n, k, alpha.pointer, a.device, lda,
                                                           b.device, ldb, beta.pointer, c.device, ldc));
                    } else {
                        expect(name("syr2k"), A::syr2k(h, uplo, trans, n, k, alpha.pointer, a.device, lda,
                                                       b.device, ldb, beta.pointer, c.device, ldc));
                    }
                    compare(name(hermit ? "her2k" : "syr2k"), c.pull(), expected);
                }
        }
        for (const cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
            for (const cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
                const int lda = (ta == N ? m : n) + 1, ldb = (tb == N ? m : n) + 2, ldc = m + 3;
                Array<T> a(size_t(lda) * (ta == N ? n : m)), b(size_t(ldb) * (tb == N ? n : m)),
                    c(size_t(ldc) * n);
                auto expected = widen(c.host);
                const auto as = widen(a.host), bs = widen(b.host);
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < m; ++i)
                        expected[i + size_t(j) * ldc] =
                            alpha.wide * op(ta, ta == N ? as[i + size_t(j) * lda] : as[j + size_t(i) * lda]) +
                            beta.wide * op(tb, tb == N ? bs[i + size_t(j) * ldb] : bs[j + size_t(i) * ldb]);
                expect(name("geam"), A::geam(h, ta, tb, m, n, alpha.pointer, a.device, lda, beta.pointer,
                                             b.device, ldb, c.device, ldc));
                compare(name("geam"), c.pull(), expected);
            }
        for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
            const int count = side == CUBLAS_SIDE_LEFT ? m : n, lda = m + 1, ldc = m + 2;
            Array<T> a(size_t(lda) * n), x(span(count, 2)), c(size_t(ldc) * n);
            auto expected = widen(c.host);
            const auto xs = elements(x, count, 2);
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i)
                    expected[i + size_t(j) * ldc] =
                        Number<T>::wide(a.host[i + size_t(j) * lda]) * xs[side == CUBLAS_SIDE_LEFT ? i : j];
            expect(name("dgmm"), A::dgmm(h, side, m, n, a.device, lda, x.device, 2, c.device, ldc));
            compare(name("dgmm"), c.pull(), expected);
        }
    }

    void all(bool part, bool large) {
        cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
        mode = "";
        level1(77, 1, 1);
        level1(3001, 2, -3);
        level1(0, 1, 1);
        gemm(17, 33, 9);
        if (large) gemm(190, 200, 20);
        if (!part) {
            products(37, 19, 1, 1);
            products(5, 70, -2, 3);
            triangles(41, -1, 2);
            level3(35, 21);
        }
        cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
        mode = ", device pointers";
        level1(1100, -1, 1);
        gemm(20, 3, 40);
        if (!part) {
            products(33, 40, 1, -1);
            triangles(9, 1, 1);
            level3(8, 40);
        }
    }
};

template <class T>
void run(bool part, bool large) {
    failures = checks = 0;
    cublasHandle_t handle;
    expect("create", cublasCreate(&handle));
    Tests<T>{handle, ""}.all(part, large);
    expect("destroy", cublasDestroy(handle));
    if (const cudaError_t error = cudaDeviceSynchronize())
        ++failures, printf("%s\n", cudaGetErrorString(error));
    if (failures)
        printf("%c: %d of %d checks failed\n", Api<T>::letter, failures, checks);
    else
        printf("%c: all as the reference\n", Api<T>::letter);
}

#ifndef TYPES
#define TYPES "SDCZ+"
#endif
constexpr bool wanted(char letter) {
    for (const char c : TYPES)
        if (c == letter) return true;
    return false;
}

template <class T>
void run_if_wanted() {
    if constexpr (wanted(Api<T>::letter)) run<T>(wanted('-'), wanted('+'));
}

int main() {
    run_if_wanted<float>();
    run_if_wanted<double>();
    run_if_wanted<cuComplex>();
    run_if_wanted<cuDoubleComplex>();
}
