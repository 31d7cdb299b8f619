// The integer implementation of floating point against the host's own in every rounding mode, and against a
// search through all values for the formats that the host does not have.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "exec/scalar/float-convert.h"
#include "exec/scalar/float-ops.h"
#include "lib-function.h"

namespace {

using namespace lockstep::exec;
using soft::Round;

const std::pair<const char*, int> modes[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

template <class R, class... A>
auto function(const std::string& name) {
    const ScalarFunction* f = find_float_op(name);
    if (!f) throw std::runtime_error("no " + name);
    return reinterpret_cast<R (*)(A...)>(f->address);
}

// Random floats with exponents near each other, at the ends of the range, and of any kind.
template <class T, class Bits>
class Values {
  public:
    T next() {
        Bits bits = static_cast<Bits>(random_());
        constexpr int mantissa = sizeof(T) == 4 ? 23 : 52;
        constexpr Bits bias = sizeof(T) == 4 ? 127 : 1023, top = bias * 2;
        constexpr Bits keep = ~((bias * 2 + 1) << mantissa);
        auto with_field = [&](std::uint64_t field) {
            return std::bit_cast<T>(static_cast<Bits>((bits & keep) | static_cast<Bits>(field) << mantissa));
        };
        switch (random_() % 5) {
            case 0: return std::bit_cast<T>(bits);
            case 1: return with_field(bias + random_() % 5 - 2);
            case 2: return with_field(random_() % 3);
            case 3: return with_field(top - random_() % 3);
            default: return static_cast<T>(static_cast<int>(random_() % 64) - 32) / 4;
        }
    }

  private:
    std::mt19937_64 random_{20240607};
};

template <class T>
testing::AssertionResult same(T expected, T got, const std::vector<T>& operands) {
    bool equal = std::isnan(expected) ? std::isnan(got)
                                      : expected == got && std::signbit(expected) == std::signbit(got);
    if (equal) return testing::AssertionSuccess();
    auto result = testing::AssertionFailure() << std::hexfloat;
    for (T v : operands) result << v << " ";
    return result << "expected " << expected << " got " << got;
}

template <class T, class Bits>
void check_arithmetic(const std::string& type) {
    for (auto [name, mode] : modes) {
        std::string suffix = std::string(".") + name + "." + type;
        auto add = function<T, T, T>("add" + suffix), sub = function<T, T, T>("sub" + suffix);
        auto mul = function<T, T, T>("mul" + suffix), div = function<T, T, T>("div" + suffix);
        auto fma = function<T, T, T, T>("fma" + suffix);
        auto sqrt = function<T, T>("sqrt" + suffix), rcp = function<T, T>("rcp" + suffix);
        Values<T, Bits> values;
        for (int i = 0; i < 20000; ++i) {
            // volatile: the compiler must not compute these under another rounding mode.
            volatile T a = values.next(), b = values.next(), c = values.next();
            if (i % 7 == 0) c = -a * b;
            std::fesetround(mode);
            volatile T sum = a + b, difference = a - b, product = a * b, quotient = a / b,
                       root = std::sqrt(a);
            volatile T fused = std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)),
                       inverse = T{1} / a;
            std::fesetround(FE_TONEAREST);
            ASSERT_TRUE(same<T>(sum, add(a, b), {a, b})) << "add" << suffix;
            ASSERT_TRUE(same<T>(difference, sub(a, b), {a, b})) << "sub" << suffix;
            ASSERT_TRUE(same<T>(product, mul(a, b), {a, b})) << "mul" << suffix;
            ASSERT_TRUE(same<T>(quotient, div(a, b), {a, b})) << "div" << suffix;
            ASSERT_TRUE(same<T>(fused, fma(a, b, c), {a, b, c})) << "fma" << suffix;
            ASSERT_TRUE(same<T>(root, sqrt(a), {a})) << "sqrt" << suffix;
            ASSERT_TRUE(same<T>(inverse, rcp(a), {a})) << "rcp" << suffix;
        }
    }
}

TEST(ScalarFloat, SingleArithmeticRoundsAsTheHost) { check_arithmetic<float, std::uint32_t>("f32"); }
TEST(ScalarFloat, DoubleArithmeticRoundsAsTheHost) { check_arithmetic<double, std::uint64_t>("f64"); }

// Round to nearest goes to the host in the functions above; the integer code must agree with it all the same.
TEST(ScalarFloat, IntegerCodeRoundsToNearestAsTheHost) {
    Values<double, std::uint64_t> values;
    for (int i = 0; i < 20000; ++i) {
        double a = values.next(), b = values.next(), c = i % 3 ? values.next() : -(a * b);
        auto open = [](double v) { return soft::open<soft::F64>(v); };
        auto finish = [&](const soft::Unpacked& v) { return soft::finish<soft::F64>(v, Round::rn); };
        ASSERT_TRUE(same<double>(a + b, finish(soft::sum(open(a), open(b), Round::rn)), {a, b}));
        ASSERT_TRUE(same<double>(a / b, finish(soft::quotient(open(a), open(b))), {a, b}));
        ASSERT_TRUE(same<double>(std::sqrt(a), finish(soft::square_root(open(a))), {a}));
        ASSERT_TRUE(same<double>(std::fma(a, b, c),
                                 finish(soft::sum(soft::product(open(a), open(b)), open(c), Round::rn)),
                                 {a, b, c}));
    }
}

