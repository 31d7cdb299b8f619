// Instructions of AMD's vector and scalar units, each in a kernel of its own, against the same operation done
// here: on numbers at random and on those where operations have edges.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "compile/files.h"
#include "exec/engine.h"

namespace lockstep::exec {
namespace {

using U32 = std::uint32_t;
using I32 = std::int32_t;
using U64 = std::uint64_t;
using I64 = std::int64_t;

// a in v[4:5], b in v[6:7], c in v[8:9]; the result comes from v12, or v[12:13] where it is wide.
struct Case {
    const char* text;
    bool wide;
    std::function<U64(U64 a, U64 b, U64 c)> expected;
};

float f32(U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); }
double f64(U64 bits) { return std::bit_cast<double>(bits); }
U64 bits(float value) { return std::bit_cast<U32>(value); }
U64 bits(double value) { return std::bit_cast<U64>(value); }
U32 u(U64 value) { return static_cast<U32>(value); }
I32 i(U64 value) { return static_cast<I32>(value); }

template <class F>
std::function<U64(U64, U64, U64)> whole(F f) {
    return [f](U64 a, U64 b, U64 c) { return static_cast<U64>(static_cast<U32>(f(u(a), u(b), u(c)))); };
}
template <class F>
std::function<U64(U64, U64, U64)> single(F f) {
    return [f](U64 a, U64 b, U64 c) { return bits(static_cast<float>(f(f32(a), f32(b), f32(c)))); };
}
template <class F>
std::function<U64(U64, U64, U64)> real(F f) {
    return [f](U64 a, U64 b, U64 c) { return bits(static_cast<double>(f(f64(a), f64(b), f64(c)))); };
}

// -0 is smaller than +0, which std::fmin need not know.
float smaller(float a, float b) {
    if (a == b) return std::signbit(a) ? a : b;
    return std::fmin(a, b);
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"v_add_u32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return a + b; })},
        {"v_sub_u32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return a - b; })},
        {"v_subrev_u32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return b - a; })},
        {"v_mul_lo_u32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return a * b; })},
        {"v_mul_hi_u32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return U64{a} * b >> 32; })},
        {"v_mul_hi_i32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return (I64{static_cast<I32>(a)} * static_cast<I32>(b)) >> 32; })},
        {"v_mul_u32_u24_e32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return (a & 0xffffff) * (b & 0xffffff); })},
        {"v_mul_i32_i24_e32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) {
             return static_cast<U32>(static_cast<I32>(a << 8) >> 8) * static_cast<U32>(static_cast<I32>(b << 8) >> 8);
         })},
        {"v_mad_u32_u24 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) { return (a & 0xffffff) * (b & 0xffffff) + c; })},
        {"v_mad_u64_u32 v[12:13], vcc, v4, v6, v[8:9]", true,
         [](U64 a, U64 b, U64 c) { return U64{u(a)} * u(b) + c; }},
        {"v_mad_i64_i32 v[12:13], vcc, v4, v6, v[8:9]", true,
         [](U64 a, U64 b, U64 c) { return static_cast<U64>(I64{i(a)} * i(b)) + c; }},
        {"v_and_b32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return a & b; })},
        {"v_xor_b32_e32 v12, 0x12345678, v6", false, whole([](U32, U32 b, U32) { return b ^ 0x12345678u; })},
        {"v_or3_b32 v12, v4, v6, v8", false, whole([](U32 a, U32 b, U32 c) { return a | b | c; })},
        {"v_and_or_b32 v12, v4, v6, v8", false, whole([](U32 a, U32 b, U32 c) { return (a & b) | c; })},
        {"v_not_b32_e32 v12, v4", false, whole([](U32 a, U32, U32) { return ~a; })},
        {"v_lshlrev_b32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return b << (a & 31); })},
        {"v_lshrrev_b32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return b >> (a & 31); })},
        {"v_ashrrev_i32_e32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return static_cast<I32>(b) >> (a & 31); })},
        {"v_lshlrev_b64 v[12:13], v4, v[6:7]", true, [](U64 a, U64 b, U64) { return b << (a & 63); }},
        {"v_lshrrev_b64 v[12:13], v4, v[6:7]", true, [](U64 a, U64 b, U64) { return b >> (a & 63); }},
        {"v_ashrrev_i64 v[12:13], v4, v[6:7]", true,
         [](U64 a, U64 b, U64) { return static_cast<U64>(static_cast<I64>(b) >> (a & 63)); }},
        {"v_lshl_add_u32 v12, v4, 3, v6", false, whole([](U32 a, U32 b, U32) { return (a << 3) + b; })},
        {"v_add_lshl_u32 v12, v4, v6, 2", false, whole([](U32 a, U32 b, U32) { return (a + b) << 2; })},
        {"v_lshl_or_b32 v12, v4, 16, v6", false, whole([](U32 a, U32 b, U32) { return (a << 16) | b; })},
        {"v_add3_u32 v12, v4, v6, v8", false, whole([](U32 a, U32 b, U32 c) { return a + b + c; })},
        {"v_xad_u32 v12, v4, v6, v8", false, whole([](U32 a, U32 b, U32 c) { return (a ^ b) + c; })},
        {"v_min_i32_e32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return std::min(static_cast<I32>(a), static_cast<I32>(b)); })},
        {"v_max_u32_e32 v12, v4, v6", false, whole([](U32 a, U32 b, U32) { return std::max(a, b); })},
        {"v_min3_i32 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             return std::min({static_cast<I32>(a), static_cast<I32>(b), static_cast<I32>(c)});
         })},
        {"v_med3_i32 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             const auto x = static_cast<I32>(a), y = static_cast<I32>(b), z = static_cast<I32>(c);
             return std::max(std::min(x, y), std::min(std::max(x, y), z));
         })},
        {"v_bfe_u32 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) { return (a >> (b & 31)) & ((1u << (c & 31)) - 1); })},
        {"v_bfe_i32 v12, v4, 5, 7", false,
         whole([](U32 a, U32, U32) { return static_cast<I32>(a << 20) >> 25; })},
        {"v_bfi_b32 v12, v4, v6, v8", false, whole([](U32 a, U32 b, U32 c) { return (a & b) | (~a & c); })},
        {"v_alignbit_b32 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) { return (U64{a} << 32 | b) >> (c & 31); })},
        {"v_perm_b32 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             const U64 all = U64{a} << 32 | b;
             U32 result = 0;
             for (int byte = 0; byte < 4; ++byte) {
                 const U32 which = c >> 8 * byte & 0xff;
                 U32 value = which >= 13 ? 0xff : which == 12 ? 0 : 0;
                 if (which < 8) value = all >> 8 * which & 0xff;
                 else if (which < 12) value = (all >> (16 * (which - 8) + 15) & 1) ? 0xff : 0;
                 result |= value << 8 * byte;
             }
             return result;
         })},
        {"v_bfrev_b32_e32 v12, v4", false,
         whole([](U32 a, U32, U32) {
             U32 r = 0;
             for (int bit = 0; bit < 32; ++bit) r |= (a >> bit & 1) << (31 - bit);
             return r;
         })},
        {"v_ffbh_u32_e32 v12, v4", false,
         whole([](U32 a, U32, U32) { return a ? static_cast<U32>(std::countl_zero(a)) : ~0u; })},
        {"v_ffbl_b32_e32 v12, v4", false,
         whole([](U32 a, U32, U32) { return a ? static_cast<U32>(std::countr_zero(a)) : ~0u; })},
        {"v_ffbh_i32_e32 v12, v4", false,
         whole([](U32 a, U32, U32) {
             const U32 x = a ^ static_cast<U32>(static_cast<I32>(a) >> 31);
             return x ? static_cast<U32>(std::countl_zero(x)) : ~0u;
         })},
        {"v_bcnt_u32_b32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return static_cast<U32>(std::popcount(a)) + b; })},
        {"v_sad_u8 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             for (int k = 0; k < 32; k += 8) {
                 const auto x = static_cast<I32>(a >> k & 0xff), y = static_cast<I32>(b >> k & 0xff);
                 c += static_cast<U32>(std::abs(x - y));
             }
             return c;
         })},
        {"v_add_u16_e32 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return static_cast<std::uint16_t>(a + b); })},
        {"v_pk_add_u16 v12, v4, v6", false,
         whole([](U32 a, U32 b, U32) { return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)); })},
        {"v_sad_hi_u8 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             for (int k = 0; k < 32; k += 8) {
                 const auto x = static_cast<I32>(a >> k & 0xff), y = static_cast<I32>(b >> k & 0xff);
                 c += static_cast<U32>(std::abs(x - y)) << 16;
             }
             return c;
         })},
        {"v_msad_u8 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             for (int k = 0; k < 32; k += 8) {
                 const auto x = static_cast<I32>(a >> k & 0xff), y = static_cast<I32>(b >> k & 0xff);
                 if (y) c += static_cast<U32>(std::abs(x - y));
             }
             return c;
         })},
        {"v_lerp_u8 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             U32 means = 0;
             for (int k = 0; k < 32; k += 8)
                 means |= ((a >> k & 0xff) + (b >> k & 0xff) + (c >> k & 1)) / 2 << k;
             return means;
         })},
        {"v_dot4_i32_i8 v12, v4, v6, v8", false,
         whole([](U32 a, U32 b, U32 c) {
             for (int k = 0; k < 32; k += 8)
                 c += static_cast<U32>(static_cast<std::int8_t>(a >> k) * static_cast<std::int8_t>(b >> k));
             return c;
         })},
        // Parts of registers.
        {"v_add_u32_sdwa v12, v4, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1", false,
         whole([](U32 a, U32 b, U32) { return (a >> 8 & 0xff) + (b >> 16); })},
        {"v_add_u32_sdwa v12, sext(v4), v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD",
         false, whole([](U32 a, U32 b, U32) { return static_cast<U32>(static_cast<std::int16_t>(a)) + b; })},
        // Carries.
        {"v_add_co_u32_e32 v12, vcc, v4, v6\n v_addc_co_u32_e32 v13, vcc, v5, v7, vcc", true,
         [](U64 a, U64 b, U64) { return a + b; }},
        {"v_sub_co_u32_e32 v12, vcc, v4, v6\n v_subb_co_u32_e32 v13, vcc, v5, v7, vcc", true,
         [](U64 a, U64 b, U64) { return a - b; }},
        {"v_subrev_co_u32_e32 v12, vcc, v4, v6\n v_subbrev_co_u32_e32 v13, vcc, v5, v7, vcc", true,
         [](U64 a, U64 b, U64) { return b - a; }},
        // Comparisons and selections.
        {"v_cmp_lt_i32_e32 vcc, v4, v6\n v_cndmask_b32_e32 v12, v4, v6, vcc", false,
         whole([](U32 a, U32 b, U32) { return static_cast<I32>(a) < static_cast<I32>(b) ? b : a; })},
        {"v_cmp_ge_u64_e64 s[10:11], v[4:5], v[6:7]\n v_cndmask_b32_e64 v12, 0, 1, s[10:11]", false,
         [](U64 a, U64 b, U64) { return U64{a >= b}; }},
        {"v_cmp_nlt_f32_e32 vcc, v4, v6\n v_cndmask_b32_e64 v12, 0, 1, vcc", false,
         [](U64 a, U64 b, U64) { return U64{!(f32(a) < f32(b))}; }},
        {"v_cmp_lg_f64_e32 vcc, v[4:5], v[6:7]\n v_cndmask_b32_e64 v12, 0, 1, vcc", false,
         [](U64 a, U64 b, U64) { return U64{f64(a) < f64(b) || f64(a) > f64(b)}; }},
        {"v_mov_b32_e32 v13, 0x1f8\n v_cmp_class_f32_e32 vcc, v4, v13\n v_cndmask_b32_e64 v12, 0, 1, vcc", false,
         [](U64 a, U64, U64) { return U64{std::isfinite(f32(a))}; }},
        // Only some lanes: the others keep what they had.
        {"v_mov_b32_e32 v12, v4\n v_cmp_gt_u32_e32 vcc, v4, v6\n s_and_saveexec_b64 s[10:11], vcc\n"
         " v_mov_b32_e32 v12, v6\n s_or_b64 exec, exec, s[10:11]",
         false, whole([](U32 a, U32 b, U32) { return std::min(a, b); })},
        // Floating point.
        {"v_add_f32_e32 v12, v4, v6", false, single([](float a, float b, float) { return a + b; })},
        {"v_sub_f32_e64 v12, |v4|, -v6", false, single([](float a, float b, float) { return std::fabs(a) + b; })},
        {"v_mul_f32_e32 v12, 0.5, v6", false, single([](float, float b, float) { return 0.5f * b; })},
        {"v_fma_f32 v12, v4, v6, v8", false, single([](float a, float b, float c) { return std::fma(a, b, c); })},
        {"v_mad_f32 v12, v4, v6, v8", false,
         single([](float a, float b, float c) {
             volatile float product = a * b;
             return product + c;
         })},
        {"v_mov_b32_e32 v12, v8\n v_fmac_f32_e32 v12, v4, v6", false,
         single([](float a, float b, float c) { return std::fma(a, b, c); })},
        {"v_min_f32_e32 v12, v4, v6", false, single([](float a, float b, float) { return smaller(a, b); })},
        {"v_min_f32_e32 v12, v6, v4", false, single([](float a, float b, float) { return smaller(a, b); })},
        {"v_max_f32_e32 v12, v4, v6", false, single([](float a, float b, float) { return -smaller(-a, -b); })},
        {"v_max_f32_e32 v12, v6, v4", false, single([](float a, float b, float) { return -smaller(-a, -b); })},
        {"v_floor_f32_e32 v12, v4", false, single([](float a, float, float) { return std::floor(a); })},
        {"v_trunc_f32_e32 v12, v4", false, single([](float a, float, float) { return std::trunc(a); })},
        {"v_rndne_f32_e32 v12, v4", false, single([](float a, float, float) { return std::nearbyint(a); })},
        {"v_sqrt_f32_e32 v12, v4", false, single([](float a, float, float) { return std::sqrt(a); })},
        {"v_ldexp_f32 v12, v4, 5", false, single([](float a, float, float) { return std::ldexp(a, 5); })},
        {"v_frexp_mant_f32_e32 v12, v4", false,
         single([](float a, float, float) {
             int e = 0;
             return std::isfinite(a) ? std::frexp(a, &e) : a;
         })},
        {"v_frexp_exp_i32_f32_e32 v12, v4", false,
         [](U64 a, U64, U64) {
             int e = 0;
             if (std::isfinite(f32(a))) (void)std::frexp(f32(a), &e);
             return static_cast<U64>(static_cast<U32>(e));
         }},
        {"v_add_f64 v[12:13], v[4:5], v[6:7]", true, real([](double a, double b, double) { return a + b; })},
        {"v_mul_f64 v[12:13], v[4:5], 2.0", true, real([](double a, double, double) { return a * 2; })},
        {"v_fma_f64 v[12:13], -v[4:5], v[6:7], v[8:9]", true,
         real([](double a, double b, double c) { return std::fma(-a, b, c); })},
        {"v_cvt_f64_f32_e32 v[12:13], v4", true, [](U64 a, U64, U64) { return bits(static_cast<double>(f32(a))); }},
        {"v_cvt_f32_f64_e32 v12, v[4:5]", false, [](U64 a, U64, U64) { return bits(static_cast<float>(f64(a))); }},
        {"v_cvt_f32_i32_e32 v12, v4", false, [](U64 a, U64, U64) { return bits(static_cast<float>(i(a))); }},
        {"v_cvt_f32_u32_e32 v12, v4", false, [](U64 a, U64, U64) { return bits(static_cast<float>(u(a))); }},
        {"v_cvt_f64_i32_e32 v[12:13], v4", true, [](U64 a, U64, U64) { return bits(static_cast<double>(i(a))); }},
        {"v_cvt_i32_f32_e32 v12, v4", false,
         [](U64 a, U64, U64) {
             const float x = f32(a);
             const I32 whole = std::isnan(x)             ? 0
                               : x >= 2147483648.0f      ? 0x7fffffff
                               : x <= -2147483648.0f     ? static_cast<I32>(0x80000000)
                                                         : static_cast<I32>(x);
             return U64{static_cast<U32>(whole)};
         }},
        // 2/pi, cut off behind 53 bits; the next 53 for the next segment.
        {"v_trig_preop_f64 v[12:13], 1.0, 0", true, [](U64, U64, U64) { return U64{0x3fe45f306dc9c882}; }},
        {"v_trig_preop_f64 v[12:13], 1.0, 1", true, [](U64, U64, U64) { return bits(0x14a7f09d5f47d4p-106); }},
        // The steps of a division, as compilers have them: the quotient that IEEE asks for.
        {"v_div_scale_f32 v14, s[10:11], v6, v6, v4\n v_div_scale_f32 v15, vcc, v4, v6, v4\n"
         " v_rcp_f32_e32 v16, v14\n v_fma_f32 v17, -v14, v16, 1.0\n v_fmac_f32_e32 v16, v17, v16\n"
         " v_mul_f32_e32 v17, v15, v16\n v_fma_f32 v18, -v14, v17, v15\n v_fmac_f32_e32 v17, v18, v16\n"
         " v_fma_f32 v14, -v14, v17, v15\n v_div_fmas_f32 v15, v14, v16, v17\n v_div_fixup_f32 v12, v15, v6, v4",
         false, single([](float a, float b, float) { return a / b; })},
        {"v_div_scale_f64 v[14:15], s[10:11], v[6:7], v[6:7], v[4:5]\n v_rcp_f64_e32 v[16:17], v[14:15]\n"
         " v_fma_f64 v[18:19], -v[14:15], v[16:17], 1.0\n v_fma_f64 v[16:17], v[16:17], v[18:19], v[16:17]\n"
         " v_div_scale_f64 v[20:21], vcc, v[4:5], v[6:7], v[4:5]\n"
         " v_fma_f64 v[18:19], -v[14:15], v[16:17], 1.0\n v_fma_f64 v[16:17], v[16:17], v[18:19], v[16:17]\n"
         " v_mul_f64 v[18:19], v[20:21], v[16:17]\n v_fma_f64 v[14:15], -v[14:15], v[18:19], v[20:21]\n"
         " v_div_fmas_f64 v[14:15], v[14:15], v[16:17], v[18:19]\n"
         " v_div_fixup_f64 v[12:13], v[14:15], v[6:7], v[4:5]",
         true, real([](double a, double b, double) { return a / b; })},
    };
    return all;
}

