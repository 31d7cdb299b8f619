// Transforms: what is given goes into the work area as complex numbers without gaps, then each dimension is
// transformed in passes between the area's halves, and what comes out goes where the plan says.
//
// A pass is a step of Stockham's: with `done` the product of earlier radices, each thread takes r numbers n /
// r apart, turns them, transforms them, and puts them `done` apart. No order is ever reversed, and any n will
// do; a prime factor that has no kernel of its own costs as many multiplications as it is large, for each
// element.
#include "cublas/complex.h"
#include "cufft/plan.h"

namespace lockstep::cufft {

using cublas::Complex;

// Which of an array's numbers a place in n0 x n1 x n2 of a batch is.
struct Shape {
    long long n[3];
    long long total;
    Storage storage;

    __device__ long long at(long long batch, const long long (&x)[3]) const {
        return batch * storage.distance +
               ((x[0] * storage.embed[1] + x[1]) * storage.embed[2] + x[2]) * storage.stride;
    }
};

__device__ inline void turn(float half_turns, float* sine, float* cosine) {
    sincospif(half_turns, sine, cosine);
}
__device__ inline void turn(double half_turns, double* sine, double* cosine) {
    sincospi(half_turns, sine, cosine);
}
// exp(2 pi i sign part / whole)
template <class R>
__device__ Complex<R> root(int sign, long long part, long long whole) {
    R sine, cosine;
    turn(static_cast<R>(2 * sign * part) / static_cast<R>(whole), &sine, &cosine);
    return {cosine, sine};
}

// The same for the few that a kernel's own radix has: numbers, once loops are straight code.
template <class R, int radix>
__device__ Complex<R> root_of(int sign, int part) {
    constexpr double s = 0.70710678118654752440, s3 = 0.86602540378443864676, c5 = 0.30901699437494742410,
                     s5 = 0.95105651629515357212, c5_2 = -0.80901699437494742410,
                     s5_2 = 0.58778525229247312917;
    if constexpr (radix == 3) {
        constexpr double cosines[] = {1, -0.5, -0.5}, sines[] = {0, s3, -s3};
        return {static_cast<R>(cosines[part]), static_cast<R>(sign * sines[part])};
    } else if constexpr (radix == 5) {
        constexpr double cosines[] = {1, c5, c5_2, c5_2, c5}, sines[] = {0, s5, s5_2, -s5_2, -s5};
        return {static_cast<R>(cosines[part]), static_cast<R>(sign * sines[part])};
    } else {
        constexpr double cosines[] = {1, s, 0, -s, -1, -s, 0, s}, sines[] = {0, s, 1, s, 0, -s, -1, -s};
        return {static_cast<R>(cosines[part * (8 / radix)]),
                static_cast<R>(sign * sines[part * (8 / radix)])};
    }
}

enum class Side : int { complex, real, half };

template <class R>
__global__ void gather(Shape shape, Side side, const void* from, Complex<R>* to) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= shape.total) return;
    long long x[3] = {i / (shape.n[1] * shape.n[2]) % shape.n[0], i / shape.n[2] % shape.n[1],
                      i % shape.n[2]};
    const long long batch = i / (shape.n[0] * shape.n[1] * shape.n[2]);
    if (side == Side::real) {
        to[i] = static_cast<const R*>(from)[shape.at(batch, x)];
        return;
    }
    // The half that is not there is the conjugate of what lies across.
    const bool across = side == Side::half && x[2] > shape.n[2] / 2;
    if (across)
        for (int axis = 0; axis < 3; ++axis) x[axis] = x[axis] ? shape.n[axis] - x[axis] : 0;
    const Complex<R> value = static_cast<const Complex<R>*>(from)[shape.at(batch, x)];
    to[i] = across ? cublas::conjugate(value) : value;
}

template <class R>
__global__ void scatter(Shape shape, Side side, const Complex<R>* from, void* to) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= shape.total) return;
    const long long x[3] = {i / (shape.n[1] * shape.n[2]) % shape.n[0], i / shape.n[2] % shape.n[1],
                            i % shape.n[2]};
    const long long batch = i / (shape.n[0] * shape.n[1] * shape.n[2]);
    if (side == Side::half && x[2] > shape.n[2] / 2) return;
    const long long at = shape.at(batch, x);
    if (side == Side::real)
        static_cast<R*>(to)[at] = from[i].re;
    else
        static_cast<Complex<R>*>(to)[at] = from[i];
}

// Lines of n numbers, `step` apart; those that begin side by side are taken by threads side by side.
struct Pass {
    long long threads, n, step, done;
    int radix, sign;
};

template <class R, int radix>
__global__ void __launch_bounds__(256) pass(Pass task, const Complex<R>* from, Complex<R>* to) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= task.threads) return;
    const long long each = task.n / radix, inner = i % task.step, j = i / task.step % each,
                    line = i / task.step / each * task.n * task.step + inner, turned = j % task.done;
    Complex<R> values[radix];
