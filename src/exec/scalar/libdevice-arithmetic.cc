#include <cmath>
#include <cstdint>

#include "exec/scalar/approximate.h"
#include "exec/scalar/float-convert.h"
#include "exec/scalar/libdevice-groups.h"

namespace lockstep::exec {

namespace {

using namespace soft;

// The library's suffixes: rd is PTX's rm, ru is rp.
template <Round mode>
std::string suffix() {
    switch (mode) {
        case Round::rz: return "_rz";
        case Round::rm: return "_rd";
        case Round::rp: return "_ru";
        default: return "_rn";
    }
}

template <Round mode>
void add_mode(ScalarTable& t) {
    std::string s = suffix<mode>();
    t.add("__nv_fadd" + s, add<F32, mode>);
    t.add("__nv_fsub" + s, sub<F32, mode>);
    t.add("__nv_fmul" + s, mul<F32, mode>);
    t.add("__nv_fdiv" + s, div<F32, mode>);
    t.add("__nv_frcp" + s, rcp<F32, mode>);
    t.add("__nv_fsqrt" + s, soft::sqrt<F32, mode>);
    t.add("__nv_fmaf" + s, soft::fma<F32, mode>);
    t.add("__nv_fmaf_ieee" + s, soft::fma<F32, mode>);
    t.add("__nv_dadd" + s, add<F64, mode>);
    t.add("__nv_dsub" + s, sub<F64, mode>);
    t.add("__nv_dmul" + s, mul<F64, mode>);
    t.add("__nv_ddiv" + s, div<F64, mode>);
    t.add("__nv_drcp" + s, rcp<F64, mode>);
    t.add("__nv_dsqrt" + s, soft::sqrt<F64, mode>);
    t.add("__nv_fma" + s, soft::fma<F64, mode>);

    t.add("__nv_float2int" + s, [](float a) { return to_integer<std::int32_t, F32, mode>(a); });
    t.add("__nv_float2uint" + s, [](float a) { return to_integer<std::uint32_t, F32, mode>(a); });
    t.add("__nv_float2ll" + s, [](float a) { return to_integer<std::int64_t, F32, mode>(a); });
    t.add("__nv_float2ull" + s, [](float a) { return to_integer<std::uint64_t, F32, mode>(a); });
    t.add("__nv_double2int" + s, [](double a) { return to_integer<std::int32_t, F64, mode>(a); });
    t.add("__nv_double2uint" + s, [](double a) { return to_integer<std::uint32_t, F64, mode>(a); });
    t.add("__nv_double2ll" + s, [](double a) { return to_integer<std::int64_t, F64, mode>(a); });
    t.add("__nv_double2ull" + s, [](double a) { return to_integer<std::uint64_t, F64, mode>(a); });
    t.add("__nv_double2float" + s, convert<F32, F64, mode>);

    t.add("__nv_int2float" + s, from_integer<F32, std::int32_t, mode>);
    t.add("__nv_uint2float" + s, from_integer<F32, std::uint32_t, mode>);
    t.add("__nv_ll2float" + s, from_integer<F32, std::int64_t, mode>);
    t.add("__nv_ull2float" + s, from_integer<F32, std::uint64_t, mode>);
    t.add("__nv_ll2double" + s, from_integer<F64, std::int64_t, mode>);
    t.add("__nv_ull2double" + s, from_integer<F64, std::uint64_t, mode>);
}

}  // namespace

void add_libdevice_arithmetic(ScalarTable& t) {
    add_mode<Round::rn>(t);
    add_mode<Round::rz>(t);
    add_mode<Round::rm>(t);
    add_mode<Round::rp>(t);
    t.add("__nv_frsqrt_rn", approximate::rsqrt);
    t.add("__nv_int2double_rn", [](std::int32_t a) { return static_cast<double>(a); });
    t.add("__nv_uint2double_rn", [](std::uint32_t a) { return static_cast<double>(a); });
    t.add("__nv_float2half_rn", convert<F16, F32>);
    t.add("__nv_half2float", convert<F32, F16>);
    t.add("__nv_rcp64h", approximate::rcp_f64);
}

}  // namespace lockstep::exec