constexpr U32 lanes = 64, record = 64;  // bytes of a lane: 32 in, 16 out

std::string kernel_with(const std::string& body) {
    return ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\n.text\n.type k,@function\nk:\n"
           " s_load_dwordx2 s[0:1], s[4:5], 0x0\n v_lshlrev_b32_e32 v1, 6, v0\n s_waitcnt lgkmcnt(0)\n"
           " global_load_dwordx4 v[4:7], v1, s[0:1]\n global_load_dwordx4 v[8:11], v1, s[0:1] offset:16\n"
           " s_waitcnt vmcnt(0)\n " +
           body +
           "\n global_store_dwordx4 v1, v[12:15], s[0:1] offset:32\n s_endpgm\n"
           ".section .rodata\n.amdhsa_kernel k\n .amdhsa_kernarg_size 8\n .amdhsa_user_sgpr_count 6\n"
           " .amdhsa_user_sgpr_private_segment_buffer 1\n .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
           " .amdhsa_next_free_vgpr 24\n .amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
           ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n      - .offset:         0\n"
           "        .size:           8\n        .value_kind:     global_buffer\n    .kernarg_segment_size: "
           "8\n"
           "    .name:           k\n    .wavefront_size: 64\n...\n.end_amdgpu_metadata\n";
}

class WaveInstructions : public testing::Test {
  protected:
    // What the kernel left, one word array of 16 bytes a lane.
    std::string run(const std::string& body, const std::vector<U64>& inputs, std::vector<U64>& results) {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/mi100.toml");
        if (!model) return model.error().to_string();
        auto module = Module::load(kernel_with(body) + behind, "test", memory, *model, options);
        if (!module) return module.error().to_string();
        if (!address) address = *memory.allocate(lanes * record, MemoryKind::device);
        for (U32 lane = 0; lane < lanes; ++lane)
            std::memcpy(reinterpret_cast<void*>(address + lane * record), &inputs[4 * lane], 32);
        std::vector<std::byte> params(8);
        std::memcpy(params.data(), &address, 8);
        const Kernel* kernel = (*module)->find_kernel("k");
        if (!kernel) return "no kernel";
        if (auto fault = exec::run(*kernel, {.grid = {1}, .block = {lanes}, .params = params}))
            return fault->message;
        results.resize(2 * lanes);
        for (U32 lane = 0; lane < lanes; ++lane)
            std::memcpy(&results[2 * lane], reinterpret_cast<void*>(address + lane * record + 32), 16);
        return "";
    }