#pragma unroll
    for (int q = 0; q < radix; ++q) {
        values[q] = from[line + (j + q * each) * task.step];
        if (q > 0 && task.done > 1) values[q] = values[q] * root<R>(task.sign, turned * q, task.done * radix);
    }
    const long long first = (j / task.done) * task.done * radix + turned;
#pragma unroll
    for (int p = 0; p < radix; ++p) {
        Complex<R> sum = values[0];
#pragma unroll
        for (int q = 1; q < radix; ++q)
            sum = p == 0 ? sum + values[q] : sum + values[q] * root_of<R, radix>(task.sign, p * q % radix);
        to[line + (first + p * task.done) * task.step] = sum;
    }
}

// A thread for each result.
template <class R>
__global__ void __launch_bounds__(256) large_pass(Pass task, const Complex<R>* from, Complex<R>* to) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= task.threads * task.radix) return;
    const long long each = task.n / task.radix, inner = i % task.step, result = i / task.step % task.n,
                    line = i / task.step / task.n * task.n * task.step + inner;
    const long long p = result / each, j = result % each, turned = j % task.done;
    const long long whole = task.done * task.radix;
    // The turn of each number and its part in this result are one.
    const long long turn_by = (turned + p * task.done) % whole;
    Complex<R> sum = from[line + j * task.step];
    long long part = 0;
    for (int q = 1; q < task.radix; ++q) {
        part += turn_by;
        if (part >= whole) part -= whole;
        sum += from[line + (j + q * each) * task.step] * root<R>(task.sign, part, whole);
    }
    to[line + ((j / task.done) * whole + turned + p * task.done) * task.step] = sum;
}

namespace {

int radix_for(long long n) {
    for (const int radix : {8, 4, 2, 3, 5})
        if (n % radix == 0) return radix;
    for (long long radix = 7; radix * radix <= n; radix += 2)
        if (n % radix == 0) return static_cast<int>(radix);
    return static_cast<int>(n);
}

template <class... P>
bool start(void (*kernel)(P...), long long threads, cudaStream_t stream, P... arguments) {
    void* addresses[] = {&arguments...};
    const auto blocks = static_cast<unsigned>((threads + 255) / 256);
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), blocks, 256, addresses, 0, stream) ==
           cudaSuccess;
}

template <class R>
bool start_pass(const Pass& task, cudaStream_t stream, const Complex<R>* from, Complex<R>* to) {
    switch (task.radix) {
        case 2: return start(pass<R, 2>, task.threads, stream, task, from, to);
        case 3: return start(pass<R, 3>, task.threads, stream, task, from, to);
        case 4: return start(pass<R, 4>, task.threads, stream, task, from, to);
        case 5: return start(pass<R, 5>, task.threads, stream, task, from, to);
        case 8: return start(pass<R, 8>, task.threads, stream, task, from, to);
        default: return start(large_pass<R>, task.threads * task.radix, stream, task, from, to);
    }
}

template <class R>
cufftResult run(const Plan& plan, const void* in, void* out, int sign) {
    Shape from = {{plan.n[0], plan.n[1], plan.n[2]}, plan.elements() * plan.batch, plan.in}, to = from;
    to.storage = plan.out;
    // One array for both: a row of real numbers has the room of its half spectrum.
    if (plan.basic && in == out && (plan.from_real() || plan.to_real())) {
        Storage& real = plan.from_real() ? from.storage : to.storage;
        real.embed[2] = 2 * (plan.n[2] / 2 + 1);
        real.distance = plan.n[0] * plan.n[1] * real.embed[2];
    }
    auto* now = static_cast<Complex<R>*>(plan.area);
    Complex<R>* next = now + from.total;
    const Side given = plan.from_real() ? Side::real : plan.to_real() ? Side::half : Side::complex;
    const Side wanted = plan.from_real() ? Side::half : plan.to_real() ? Side::real : Side::complex;
    if (!start(gather<R>, from.total, plan.stream, from, given, in, now)) return CUFFT_EXEC_FAILED;
    long long step = 1;
    for (int axis = 2; axis >= 0; --axis) {
        const long long n = plan.n[axis];
        for (long long done = 1; done < n;) {
            const int radix = radix_for(n / done);
            const Pass task = {from.total / radix, n, step, done, radix, sign};
            if (!start_pass<R>(task, plan.stream, now, next)) return CUFFT_EXEC_FAILED;
            Complex<R>* const free = now;
            now = next;
            next = free;
            done *= radix;
        }
        step *= n;
    }
    const Complex<R>* const result = now;
    if (!start(scatter<R>, to.total, plan.stream, to, wanted, result, out)) return CUFFT_EXEC_FAILED;
    return CUFFT_SUCCESS;
}

}  // namespace

cufftResult transform(const Plan& plan, const void* in, void* out, int direction) {
    return plan.is_double() ? run<double>(plan, in, out, direction) : run<float>(plan, in, out, direction);
}

}  // namespace lockstep::cufft
