#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "exec/scalar/int-ops.h"
#include "exec/scalar/libdevice-groups.h"

namespace lockstep::exec {

namespace {

using U = std::uint32_t;
using I = std::int32_t;
using UL = std::uint64_t;
using IL = std::int64_t;
__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

template <class T>
T reversed(T v) {
    T result = 0;
    for (unsigned i = 0; i < sizeof(T) * 8; ++i, v >>= 1) result = static_cast<T>(result << 1 | (v & 1));
    return result;
}

IL sign_extended_24(I a) { return static_cast<I>(static_cast<U>(a) << 8) >> 8; }

void add_scalars(ScalarTable& t) {
    t.add("__nv_abs", [](I a) { return a < 0 ? static_cast<I>(0u - static_cast<U>(a)) : a; });
    t.add("__nv_llabs", [](IL a) { return a < 0 ? static_cast<IL>(0ul - static_cast<UL>(a)) : a; });
    t.add("__nv_max", [](I a, I b) { return std::max(a, b); });
    t.add("__nv_min", [](I a, I b) { return std::min(a, b); });
    t.add("__nv_umax", [](U a, U b) { return std::max(a, b); });
    t.add("__nv_umin", [](U a, U b) { return std::min(a, b); });
    t.add("__nv_llmax", [](IL a, IL b) { return std::max(a, b); });
    t.add("__nv_llmin", [](IL a, IL b) { return std::min(a, b); });
    t.add("__nv_ullmax", [](UL a, UL b) { return std::max(a, b); });
    t.add("__nv_ullmin", [](UL a, UL b) { return std::min(a, b); });
    t.add("__nv_brev", [](U a) { return reversed(a); });
    t.add("__nv_brevll", [](UL a) { return reversed(a); });
    t.add("__nv_clz", [](U a) { return static_cast<I>(std::countl_zero(a)); });
    t.add("__nv_clzll", [](UL a) { return static_cast<I>(std::countl_zero(a)); });
    t.add("__nv_ffs", [](U a) { return a ? static_cast<I>(std::countr_zero(a)) + 1 : 0; });
    t.add("__nv_ffsll", [](UL a) { return a ? static_cast<I>(std::countr_zero(a)) + 1 : 0; });
    t.add("__nv_popc", [](U a) { return static_cast<I>(std::popcount(a)); });
    t.add("__nv_popcll", [](UL a) { return static_cast<I>(std::popcount(a)); });
    t.add("__nv_byte_perm", [](U a, U b, U c) { return prmt(a, b, c & 0x7777); });
    t.add("__nv_mul24", [](I a, I b) { return static_cast<I>(sign_extended_24(a) * sign_extended_24(b)); });
    t.add("__nv_umul24", [](U a, U b) { return static_cast<U>(UL{a & 0xffffff} * (b & 0xffffff)); });
    t.add("__nv_mulhi", [](I a, I b) { return static_cast<I>(IL{a} * b >> 32); });
    t.add("__nv_umulhi", [](U a, U b) { return static_cast<U>(UL{a} * b >> 32); });
    t.add("__nv_mul64hi", [](IL a, IL b) { return static_cast<IL>(SignedWide{a} * b >> 64); });
    t.add("__nv_umul64hi", [](UL a, UL b) { return static_cast<UL>(Wide{a} * b >> 64); });
    t.add("__nv_sad", [](I a, I b, U c) { return c + static_cast<U>(a > b ? IL{a} - b : IL{b} - a); });
    t.add("__nv_usad", [](U a, U b, U c) { return c + (a > b ? a - b : b - a); });
    t.add("__nv_hadd", [](I a, I b) { return static_cast<I>((IL{a} + b) >> 1); });
    t.add("__nv_rhadd", [](I a, I b) { return static_cast<I>((IL{a} + b + 1) >> 1); });
    t.add("__nv_uhadd", [](U a, U b) { return static_cast<U>((UL{a} + b) >> 1); });
    t.add("__nv_urhadd", [](U a, U b) { return static_cast<U>((UL{a} + b + 1) >> 1); });
}

void add_bit_casts(ScalarTable& t) {
    t.add("__nv_float_as_int", [](float a) { return std::bit_cast<I>(a); });
    t.add("__nv_float_as_uint", [](float a) { return std::bit_cast<U>(a); });
    t.add("__nv_int_as_float", [](I a) { return std::bit_cast<float>(a); });
    t.add("__nv_uint_as_float", [](U a) { return std::bit_cast<float>(a); });
    t.add("__nv_double_as_longlong", [](double a) { return std::bit_cast<IL>(a); });
    t.add("__nv_longlong_as_double", [](IL a) { return std::bit_cast<double>(a); });
    t.add("__nv_double2hiint", [](double a) { return static_cast<I>(std::bit_cast<UL>(a) >> 32); });
    t.add("__nv_double2loint", [](double a) { return static_cast<I>(std::bit_cast<UL>(a)); });
    t.add("__nv_hiloint2double", [](U high, U low) { return std::bit_cast<double>(UL{high} << 32 | low); });
}

// Applies `op` to each part of the words; `op` sees the parts as Part and returns any integer, of which the
// low bits are kept.
template <class Part, class Op>
U each(U a, U b, Op op) {
    constexpr unsigned bits = sizeof(Part) * 8;
    constexpr U mask = (U{1} << bits) - 1;
    U result = 0;
    for (unsigned at = 0; at < 32; at += bits)
        result |=
            (static_cast<U>(op(static_cast<Part>(a >> at & mask), static_cast<Part>(b >> at & mask))) & mask)
            << at;
    return result;
}

template <class Part>
int clamped(int v) {
    return std::clamp<int>(v, std::numeric_limits<Part>::min(), std::numeric_limits<Part>::max());
}

template <class Part>
U sum_of_differences(U a, U b) {
    constexpr unsigned bits = sizeof(Part) * 8;
    U sum = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        int x = static_cast<Part>(a >> at), y = static_cast<Part>(b >> at);
        sum += static_cast<U>(x > y ? x - y : y - x);
    }
    return sum;
}

// One comparison: vcmpXX gives all bits set where it holds, vsetXX gives 1.
template <class Part, bool (*holds)(int, int)>
void add_compare(ScalarTable& t, const std::string& name, const std::string& parts) {
    t.add("__nv_vcmp" + name + parts,
          [](U a, U b) { return each<Part>(a, b, [](int x, int y) { return holds(x, y) ? -1 : 0; }); });
    t.add("__nv_vset" + name + parts,
          [](U a, U b) { return each<Part>(a, b, [](int x, int y) { return holds(x, y) ? 1 : 0; }); });
}

bool equal(int a, int b) { return a == b; }
bool not_equal(int a, int b) { return a != b; }
bool less(int a, int b) { return a < b; }
bool less_equal(int a, int b) { return a <= b; }
bool greater(int a, int b) { return a > b; }
bool greater_equal(int a, int b) { return a >= b; }

// Signed is std::int8_t for the four-part functions (…4) and std::int16_t for the two-part ones (…2).
template <class Signed>
void add_simd(ScalarTable& t, const std::string& n) {
    using Unsigned = std::make_unsigned_t<Signed>;
    t.add("__nv_vadd" + n, [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return x + y; }); });
    t.add("__nv_vsub" + n, [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return x - y; }); });
    t.add("__nv_vaddss" + n,
          [](U a, U b) { return each<Signed>(a, b, [](int x, int y) { return clamped<Signed>(x + y); }); });
    t.add("__nv_vaddus" + n, [](U a, U b) {
        return each<Unsigned>(a, b, [](int x, int y) { return clamped<Unsigned>(x + y); });
    });
    t.add("__nv_vsubss" + n,
          [](U a, U b) { return each<Signed>(a, b, [](int x, int y) { return clamped<Signed>(x - y); }); });
    t.add("__nv_vsubus" + n, [](U a, U b) {
        return each<Unsigned>(a, b, [](int x, int y) { return clamped<Unsigned>(x - y); });
    });
    t.add("__nv_vabs" + n, [](U a) { return each<Signed>(a, 0, [](int x, int) { return x < 0 ? -x : x; }); });
    t.add("__nv_vabsss" + n,
          [](U a) { return each<Signed>(a, 0, [](int x, int) { return clamped<Signed>(x < 0 ? -x : x); }); });
    t.add("__nv_vneg" + n, [](U a) { return each<Signed>(a, 0, [](int x, int) { return -x; }); });
    t.add("__nv_vnegss" + n,
          [](U a) { return each<Signed>(a, 0, [](int x, int) { return clamped<Signed>(-x); }); });
    t.add("__nv_vabsdiffs" + n,
          [](U a, U b) { return each<Signed>(a, b, [](int x, int y) { return x > y ? x - y : y - x; }); });
    t.add("__nv_vabsdiffu" + n,
          [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return x > y ? x - y : y - x; }); });
    // The signed average rounds halves away from zero, the unsigned one up.
    t.add("__nv_vavgs" + n, [](U a, U b) {
        return each<Signed>(a, b, [](int x, int y) { return (x + y + (x + y >= 0 ? 1 : 0)) >> 1; });
    });
    t.add("__nv_vavgu" + n,
          [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return (x + y + 1) >> 1; }); });
    t.add("__nv_vhaddu" + n,
          [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return (x + y) >> 1; }); });
    t.add("__nv_vmaxs" + n,
          [](U a, U b) { return each<Signed>(a, b, [](int x, int y) { return std::max(x, y); }); });
    t.add("__nv_vmaxu" + n,
          [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return std::max(x, y); }); });
    t.add("__nv_vmins" + n,
          [](U a, U b) { return each<Signed>(a, b, [](int x, int y) { return std::min(x, y); }); });
    t.add("__nv_vminu" + n,
          [](U a, U b) { return each<Unsigned>(a, b, [](int x, int y) { return std::min(x, y); }); });
    t.add("__nv_vsads" + n, sum_of_differences<Signed>);
    t.add("__nv_vsadu" + n, sum_of_differences<Unsigned>);
    add_compare<Unsigned, equal>(t, "eq", n);
    add_compare<Unsigned, not_equal>(t, "ne", n);
    add_compare<Signed, less>(t, "lts", n);
    add_compare<Signed, less_equal>(t, "les", n);
    add_compare<Signed, greater>(t, "gts", n);
    add_compare<Signed, greater_equal>(t, "ges", n);
    add_compare<Unsigned, less>(t, "ltu", n);
    add_compare<Unsigned, less_equal>(t, "leu", n);
    add_compare<Unsigned, greater>(t, "gtu", n);
    add_compare<Unsigned, greater_equal>(t, "geu", n);
}

}  // namespace

void add_libdevice_integer(ScalarTable& table) {
    add_scalars(table);
    add_bit_casts(table);
    add_simd<std::int16_t>(table, "2");
    add_simd<std::int8_t>(table, "4");
}

}  // namespace lockstep::exec