    DeviceMemory memory{1 << 20};
    Options options{.threads = 1};
    U64 address = 0;
    std::string behind;  // the kernel: variables
};

// Bits with edges in both widths.
std::vector<U64> inputs_of(std::mt19937_64& random) {
    constexpr U32 words[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff,
                             0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x00000001,
                             0x00800000, 0x7f7fffff, 0x007fffff, 0x4b000001};
    constexpr U64 wide[] = {0x3ff0000000000000, 0x7ff0000000000000, 0x0010000000000000, 0x0000000000000001,
                            0x7fefffffffffffff, 0x8000000000000000, 0x000fffffffffffff, 0x4330000000000001};
    std::vector<U64> inputs(4 * lanes);
    for (U64& value : inputs) {
        switch (random() % 5) {
            case 0:
                value = U64{words[random() % std::size(words)]} << 32 | words[random() % std::size(words)];
                break;
            case 1: value = wide[random() % std::size(wide)]; break;
            case 2: value = random() % 64; break;
            case 3:
                value = bits(
                    std::ldexp(static_cast<double>(random() % 100000), static_cast<int>(random() % 40) - 20));
                break;
            default: value = random();
        }
    }
    return inputs;
}

bool same(const Case& test, U64 expected, U64 found) {
    if (!test.wide) expected = u(expected), found = u(found);
    if (expected == found) return true;
    // Which NaN is not said.
    const std::string_view text = test.text;
    if (test.wide)
        return text.find("f64") != std::string_view::npos && std::isnan(f64(expected)) &&
               std::isnan(f64(found));
    return text.find("f32") != std::string_view::npos && std::isnan(f32(expected)) && std::isnan(f32(found));
}

