// cuda::std on both sides: the same functions give the same on the host and in a kernel, and with NVIDIA's
// headers.
// RUN: lockstep run %s
// OUT: ^tuples 104 104$
// OUT: ^vocabulary 356 356$
// OUT: ^thrown, a span of 5$
// ALSO: nvcc
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cstdint>
#include <cuda/std/expected>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>
#include <vector>
namespace s = cuda::std;

struct M {
    int a;
    __host__ __device__ int f(int x) const { return a + x; }
};

__host__ __device__ int tuples() {
    s::tuple<int, float, s::array<int, 3>> t(1, 2.5f, s::array<int, 3>{{1, 2, 3}});
    auto u = t;
    u = t;
    int a;
    float b;
    s::tie(a, b, s::ignore) = t;
    auto p = s::make_pair(3, 4.0);
    p = s::pair<int, int>(5, 6);
    s::array<int, 4> arr{1, 2, 3, 4};
    arr.fill(2);
    s::swap(a, arr[0]);
    s::tuple<int, int> q{p};
    q = p;
    bool lt = q < s::make_tuple(9, 9) && t == u;
    M m{3};
    int z = s::invoke(&M::f, m, 4) + s::invoke(&M::a, &m) + s::plus<>()(1, 2) + s::get<int>(t);
    auto c = s::tuple_cat(t, p, s::make_tuple(7), arr);
    z += s::get<5>(c) + s::apply([](int x, int y) { return x * y; }, q);
    z += s::bind_front(s::plus<>(), 3)(4) + s::not_fn(s::less<int>())(2, 1) + s::mem_fn(&M::a)(m);
    static_assert(s::tuple_size<decltype(c)>::value == 10);
    static_assert(s::is_same_v<decltype(s::get<9>(c)), int&>);
    auto [x, y] = p;
    auto [f, g, h] = t;
    auto [i, j, k, l] = arr;
    z += x + y + f + g + h[0] + i + j + k + l;
    int v = 1;
    auto r = s::ref(v);
    r.get() = 5;
    auto mt = s::make_tuple(r, 2);
    s::get<0>(mt) = 8;
    z += s::exchange(v, 3);
    return z + a + lt + s::numeric_limits<int>::max() % 7 + *s::next(arr.begin()) + *arr.rbegin() +
           s::distance(arr.begin(), arr.end());
}

// Counts how many of it there are.
struct D {
    int* n;
    __host__ __device__ D(int* n) : n(n) {}
    __host__ __device__ D(const D& o) : n(o.n) { ++*n; }
    __host__ __device__ ~D() { --*n; }
};
__host__ __device__ s::optional<int> halved(int x) {
    if (x % 2) return s::nullopt;
    return x / 2;
}
__host__ __device__ s::expected<int, float> doubled(int x) {
    if (x < 0) return s::unexpected<float>(1.5f);
    return x * 2;
}

__host__ __device__ int vocabulary() {
    int z = 0;
    auto o = halved(8);
    z += *o + o.value() + halved(3).value_or(100);
    o = s::nullopt;
    z += o.has_value();
    o = 5;
    z += (o == 5) + (o < halved(100));
    s::optional<float> f(o);
    z += *f;
    int n = 10;
    {
        s::optional<D> d;
        d.emplace(&n);
        auto e = d;
        e = d;
        e.reset();
        z += n;
    }
    z += n;
    int a[6] = {1, 2, 3, 4, 5, 6};
    s::span<int> sp(a);
    s::span<int, 6> fx(a);
    s::span<const int> cs = fx;
    z += sp.size() + cs[2] + sp.subspan(2, 3).front() + fx.first<2>().back() + sizeof(fx);
    for (int v : sp) z += v;
    z += s::accumulate(sp.begin(), sp.end(), 0) + s::gcd(12, 18) + s::lcm(4u, 6u) + s::midpoint(1, 9) +
         s::popcount(255u) + s::countl_zero((unsigned char)1) + s::countr_zero(8ull) + s::bit_ceil(5u) +
         s::bit_width(9u) + s::rotl((unsigned char)0x81, 1) + s::bit_cast<unsigned>(1.0f) % 17;
    s::variant<int, float, s::array<int, 3>> v = 3;
    z += s::get<int>(v);
    v = 2.5f;
    z += s::get<1>(v) * 2 + v.index() + s::holds_alternative<float>(v);
    z += s::visit(
        [](auto& x) -> int {
            if constexpr (s::is_same_v<s::remove_cvref_t<decltype(x)>, s::array<int, 3>>)
                return x[0];
            else
                return x * 10;
        },
        v);
    s::variant<int, float> w = 7;
    z += s::visit([](auto, auto) -> int { return 1; }, w, w);
    {
        s::variant<int, D> d(s::in_place_type_t<D>(), &n);
        auto e = d;
        z += n;
        e = 4;
        z += n;
    }
    z += n;
    auto e1 = doubled(4), e2 = doubled(-1);
    z += *e1 + e2.error() * 2 + e2.value_or(9) + e1.transform([](int x) { return x + 1; }).value() +
         e1.and_then([](int x) { return doubled(-x); }).has_value();
    s::expected<void, int> ev;
    z += ev.has_value();
    ev = s::unexpected<int>(4);
    z += ev.error();
    z += (v == v) + (v != v);
    return z;
}

__global__ void run(int* o) {
    o[0] = tuples();
    o[1] = vocabulary();
}

int main() {
    int* o;
    cudaMallocManaged(&o, 8);
    run<<<1, 1>>>(o);
    cudaDeviceSynchronize();
    std::printf("tuples %d %d\n", tuples(), o[0]);
    std::printf("vocabulary %d %d\n", vocabulary(), o[1]);
    std::vector<int> v(5);
    s::span<int> sv(v);
    try {
        halved(3).value();
    } catch (const s::bad_optional_access&) {
        std::printf("thrown, a span of %zu\n", sv.size());
    }
}
