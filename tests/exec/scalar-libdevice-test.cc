// The device library against the C library in long double, and against identities where C has no such
// function.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "exec/scalar/float-ops.h"
#include "exec/scalar/int-ops.h"
#include "exec/scalar/libdevice.h"
#include "lib-function.h"

namespace {

using namespace lockstep::exec;

double ulps(double got, long double exact) {
    if (std::isnan(got) && std::isnan(exact)) return 0;
    if (static_cast<double>(exact) == got) return 0;
    double rounded = static_cast<double>(exact);
    double ulp = std::fabs(std::nextafter(rounded, INFINITY) - rounded);
    return std::fabs(static_cast<double>((got - exact) / ulp));
}

void check(const std::string& name, long double (*reference)(long double), double low, double high,
           double bound) {
    auto f = lib_function<double, double>(name);
    std::mt19937_64 random{1};
    std::uniform_real_distribution<double> values(low, high);
    for (int i = 0; i < 500; ++i) {
        double x = values(random);
        ASSERT_LE(ulps(f(x), reference(x)), bound) << name << "(" << x << ")";
    }
}

TEST(LibDevice, EveryNameHasItsTypes) {
    const LibFunction* f = find_lib_function("__nv_powf");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->result, ScalarType::f32);
    EXPECT_EQ(f->arg_count, 2);
    EXPECT_EQ(f->pointees[0].kind, Pointee::Kind::none);
    const LibFunction* sincos = find_lib_function("__nv_sincos");
    ASSERT_NE(sincos, nullptr);
    EXPECT_EQ(sincos->result, ScalarType::none);
    EXPECT_EQ(sincos->args[1], ScalarType::pointer);
    EXPECT_EQ(sincos->pointees[1].kind, Pointee::Kind::written);
    EXPECT_EQ(sincos->pointees[1].bytes, 8);
    EXPECT_EQ(find_lib_function("__nv_float2half_rn")->result, ScalarType::i16);
    EXPECT_EQ(find_lib_function("__nv_nothing"), nullptr);
    EXPECT_EQ(lib_function_names().size(), 438u);
}

TEST(LibDevice, EveryPointerSaysWhatIsBehindIt) {
    auto behind = [](const char* name, int argument) {
        return find_lib_function(name)->pointees[static_cast<std::size_t>(argument)];
    };
    for (const char* name : {"__nv_modf", "__nv_sincospi"}) EXPECT_EQ(behind(name, 1).bytes, 8) << name;
    for (const char* name : {"__nv_modff", "__nv_sincosf", "__nv_fast_sincosf", "__nv_frexp", "__nv_frexpf"})
        EXPECT_EQ(behind(name, 1).bytes, 4) << name;
    for (const char* name : {"__nv_remquo", "__nv_remquof"}) EXPECT_EQ(behind(name, 2).bytes, 4) << name;
    EXPECT_EQ(behind("__nv_norm", 1).kind, Pointee::Kind::array);
    EXPECT_EQ(behind("__nv_nan", 0).kind, Pointee::Kind::string);
    for (std::string_view name : lib_function_names()) {
        const LibFunction* function = find_lib_function(name);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(function->args[i] == ScalarType::pointer,
                      function->pointees[i].kind != Pointee::Kind::none)
                << name;
    }
}