TEST_F(WaveInstructions, GiveWhatTheManualSays) {
    std::mt19937_64 random(7);
    for (const Case& test : cases()) {
        const std::vector<U64> inputs = inputs_of(random);
        std::vector<U64> results;
        ASSERT_EQ(run(test.text, inputs, results), "") << test.text;
        int wrong = 0;
        for (U32 lane = 0; lane < lanes && wrong < 3; ++lane) {
            const U64 a = inputs[4 * lane], b = inputs[4 * lane + 1], c = inputs[4 * lane + 2];
            const U64 expected = test.expected(a, b, c), found = results[2 * lane];
            if (same(test, expected, found)) continue;
            ++wrong;
            ADD_FAILURE() << test.text << ": lane " << lane << std::hex << " of " << a << ", " << b << ", "
                          << c << " gives " << found << " and not " << expected;
        }
    }
}

// What code generation asks for differs from CPU to CPU; a function that it calls and lockstep does not have
// is an error. All cases in one kernel, with halves and roundings among them.
TEST_F(WaveInstructions, CompileForOtherMachines) {
    auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/mi100.toml");
    ASSERT_TRUE(model);
    std::string body;
    for (const Case& test : cases()) body += std::string(test.text) + "\n ";
    for (const char* name : {"v_floor", "v_ceil", "v_trunc", "v_rndne"})
        for (const char* type : {"_f16", "_f32", "_f64"}) {
            const bool wide = std::string(type) == "_f64";
            body += std::string(name) + type + (wide ? "_e32 v[12:13], v[4:5]\n " : "_e32 v12, v4\n ");
        }
    body += "v_add_f16_e32 v12, v4, v6\n v_pk_fma_f16 v12, v4, v6, v8\n v_cvt_f16_f32_e32 v12, v4";
    auto module = Module::load(kernel_with(body), "test", memory, *model, options);
    ASSERT_TRUE(module) << module.error().to_string();
    for (const auto& [triple, cpu] : {std::pair{"x86_64-linux-gnu", "x86-64"},
                                      {"x86_64-linux-gnu", "haswell"},
                                      {"x86_64-linux-gnu", "skylake-avx512"},
                                      {"aarch64-linux-gnu", "generic"}}) {
        auto compiled = compile_for(*(*module)->find_kernel("k"), triple, cpu);
        EXPECT_TRUE(compiled) << cpu << ": " << compiled.error().to_string();
    }
}