TEST(ScalarFloat, NarrowingAndIntegersRoundAsTheHost) {
    std::mt19937_64 random{7};
    for (auto [name, mode] : modes) {
        std::string rnd = std::string("cvt.") + name;
        std::string suffix = mode == FE_DOWNWARD ? "_rd"
                             : mode == FE_UPWARD ? "_ru"
                                                 : std::string("_") + name;
        auto narrow = function<float, double>(rnd + ".f32.f64");
        auto from_s64 = function<float, std::int64_t>(rnd + ".f32.s64");
        auto from_u64 = function<double, std::uint64_t>(rnd + ".f64.u64");
        auto to_s32 = lib_function<std::int32_t, double>("__nv_double2int" + suffix);
        auto to_u64 = lib_function<std::uint64_t, float>("__nv_float2ull" + suffix);
        Values<double, std::uint64_t> values;
        Values<float, std::uint32_t> floats;
        for (int i = 0; i < 20000; ++i) {
            volatile double a = values.next();
            volatile float f = floats.next();
            volatile std::int64_t s =
                static_cast<std::int64_t>(random() >> (random() % 64)) * (i % 2 ? 1 : -1);
            volatile std::uint64_t u = random() >> (random() % 64);
            std::fesetround(mode);
            volatile float narrowed = static_cast<float>(a), s_float = static_cast<float>(s);
            volatile double u_double = static_cast<double>(u), rounded = std::nearbyint(a);
            volatile float rounded_f = std::nearbyint(f);
            std::fesetround(FE_TONEAREST);
            ASSERT_TRUE(same<float>(narrowed, narrow(a), {static_cast<float>(a)})) << rnd;
            ASSERT_EQ(s_float, from_s64(s)) << rnd << " " << s;
            ASSERT_EQ(u_double, from_u64(u)) << rnd << " " << u;
            if (std::isnan(a)) continue;
            double clamped = std::fmin(std::fmax(rounded, -0x1p31), 0x1p31 - 1);
            ASSERT_EQ(static_cast<std::int32_t>(clamped), to_s32(a)) << rnd << " " << a;
            if (!(rounded_f < 0x1p64f)) continue;
            ASSERT_EQ(rounded_f < 0 ? 0 : static_cast<std::uint64_t>(rounded_f), to_u64(f))
                << rnd << " " << f;
        }
    }
}

// Every finite value of a narrow format, in ascending order, found from its definition.
template <class F>
std::vector<double> all_values() {
    std::vector<double> values;
    for (std::uint64_t bits = 0; bits <= F::max_finite; ++bits) {
        auto field = static_cast<int>(bits >> F::mantissa_bits);
        double fraction =
            static_cast<double>(bits & F::mantissa_mask) / static_cast<double>(F::mantissa_mask + 1);
        values.push_back(field ? std::ldexp(1 + fraction, field - F::bias)
                               : std::ldexp(fraction, 1 - F::bias));
    }
    return values;
}

// The index in `values` of the rounded magnitude; values.size() stands for overflow.
std::size_t search(const std::vector<double>& values, double magnitude, bool negative, Round mode) {
    std::size_t above =
        static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), magnitude) - values.begin());
    if (above < values.size() && values[above] == magnitude) return above;
    std::size_t below = above - 1;
    bool up = (mode == Round::rp && !negative) || (mode == Round::rm && negative);
    if (mode == Round::rn || mode == Round::rna) {
        // Beyond the largest, the next value would be one step further.
        double low = values[below];
        double high = above < values.size() ? values[above] : low + (low - values[below - 1]);
        double middle = low + (high - low) / 2;
        up = magnitude > middle || (magnitude == middle && (mode == Round::rna || below % 2 == 1));
    }
    return up ? above : below;
}

template <class To, Round mode>
void check_narrow(const std::vector<float>& inputs, bool saturate) {
    std::vector<double> values = all_values<To>();
    for (float a : inputs) {
        if (std::isnan(a)) continue;
        std::uint64_t got = saturate ? soft::to_bits<To>(soft::convert<To, soft::F32, mode, true>(a))
                                     : soft::to_bits<To>(soft::convert<To, soft::F32, mode>(a));
        bool negative = std::signbit(a);
        std::uint64_t expected = std::isinf(a) ? values.size() : search(values, std::fabs(a), negative, mode);
        if (expected == values.size() && saturate) expected = To::max_finite;
        ASSERT_EQ(got, expected | (negative ? To::sign_bit : 0)) << a << " mode " << static_cast<int>(mode);
    }
}

