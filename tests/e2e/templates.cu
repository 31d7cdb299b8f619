// C++ in kernels: templates, constexpr if, fold expressions, lambdas, functors, structured bindings, range
// for.
// ALSO: nvcc
// RUN: lockstep run -std=c++17 %s
// OUT: ^templates ok$
// RUN: lockstep run -std=c++20 %s
// OUT: ^templates ok$
#include <type_traits>

#include "support/check.h"

template <class T, int N>
struct Array {
    T data[N];
    __host__ __device__ T& operator[](int i) { return data[i]; }
    __host__ __device__ const T* begin() const { return data; }
    __host__ __device__ const T* end() const { return data + N; }
};

template <class T>
__host__ __device__ auto describe(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return value * T(0.5);
    else if constexpr (std::is_signed_v<T>)
        return -value;
    else
        return value + 1u;
}

template <class... Ts>
__host__ __device__ int sum_all(Ts... values) {
    return (0 + ... + static_cast<int>(values));
}

template <int N>
__host__ __device__ constexpr int power_of_two() {
    if constexpr (N == 0)
        return 1;
    else
        return 2 * power_of_two<N - 1>();
}

__host__ __device__ constexpr int constexpr_fibonacci(int n) {
    int a = 0, b = 1;
    for (int i = 0; i < n; ++i) {
        int next = a + b;
        a = b;
        b = next;
    }
    return a;
}

struct Scale {
    int factor;
    __host__ __device__ int operator()(int x) const { return x * factor; }
};

struct Pair {
    int first;
    float second;
};

template <class F, class G>
__host__ __device__ auto compose(F f, G g) {
    return [=](auto x) { return f(g(x)); };
}

template <class T, class F>
__global__ void transform(T* out, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(i);
}

template <class T>
__global__ void language(T* out) {
    int t = threadIdx.x;
    Array<T, 5> array{};
    for (int i = 0; i < 5; ++i) array[i] = static_cast<T>(t + i);
    T total{};
    for (T value : array) total += value;
    auto [first, second] = Pair{t, 2.5f};
    int captured = first;
    auto add = [&captured](int more) { captured += more; };
    add(3);
    auto square = [](auto x) { return x * x; };
    constexpr int constant = constexpr_fibonacci(10);
    out[t * 6 + 0] = total;
    out[t * 6 + 1] = static_cast<T>(describe(static_cast<T>(t)));
    out[t * 6 + 2] = static_cast<T>(sum_all(t, 2.0f, 3u, 'a'));
    out[t * 6 + 3] = static_cast<T>(captured + power_of_two<10>());
    out[t * 6 + 4] = static_cast<T>(square(t) + square(second));
    out[t * 6 + 5] = static_cast<T>(compose(Scale{3}, [](int x) { return x + 1; })(t) + constant);
}

template <class T>
void check_language() {
    const int n = 40;
    T* out = device_zeros<T>(n * 6);
    language<T><<<1, n>>>(out);
    auto host = to_host(out, n * 6);
    for (int t = 0; t < n; ++t) {
        EXPECT_AT(t, host[t * 6 + 0], static_cast<T>(5 * t + 10));
        EXPECT_AT(t, host[t * 6 + 1], static_cast<T>(describe(static_cast<T>(t))));
        EXPECT_AT(t, host[t * 6 + 2], static_cast<T>(t + 5 + 'a'));
        EXPECT_AT(t, host[t * 6 + 3], static_cast<T>(t + 3 + 1024));
        EXPECT_AT(t, host[t * 6 + 4], static_cast<T>(t * t + 6.25f));
        EXPECT_AT(t, host[t * 6 + 5], static_cast<T>(3 * (t + 1) + 55));
    }
}

int main() {
    check_language<int>();
    check_language<unsigned>();
    check_language<float>();
    check_language<double>();
    int* out = device_zeros<int>(100);
    transform<<<4, 32>>>(out, 100, Scale{7});
    auto host = to_host(out, 100);
    for (int i = 0; i < 100; ++i) EXPECT_AT(i, host[i], i * 7);
    return finish("templates");
}