TEST_F(WaveInstructions, MoveLanes) {
    std::mt19937_64 random(8);
    const std::vector<U64> inputs = inputs_of(random);
    const auto of = [&](U32 lane) { return u(inputs[4 * (lane % lanes)]); };
    struct Move {
        const char* text;
        std::function<U32(U32)> expected;
    };
    // ds_swizzle's 5151: the number of a lane, changed by 5.
    const Move moves[] = {
        {"v_mov_b32_dpp v12, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
         [&](U32 l) { return of(l ^ 1); }},
        {"v_mov_b32_e32 v12, 7\n v_mov_b32_dpp v12, v4 row_shr:1 row_mask:0xf bank_mask:0xf",
         [&](U32 l) { return l % 16 == 0 ? 7 : of(l - 1); }},
        {"v_mov_b32_dpp v12, v4 row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:0",
         [&](U32 l) { return l % 16 > 12 ? 0 : of(l + 3); }},
        {"v_mov_b32_e32 v12, 9\n v_mov_b32_dpp v12, v4 row_bcast:15 row_mask:0xa bank_mask:0xf",
         [&](U32 l) { return (l / 16) % 2 ? of(l / 16 * 16 - 1) : 9; }},
        {"v_mov_b32_e32 v12, 9\n v_mov_b32_dpp v12, v4 row_bcast:31 row_mask:0xc bank_mask:0xf",
         [&](U32 l) { return l >= 32 ? of(31) : 9; }},
        {"v_mov_b32_dpp v12, v4 row_mirror row_mask:0xf bank_mask:0xf",
         [&](U32 l) { return of(l / 16 * 16 + 15 - l % 16); }},
        {"v_mov_b32_dpp v12, v4 row_ror:4 row_mask:0xf bank_mask:0xf",
         [&](U32 l) { return of(l / 16 * 16 + (l + 12) % 16); }},
        {"v_xor_b32_e32 v13, 33, v0\n v_lshlrev_b32_e32 v13, 2, v13\n ds_bpermute_b32 v12, v13, v4",
         [&](U32 l) { return of(l ^ 33); }},
        {"ds_swizzle_b32 v12, v4 offset:5151", [&](U32 l) { return of(l ^ 5); }},
        {"s_mov_b32 s10, 41\n v_readlane_b32 s11, v4, s10\n v_mov_b32_e32 v12, s11",
         [&](U32) { return of(41); }},
        {"v_readfirstlane_b32 s11, v4\n v_mov_b32_e32 v12, s11", [&](U32) { return of(0); }},
        {"v_mov_b32_e32 v12, v4\n s_mov_b32 s10, 5\n v_writelane_b32 v12, s10, 63",
         [&](U32 l) { return l == 63 ? 5 : of(l); }},
        {"v_mbcnt_lo_u32_b32 v12, -1, 0\n v_mbcnt_hi_u32_b32 v12, -1, v12", [&](U32 l) { return l; }},
    };
    for (const Move& move : moves) {
        const std::string text = move.text;
        std::vector<U64> results;
        ASSERT_EQ(run(text, inputs, results), "") << text;
        for (U32 lane = 0; lane < lanes; ++lane)
            EXPECT_EQ(u(results[2 * lane]), move.expected(lane)) << text << ", lane " << lane;
    }
}

