#include "exec/scalar/float-ops.h"

#include <cmath>

#include "exec/scalar/approximate.h"
#include "exec/scalar/float-convert.h"
#include "exec/scalar/rounded.h"
#include "exec/scalar/scalar-table.h"

namespace lockstep::exec {

namespace {

using namespace soft;

constexpr const char* round_name(Round mode) {
    switch (mode) {
        case Round::rn: return ".rn";
        case Round::rz: return ".rz";
        case Round::rm: return ".rm";
        case Round::rp: return ".rp";
        case Round::rna: return ".rna";
    }
    return "";
}

template <class F>
std::string format_name() {
    if constexpr (std::is_same_v<F, F16>)
        return ".f16";
    else if constexpr (std::is_same_v<F, Bf16>)
        return ".bf16";
    else if constexpr (std::is_same_v<F, F32>)
        return ".f32";
    else
        return ".f64";
}

template <class Int>
std::string integer_name() {
    return (std::is_signed_v<Int> ? ".s" : ".u") + std::to_string(sizeof(Int) * 8);
}

template <class F, Round mode, bool ftz = false>
void add_basic(ScalarTable& table) {
    std::string suffix = round_name(mode) + std::string(ftz ? ".ftz" : "") + format_name<F>();
    table.add("add" + suffix, add<F, mode, ftz>);
    table.add("sub" + suffix, sub<F, mode, ftz>);
    table.add("mul" + suffix, mul<F, mode, ftz>);
    table.add("fma" + suffix, fma<F, mode, ftz>);
}

template <class F, Round mode, bool ftz = false>
void add_arithmetic(ScalarTable& table) {
    std::string suffix = round_name(mode) + std::string(ftz ? ".ftz" : "") + format_name<F>();
    add_basic<F, mode, ftz>(table);
    table.add("div" + suffix, div<F, mode, ftz>);
    table.add("rcp" + suffix, rcp<F, mode, ftz>);
    table.add("sqrt" + suffix, soft::sqrt<F, mode, ftz>);
}

template <class F>
void add_clamps(ScalarTable& table) {
    std::string type = format_name<F>();
    table.add("min" + type, extremum<F, Extremum::minimum>);
    table.add("max" + type, extremum<F, Extremum::maximum>);
    table.add("min.NaN" + type, extremum<F, Extremum::minimum, true>);
    table.add("max.NaN" + type, extremum<F, Extremum::maximum, true>);
    table.add("min.xorsign.abs" + type, extremum_xorsign<F, Extremum::minimum>);
    table.add("max.xorsign.abs" + type, extremum_xorsign<F, Extremum::maximum>);
    table.add("min.NaN.xorsign.abs" + type, extremum_xorsign<F, Extremum::minimum, true>);
    table.add("max.NaN.xorsign.abs" + type, extremum_xorsign<F, Extremum::maximum, true>);
}

template <class To, class From, Round mode>
void add_narrowing(ScalarTable& table) {
    std::string types = format_name<To>() + format_name<From>();
    table.add("cvt" + std::string(round_name(mode)) + types, convert<To, From, mode>);
    table.add("cvt" + std::string(round_name(mode)) + ".satfinite" + types, convert<To, From, mode, true>);
}

template <class Int, Round mode>
void add_integer(ScalarTable& table) {
    // Narrow integers arrive in a 32-bit register whose upper bits don't count.
    using Arg = std::conditional_t<sizeof(Int) == 8, Int, std::uint32_t>;
    std::string name = "cvt" + std::string(round_name(mode));
    table.add(name + ".f16" + integer_name<Int>(),
              [](Arg a) { return from_integer<F16, Int, mode>(static_cast<Int>(a)); });
    table.add(name + ".bf16" + integer_name<Int>(),
              [](Arg a) { return from_integer<Bf16, Int, mode>(static_cast<Int>(a)); });
    table.add(name + ".f32" + integer_name<Int>(),
              [](Arg a) { return from_integer<F32, Int, mode>(static_cast<Int>(a)); });
    table.add(name + ".f64" + integer_name<Int>(),
              [](Arg a) { return from_integer<F64, Int, mode>(static_cast<Int>(a)); });
}

template <Round mode>
void add_mode(ScalarTable& table) {
    add_arithmetic<F32, mode>(table);
    add_arithmetic<F32, mode, true>(table);
    add_arithmetic<F64, mode>(table);
    add_narrowing<F16, F32, mode>(table);
    add_narrowing<F16, F64, mode>(table);
    add_narrowing<Bf16, F32, mode>(table);
    add_narrowing<Bf16, F64, mode>(table);
    add_narrowing<F32, F64, mode>(table);
    add_narrowing<Bf16, F16, mode>(table);
    add_narrowing<F16, Bf16, mode>(table);
    table.add("cvt" + std::string(round_name(mode)) + ".ftz.f32.f64", convert<F32, F64, mode, false, true>);
    add_integer<std::int8_t, mode>(table);
    add_integer<std::uint8_t, mode>(table);
    add_integer<std::int16_t, mode>(table);
    add_integer<std::uint16_t, mode>(table);
    add_integer<std::int32_t, mode>(table);
    add_integer<std::uint32_t, mode>(table);
    add_integer<std::int64_t, mode>(table);
    add_integer<std::uint64_t, mode>(table);
}

template <Round mode, bool satfinite, bool clamp>
float to_tf32(float a) {
    float r = convert_tf32<mode, satfinite>(a);
    return clamp && std::signbit(r) && !std::isnan(r) ? 0.0f : r;
}

template <Round mode>
void add_tf32(ScalarTable& table) {
    std::string prefix = "cvt" + std::string(round_name(mode));
    table.add(prefix + ".tf32.f32", to_tf32<mode, false, false>);
    table.add(prefix + ".satfinite.tf32.f32", to_tf32<mode, true, false>);
    table.add(prefix + ".relu.tf32.f32", to_tf32<mode, false, true>);
    table.add(prefix + ".satfinite.relu.tf32.f32", to_tf32<mode, true, true>);
}

// Two f32 to a pair of narrow floats: a in the upper half.
template <class To, Round mode, bool satfinite, bool clamp>
std::uint32_t pack_pair(float a, float b) {
    Bits16 high = convert<To, F32, mode, satfinite>(a), low = convert<To, F32, mode, satfinite>(b);
    if constexpr (clamp) high = relu<To>(high), low = relu<To>(low);
    return static_cast<std::uint32_t>(high) << To::width | static_cast<std::uint32_t>(low);
}

template <Round mode, bool satfinite, bool clamp>
void add_pairs(ScalarTable& table) {
    std::string prefix =
        "cvt" + std::string(round_name(mode)) + (satfinite ? ".satfinite" : "") + (clamp ? ".relu" : "");
    table.add(prefix + ".f16x2.f32", pack_pair<F16, mode, satfinite, clamp>);
    table.add(prefix + ".bf16x2.f32", pack_pair<Bf16, mode, satfinite, clamp>);
}

template <class F8, bool clamp>
void add_eight_bit(ScalarTable& table) {
    std::string type = std::is_same_v<F8, E4m3> ? ".e4m3x2" : ".e5m2x2";
    std::string relu_name = clamp ? ".relu" : "";
    table.add("cvt.rn.satfinite" + relu_name + type + ".f32", [](float a, float b) {
        return static_cast<Bits16>(pack_pair<F8, Round::rn, true, clamp>(a, b));
    });
    table.add("cvt.rn.satfinite" + relu_name + type + ".f16x2", [](std::uint32_t a) {
        float high = convert<F32, F16>(static_cast<Bits16>(a >> 16));
        float low = convert<F32, F16>(static_cast<Bits16>(a & 0xffff));
        return static_cast<Bits16>(pack_pair<F8, Round::rn, true, clamp>(high, low));
    });
    table.add("cvt.rn" + relu_name + ".f16x2" + type, [](Bits16 a) {
        auto bits = static_cast<std::uint32_t>(a);
        Bits16 high = convert<F16, F8>(static_cast<Bits16>(bits >> 8 & 0xff));
        Bits16 low = convert<F16, F8>(static_cast<Bits16>(bits & 0xff));
        if constexpr (clamp) high = relu<F16>(high), low = relu<F16>(low);
        return static_cast<std::uint32_t>(high) << 16 | static_cast<std::uint32_t>(low);
    });
}

void add_approximate(ScalarTable& table) {
    table.add("rcp.approx.f32", approximate::rcp);
    table.add("rsqrt.approx.f32", approximate::rsqrt);
    table.add("sqrt.approx.f32", approximate::sqrt);
    table.add("sin.approx.f32", rounded::sin, rounded::warp_sin);
    table.add("cos.approx.f32", rounded::cos, rounded::warp_cos);
    table.add("lg2.approx.f32", rounded::log2, rounded::warp_log2);
    table.add("ex2.approx.f32", rounded::exp2, rounded::warp_exp2);
    table.add("tanh.approx.f32", rounded::tanh, rounded::warp_tanh);
    table.add("div.approx.f32", approximate::div);
    table.add("div.full.f32", approximate::div_full);
    table.add("ex2.approx.f16", approximate::ex2_f16);
    table.add("ex2.approx.bf16", approximate::ex2_bf16);
    table.add("tanh.approx.f16", approximate::tanh_f16);
    table.add("tanh.approx.bf16", approximate::tanh_bf16);
    table.add("rcp.approx.ftz.f64", approximate::rcp_f64);
    table.add("rsqrt.approx.ftz.f64", approximate::rsqrt_ftz_f64);
    table.add("rsqrt.approx.f64", approximate::rsqrt_f64);
}

ScalarTable make_table() {
    ScalarTable table;
    add_mode<Round::rn>(table);
    add_mode<Round::rz>(table);
    add_mode<Round::rm>(table);
    add_mode<Round::rp>(table);
    add_basic<F16, Round::rn>(table);
    add_basic<F16, Round::rn, true>(table);
    add_basic<Bf16, Round::rn>(table);
    add_clamps<F16>(table);
    add_clamps<Bf16>(table);
    add_clamps<F32>(table);
    add_clamps<F64>(table);
    table.add("cvt.f32.f16", convert<F32, F16>);
    table.add("cvt.f64.f16", convert<F64, F16>);
    table.add("cvt.f32.bf16", convert<F32, Bf16>);
    table.add("cvt.f64.bf16", convert<F64, Bf16>);
    table.add("cvt.f64.f32", convert<F64, F32>);
    add_tf32<Round::rna>(table);
    add_tf32<Round::rn>(table);
    add_tf32<Round::rz>(table);
    add_pairs<Round::rn, false, false>(table);
    add_pairs<Round::rn, false, true>(table);
    add_pairs<Round::rn, true, false>(table);
    add_pairs<Round::rn, true, true>(table);
    add_pairs<Round::rz, false, false>(table);
    add_pairs<Round::rz, false, true>(table);
    add_pairs<Round::rz, true, false>(table);
    add_pairs<Round::rz, true, true>(table);
    add_eight_bit<E4m3, false>(table);
    add_eight_bit<E4m3, true>(table);
    add_eight_bit<E5m2, false>(table);
    add_eight_bit<E5m2, true>(table);
    add_approximate(table);
    return table;
}

}  // namespace

const ScalarFunction* find_float_op(std::string_view name) {
    static const ScalarTable table = make_table();
    return table.find(name);
}

}  // namespace lockstep::exec
