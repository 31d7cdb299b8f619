// Functions that CUDA has and the host's C library lacks, in double.
#pragma once

namespace lockstep::exec::special {

double sinpi(double x);
double cospi(double x);
double erfcx(double x);  // exp(x²)·erfc(x)
double erfinv(double x);
double erfcinv(double x);
double normcdf(double x);
double normcdfinv(double p);
double bessel_i0(double x);
double bessel_i1(double x);
double rsqrt(double x);
double rcbrt(double x);
// Euclidean norm without needless overflow or underflow, and its reciprocal.
double norm(const double* values, int count);
double rnorm(const double* values, int count);

// By squaring, as NVIDIA's library does: the error grows with the exponent, and is the same bit for bit.
template <class T>
T powi(T a, int b) {
    T r = 1;
    for (unsigned n = b < 0 ? 0u - static_cast<unsigned>(b) : static_cast<unsigned>(b); n; n >>= 1) {
        if (n & 1) r *= a;
        a *= a;
    }
    return b < 0 ? 1 / r : r;
}

}  // namespace lockstep::exec::special