TEST(ScalarFloat, NarrowFormatsRoundToTheRightNeighbour) {
    Values<float, std::uint32_t> source;
    std::vector<float> inputs = {0.0f,   -0.0f,  65504.0f, 65519.0f, 65520.0f,
                                 448.0f, 464.0f, 465.0f,   57344.0f, 61440.0f};
    for (double v : all_values<soft::F16>()) {
        inputs.push_back(static_cast<float>(v));
        inputs.push_back(static_cast<float>(v) * 1.00048828125f);  // half an ulp further, or close to it
    }
    for (int i = 0; i < 5000; ++i) inputs.push_back(source.next());
    check_narrow<soft::F16, Round::rn>(inputs, false);
    check_narrow<soft::F16, Round::rz>(inputs, false);
    check_narrow<soft::F16, Round::rm>(inputs, false);
    check_narrow<soft::F16, Round::rp>(inputs, false);
    check_narrow<soft::Bf16, Round::rn>(inputs, false);
    check_narrow<soft::Bf16, Round::rz>(inputs, false);
    check_narrow<soft::E4m3, Round::rn>(inputs, true);
    check_narrow<soft::E5m2, Round::rn>(inputs, true);
    check_narrow<soft::F16, Round::rn>(inputs, true);
}

TEST(ScalarFloat, WideningIsExact) {
    auto half = function<float, Bits16>("cvt.f32.f16");
    std::vector<double> values = all_values<soft::F16>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(half(static_cast<Bits16>(i)), values[i]);
        ASSERT_EQ(half(static_cast<Bits16>(i | 0x8000)), -values[i]);
    }
    auto brain = function<float, Bits16>("cvt.f32.bf16");
    for (std::uint32_t i = 0; i < 0x7f80; ++i)
        ASSERT_EQ(brain(static_cast<Bits16>(i)), std::bit_cast<float>(i << 16));
}

TEST(ScalarFloat, IntegersClampAndNanHasItsValues) {
    EXPECT_EQ((soft::to_integer<std::int8_t, soft::F32, Round::rz>(300.0f)), 127);
    EXPECT_EQ((soft::to_integer<std::int8_t, soft::F32, Round::rz>(-300.0f)), -128);
    EXPECT_EQ((soft::to_integer<std::uint8_t, soft::F32, Round::rn>(-1.0f)), 0u);
    EXPECT_EQ((soft::to_integer<std::uint16_t, soft::F32, Round::rn>(2.5f)), 2u);
    EXPECT_EQ((lib_function<std::int32_t, float>("__nv_float2int_rd")(-0.5f)), -1);
    EXPECT_EQ((lib_function<std::uint32_t, float>("__nv_float2uint_ru")(4294967040.0f)), 4294967040u);
    EXPECT_EQ((lib_function<std::int64_t, double>("__nv_double2ll_rz")(1e30)),
              std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ((lib_function<std::int32_t, float>("__nv_float2int_rz")(NAN)), 0);
    EXPECT_EQ((lib_function<std::int32_t, double>("__nv_double2int_rz")(NAN)),
              std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ((lib_function<std::int64_t, float>("__nv_float2ll_rz")(NAN)),
              std::numeric_limits<std::int64_t>::min());
}

TEST(ScalarFloat, NarrowNansAreCanonical) {
    float nan = std::bit_cast<float>(0xffc12345u);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(function<float, float, float>("add.rz.f32")(nan, 1.0f)),
              0x7fffffffu);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(function<float, float, float>("mul.rn.f32")(INFINITY, 0.0f)),
              0x7fffffffu);
    EXPECT_EQ((function<Bits16, float>("cvt.rn.f16.f32")(nan)), Bits16{0x7fff});
    EXPECT_EQ((function<Bits16, Bits16, Bits16>("add.rn.f16")(Bits16{0x7c00}, Bits16{0xfc00})),
              Bits16{0x7fff});
}

TEST(ScalarFloat, MinimaOrderZerosAndDropNans) {
    auto min = function<float, float, float>("min.f32"), max = function<float, float, float>("max.f32");
    EXPECT_TRUE(std::signbit(min(0.0f, -0.0f)));
    EXPECT_FALSE(std::signbit(max(-0.0f, 0.0f)));
    EXPECT_EQ(min(NAN, 3.0f), 3.0f);
    EXPECT_TRUE(std::isnan((function<float, float, float>("min.NaN.f32")(NAN, 3.0f))));
    EXPECT_EQ((function<float, float, float>("max.xorsign.abs.f32")(-2.0f, 1.0f)), -2.0f);
}

TEST(ScalarFloat, UnknownNamesAreNotFound) { EXPECT_EQ(find_float_op("add.f32"), nullptr); }

}  // namespace