TEST_F(WaveInstructions, OfTheScalarUnit) {
    struct Scalar {
        const char* text;  // the result in s[10:11]
        U64 expected;
    };
    const Scalar scalars[] = {
        {"s_mov_b64 s[10:11], -1", ~U64{0}},
        {"s_mov_b32 s10, 0xfffffff0\n s_mov_b32 s11, 0\n s_add_u32 s10, s10, 32\n s_addc_u32 s11, s11, 1",
         U64{2} << 32 | 16},
        {"s_mov_b32 s12, 3\n s_sub_u32 s10, s12, 5\n s_subb_u32 s11, 0, 0", ~U64{0} - 1},
        {"s_mov_b32 s12, 0x12345678\n s_bfe_u32 s10, s12, 0x80004\n s_mov_b32 s11, 0", 0x67},
        {"s_mov_b32 s12, 0xf0\n s_bfe_i32 s10, s12, 0x40004\n s_mov_b32 s11, 0", 0xffffffff},
        {"s_mov_b64 s[10:11], 0x10\n s_lshl_b64 s[10:11], s[10:11], 33", U64{0x10} << 33},
        {"s_mov_b32 s12, -7\n s_mul_hi_i32 s10, s12, 100\n s_mul_i32 s11, s12, 2",
         U64{0xfffffff2} << 32 | 0xffffffff},
        {"s_mov_b64 s[12:13], 0xf0f0\n s_bcnt1_i32_b64 s10, s[12:13]\n s_ff1_i32_b64 s11, s[12:13]",
         U64{4} << 32 | 8},
        {"s_cmp_gt_i32 -1, 0\n s_cselect_b32 s10, 1, 2\n s_cmp_gt_u32 -1, 0\n s_cselect_b32 s11, 3, 4",
         U64{3} << 32 | 2},
        {"s_movk_i32 s10, 0xff00\n s_addk_i32 s10, 0x10\n s_mov_b32 s11, 0", 0xffffff10},
        {"s_bfm_b64 s[10:11], 40, 4", ((U64{1} << 40) - 1) << 4},
        {"s_mov_b32 s10, 10\n s_mov_b32 s11, 0\n.Lloop:\n s_add_i32 s11, s11, s10\n s_add_i32 s10, s10, -1\n"
         " s_cmp_lg_u32 s10, 0\n s_cbranch_scc1 .Lloop",
         U64{55} << 32},
        {"s_brev_b32 s10, 1\n s_flbit_i32_b32 s11, 0x100", U64{23} << 32 | 0x80000000},
    };
    std::mt19937_64 random(9);
    const std::vector<U64> inputs = inputs_of(random);
    for (const Scalar& scalar : scalars) {
        std::vector<U64> results;
        const std::string text =
            std::string(scalar.text) + "\n v_mov_b32_e32 v12, s10\n v_mov_b32_e32 v13, s11";
        ASSERT_EQ(run(text, inputs, results), "") << text;
        EXPECT_EQ(results[0], scalar.expected) << scalar.text;
        EXPECT_EQ(results[126], scalar.expected) << scalar.text;
    }
}