TEST(LibDevice, ElementaryFunctionsAreWithinCudasBounds) {
    check("__nv_sin", std::sin, -100, 100, 2);
    check("__nv_cos", std::cos, -100, 100, 2);
    check("__nv_exp", std::exp, -700, 700, 1);
    check("__nv_log", std::log, 1e-300, 1e3, 1);
    check("__nv_cbrt", std::cbrt, -1e9, 1e9, 1);
    check("__nv_erfc", std::erfc, -5, 20, 5);
    check("__nv_tgamma", std::tgamma, 0.01, 100, 10);
    check("__nv_rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 1e-9, 1e9, 1);
    check("__nv_rcbrt", [](long double x) { return 1 / std::cbrt(x); }, 1e-9, 1e9, 1);
    check("__nv_exp10", [](long double x) { return std::pow(10.0L, x); }, -300, 300, 1);
}

TEST(LibDevice, FunctionsThatCLacksAreWithinCudasBounds) {
    constexpr long double pi = 3.141592653589793238462643383279502884L;
    check("__nv_sinpi", [](long double x) { return std::sin(pi * std::remainder(x, 2.0L)); }, -0.9, 0.9, 2);
    check("__nv_cospi", [](long double x) { return std::cos(pi * x); }, -0.4, 0.4, 2);
    check("__nv_erfcx", [](long double x) { return std::exp(x * x) * std::erfc(x); }, -5, 25, 5);
    check("__nv_normcdf", [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }, -37, 8, 5);
    // The integral (1/π)∫exp(x cos t) dt by the trapezoidal rule, which converges at once for a periodic
    // integrand.
    check(
        "__nv_cyl_bessel_i0",
        [](long double x) {
            long double sum = 0;
            for (int k = 0; k < 400; ++k) sum += std::exp(x * std::cos(pi * (k + 0.5L) / 400));
            return sum / 400;
        },
        -100, 100, 6);
    check(
        "__nv_cyl_bessel_i1",
        [](long double x) {
            long double sum = 0;
            for (int k = 0; k < 400; ++k)
                sum += std::exp(x * std::cos(pi * (k + 0.5L) / 400)) * std::cos(pi * (k + 0.5L) / 400);
            return sum / 400;
        },
        0.5, 100, 6);
}

// The estimates that a warp's results come from must not show.
class OfWarp : public testing::Test {
  protected:
    using Lanes = std::array<float, 32>;

    static void compare(const ScalarFunction& function, const Lanes& a, const Lanes& b) {
        Lanes results{};
        if (function.arg_count == 1)
            reinterpret_cast<void (*)(std::uint32_t, const float*, float*)>(function.of_warp)(~0u, a.data(),
                                                                                              results.data());
        else
            reinterpret_cast<void (*)(std::uint32_t, const float*, const float*, float*)>(function.of_warp)(
                ~0u, a.data(), b.data(), results.data());
        for (std::size_t lane = 0; lane < a.size(); ++lane) {
            const float expected =
                function.arg_count == 1
                    ? reinterpret_cast<float (*)(float)>(function.address)(a[lane])
                    : reinterpret_cast<float (*)(float, float)>(function.address)(a[lane], b[lane]);
            ASSERT_EQ(std::bit_cast<std::uint32_t>(results[lane]), std::bit_cast<std::uint32_t>(expected))
                << function.name << "(" << a[lane] << ", " << b[lane] << ") = " << results[lane]
                << ", for one lane " << expected;
        }
    }

    static void check(const ScalarFunction& function) {
        std::mt19937 random{1};
        const auto number = [&] { return static_cast<std::uint32_t>(random()); };
        Lanes a, b;
        for (int i = 0; i < 4000; ++i) {
            for (std::size_t lane = 0; lane < a.size(); ++lane) {
                const std::uint32_t x = number(), y = number();
                switch (i % 4) {
                    case 0:  // anything
                        a[lane] = std::bit_cast<float>(x), b[lane] = std::bit_cast<float>(y);
                        break;
                    case 1:  // what programs have
                        a[lane] = static_cast<float>(x % 20001) / 1000 - 10;
                        b[lane] = static_cast<float>(y % 81) / 4 - 10;
                        break;
                    case 2:  // of about size one, and very small
                        a[lane] = std::bit_cast<float>((x & 0x80ffffff) | 0x3f000000);
                        b[lane] = std::bit_cast<float>((y & 0x80ffffff) | 0x33000000);
                        break;
                    default:  // what is zero, infinite or not a number, and whole
                        constexpr float infinite = std::numeric_limits<float>::infinity();
                        constexpr float special[] = {0, -0.0f, 1, -1, infinite, -infinite, NAN, 0x1p-149f};
                        a[lane] = x & 8 ? special[x % 8] : static_cast<float>(static_cast<int>(x % 64) - 32);
                        b[lane] = y & 8 ? special[y % 8] : static_cast<float>(static_cast<int>(y % 64) - 32);
                }
            }
            compare(function, a, b);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
};

TEST_F(OfWarp, BitsAreThoseOfEachLane) {
    int functions = 0;
    for (std::string_view name : lib_function_names())
        if (const LibFunction* function = find_lib_function(name); function->of_warp) {
            check(*function);
            ++functions;
        }
    EXPECT_GT(functions, 25);
    for (const char* name : {"sin", "cos", "lg2", "ex2", "tanh"}) {
        const ScalarFunction* function = find_float_op(std::string(name) + ".approx.f32");
        ASSERT_TRUE(function && function->of_warp) << name;
        check(*function);
    }
}

TEST_F(OfWarp, LanesThatDoNotCountAreLeft) {
    const ScalarFunction* function = find_float_op("lg2.approx.f32");
    Lanes a, results{};
    a.fill(-1);  // of which the C library is asked
    reinterpret_cast<void (*)(std::uint32_t, const float*, float*)>(function->of_warp)(5, a.data(),
                                                                                       results.data());
    EXPECT_TRUE(std::isnan(results[0]) && std::isnan(results[2]));
}

TEST(LibDevice, InversesInvert) {
    auto erfinv = lib_function<double, double>("__nv_erfinv"),
         erfcinv = lib_function<double, double>("__nv_erfcinv");
    auto normcdfinv = lib_function<double, double>("__nv_normcdfinv");
    for (double y = -5.5; y < 5.6; y += 0.37) {
        double x = std::erf(y);
        // erf itself loses digits near ±1: allow what one ulp of x means for y.
        double slack = 1.2e-16 / (1.128 * std::exp(-y * y)) + 4e-16 * std::fabs(y) + 1e-18;
        EXPECT_NEAR(erfinv(x), y, slack) << y;
    }
    for (double y = 0.3; y < 26; y += 0.61) EXPECT_NEAR(erfcinv(std::erfc(y)), y, 4e-16 * y) << y;
    EXPECT_NEAR(normcdfinv(0.975), 1.9599639845400545, 5e-16);
    auto normcdf = lib_function<double, double>("__nv_normcdf");
    // The tail multiplies the relative error of x by x²: 37² ulps.
    for (double p : {1e-300, 1e-100, 1e-10, 0.2}) EXPECT_NEAR(normcdf(normcdfinv(p)), p, p * 4e-13);
    EXPECT_EQ(erfinv(1), INFINITY);
    EXPECT_EQ(erfcinv(2), -INFINITY);
    EXPECT_TRUE(std::isnan(erfinv(1.5)));
    EXPECT_EQ(normcdfinv(0.5), 0);
}

TEST(LibDevice, SpecialValues) {
    EXPECT_EQ((lib_function<int, double>("__nv_ilogb")(0.0)), std::numeric_limits<int>::min());
    EXPECT_EQ((lib_function<int, float>("__nv_ilogbf")(INFINITY)), std::numeric_limits<int>::max());
    EXPECT_EQ((lib_function<float, float>("__nv_sinpif")(3.0f)), 0.0f);
    EXPECT_EQ((lib_function<double, double>("__nv_cospi")(0.5)), 0.0);
    EXPECT_EQ((lib_function<float, float>("__nv_saturatef")(NAN)), 0.0f);
    EXPECT_EQ((lib_function<float, float, float>("__nv_fast_fdividef")(4.0f, 0x1p127f)), 0.0f);
    EXPECT_EQ((lib_function<double, double, double, double>("__nv_norm3d")(INFINITY, NAN, 1)), INFINITY);
    EXPECT_DOUBLE_EQ((lib_function<double, double, double>("__nv_rhypot")(3e200, 4e200)), 2e-201);
    EXPECT_EQ((lib_function<int, double>("__nv_double2int_rn")(1e20)), std::numeric_limits<int>::max());
    int exponent = 99;
    EXPECT_EQ((lib_function<float, float, int*>("__nv_frexpf")(INFINITY, &exponent)), INFINITY);
    EXPECT_EQ(exponent, 0);
}

TEST(LibDevice, IntegersAndSimd) {
    using U = std::uint32_t;
    EXPECT_EQ((lib_function<U, U>("__nv_brev")(1)), 0x80000000u);
    EXPECT_EQ((lib_function<int, U>("__nv_ffs")(0)), 0);
    EXPECT_EQ((lib_function<int, int, int>("__nv_mulhi")(-1, 1)), -1);
    EXPECT_EQ((lib_function<U, U, U, U>("__nv_byte_perm")(0x33221100, 0x77665544, 0x7531)), 0x77553311u);
    EXPECT_EQ((lib_function<U, U, U>("__nv_vadd2")(0x0001ffff, 0x00020001)), 0x00030000u);
    EXPECT_EQ((lib_function<U, U, U>("__nv_vaddss4")(0x7f80017f, 0x01ff0180)), 0x7f8002ffu);
    EXPECT_EQ((lib_function<U, U, U>("__nv_vcmpgts2")(0x0001ffff, 0x00000000)), 0xffff0000u);
    EXPECT_EQ((lib_function<U, U, U>("__nv_vsetleu4")(0x01020304, 0x02020202)), 0x01010000u);
    EXPECT_EQ((lib_function<U, U, U>("__nv_vsadu4")(0x01020304, 0x04030201)), 8u);
    EXPECT_EQ((lib_function<int, int, int>("__nv_hadd")(-3, 0)), -2);
    EXPECT_EQ((lib_function<int, int, int>("__nv_mul24")(0x00ffffff, 3)), -3);
}

TEST(IntOps, FieldsAndPermutations) {
    EXPECT_EQ(prmt(0x33221100, 0x77665544, 0xba98), 0u);
    EXPECT_EQ(prmt(0x33221180, 0x77665544, 0x8888), 0xffffffffu);
    EXPECT_EQ(prmt(0x33221100, 0x77665544, 2, PrmtMode::f4e), 0x55443322u);
    EXPECT_EQ(prmt(0x33221100, 0x77665544, 2, PrmtMode::b4e), 0x77001122u);
    EXPECT_EQ(prmt(0x33221100, 0, 1, PrmtMode::rc16), 0x33223322u);
    EXPECT_EQ(bfe(0xf0, 4, 4, 32, true), 0xffffffffu);
    EXPECT_EQ(bfe(0x80000000, 28, 60, 32, true), 0xfffffff8u);
    EXPECT_EQ(bfe(0x80000000, 40, 3, 32, true), 0xffffffffu);
    EXPECT_EQ(bfe(0x1234, 4, 0, 32, true), 0u);
    EXPECT_EQ(bfi(0xff, 0, 28, 8, 32), 0xf0000000u);
    EXPECT_EQ(bfi(0xff, 7, 32, 8, 32), 7u);
    EXPECT_EQ(fns(0b10110, 0, 2), 2u);
    EXPECT_EQ(fns(0b10110, 4, -3), 1u);
    EXPECT_EQ(fns(0b10110, 0, 4), 0xffffffffu);
    EXPECT_EQ(dp4a(0xff01ff01, 0x01010101, 10, true, true), 10u);
    EXPECT_EQ(dp2a(0xffff0002, 0x03040506, 0, true, true, false), 0x06u * 2 - 5);
}

}  // namespace