// With a variable, which lies elsewhere in the next run, and an offset from its name.
TEST_F(WaveInstructions, MachineCodeIsKeptForTheNextRun) {
    const compile::TempDir scratch = std::move(*compile::TempDir::create());
    options.cache = base::FileCache(scratch.path(), 1 << 20);
    behind = ".data\ntable:\n .long 5\n .long 7\n .size table, 8\n";
    std::vector<U64> inputs(4 * lanes), results;
    std::vector<ino_t> kept;
    for (int round = 0; round < 2; ++round) {
        ASSERT_EQ(run("s_getpc_b64 s[10:11]\n s_add_u32 s10, s10, table@rel32@lo+8\n"
                      " s_addc_u32 s11, s11, table@rel32@hi+16\n s_load_dword s12, s[10:11], 0x0\n"
                      " v_mov_b32_e32 v12, s12",
                      inputs, results),
                  "");
        EXPECT_EQ(u(results[0]), 7u);
        for (const auto& file : std::filesystem::directory_iterator(scratch.path()))
            if (struct stat info{}; file.path().filename().string().starts_with("kernel-") &&
                                    stat(file.path().c_str(), &info) == 0)
                kept.push_back(info.st_ino);
        ASSERT_TRUE(memory.allocate(12345, MemoryKind::device));
    }
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[0], kept[1]);
}

TEST_F(WaveInstructions, WhatIsMissingIsNamed) {
    std::vector<U64> inputs(4 * lanes), results;
    EXPECT_NE(
        run("image_sample v[4:7], v[4:5], s[0:7], s[8:11] dmask:0xf", inputs, results).find("image_sample"),
        std::string::npos);
    EXPECT_NE(run("v_add_u32_e32 v12, v4", inputs, results).find("too few operands"), std::string::npos);
    EXPECT_NE(run("s_branch .Lnowhere", inputs, results).find(".Lnowhere"), std::string::npos);
    EXPECT_NE(run("v_mov_b32_e32 v300, v4", inputs, results), "");
}

TEST_F(WaveInstructions, AnAddressOutOfBoundsIsAFault) {
    std::vector<U64> inputs(4 * lanes), results;
    const std::string message =
        run("v_mov_b32_e32 v3, 0x7000000\n global_load_dword v12, v3, s[0:1]", inputs, results);
    EXPECT_NE(message.find("read of 4 bytes"), std::string::npos) << message;
    EXPECT_NE(message.find("out of bounds"), std::string::npos) << message;
    // A register and an offset wrap round at 32 bits.
    EXPECT_NE(run("v_mov_b32_e32 v3, -4\n ds_write_b32 v3, v4 offset:8", inputs, results)
                  .find("shared address 0x4 "),
              std::string::npos);
    EXPECT_NE(run("v_mov_b32_e32 v3, 64\n ds_write_b32 v3, v4", inputs, results).find("shared"),
              std::string::npos);
    EXPECT_NE(
        run("s_mov_b64 s[10:11], 0\n s_load_dword s12, s[10:11], 0x0", inputs, results).find("out of bounds"),
        std::string::npos);
}

}  // namespace
}  // namespace lockstep::exec
