#include "exec/scalar/int-ops.h"

#include <bit>
#include <limits>
#include <utility>

#include "exec/scalar/scalar-table.h"

namespace lockstep::exec {

namespace {

std::uint32_t byte_of(std::uint64_t v, unsigned index) {
    return static_cast<std::uint32_t>(v >> (8 * index)) & 0xff;
}

std::int64_t extended(std::uint32_t v, int bits, bool is_signed) {
    std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    std::int64_t field = v & mask;
    return is_signed && (field >> (bits - 1)) ? field - (std::int64_t{1} << bits) : field;
}

std::uint64_t low_mask(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// The 32-bit instructions read start and length as bytes; the 64-bit ones, which are made of several, all of
// them.
std::pair<unsigned, unsigned> field_place(std::uint32_t start, std::uint32_t length, int width) {
    if (width == 32) return {start & 0xff, length & 0xff};
    return {start < 64 ? start : 64, length < 64 ? length : 64};
}

}  // namespace

std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t selector, PrmtMode mode) {
    std::uint64_t source = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    unsigned s = selector & 3;
    for (unsigned i = 0; i < 4; ++i) {
        unsigned pick = 0;
        bool replicate_sign = false;
        switch (mode) {
            case PrmtMode::generic:
                pick = selector >> (4 * i) & 7;
                replicate_sign = (selector >> (4 * i) & 8) != 0;
                break;
            case PrmtMode::f4e: pick = s + i; break;
            case PrmtMode::b4e: pick = (s + 8 - i) & 7; break;
            case PrmtMode::rc8: pick = s; break;
            case PrmtMode::ecl: pick = i > s ? i : s; break;
            case PrmtMode::ecr: pick = i < s ? i : s; break;
            case PrmtMode::rc16: pick = (s & 1) * 2 + (i & 1); break;
        }
        std::uint32_t byte = byte_of(source, pick);
        if (replicate_sign) byte = (byte & 0x80) ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}

std::uint64_t bfe(std::uint64_t a, std::uint32_t start, std::uint32_t length, int width, bool is_signed) {
    auto [pos, len] = field_place(start, length, width);
    unsigned top = static_cast<unsigned>(width) - 1;
    a &= low_mask(static_cast<unsigned>(width));
    if (len == 0) return 0;
    unsigned sign_at = pos + len - 1 < top ? pos + len - 1 : top;
    bool fill = is_signed && (a >> sign_at & 1);
    std::uint64_t field = pos > top ? 0 : a >> pos;
    // Bits from `sign_at` on, seen from `pos`, become the fill.
    unsigned kept = pos > top ? 0 : (len < top - pos + 1 ? len : top - pos + 1);
    field &= low_mask(kept);
    if (fill) field |= ~low_mask(kept);
    return field & low_mask(static_cast<unsigned>(width));
}

std::uint64_t bfi(std::uint64_t a, std::uint64_t b, std::uint32_t start, std::uint32_t length, int width) {
    auto [pos, len] = field_place(start, length, width);
    std::uint64_t all = low_mask(static_cast<unsigned>(width));
    if (pos >= static_cast<unsigned>(width)) return b & all;
    std::uint64_t mask = low_mask(len) << pos & all;
    return ((a << pos & mask) | (b & ~mask)) & all;
}

std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
    if (offset == std::numeric_limits<std::int32_t>::min()) return 0;  // it has no magnitude
    if (base >= 32) return ~0u;
    if (offset == 0) return (mask >> base & 1) ? base : ~0u;
    int step = offset > 0 ? 1 : -1;
    std::int64_t left = offset > 0 ? offset : -std::int64_t{offset};
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0) return static_cast<std::uint32_t>(at);
    return ~0u;
}

std::uint32_t dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed, bool b_signed) {
    for (unsigned i = 0; i < 4; ++i)
        c += static_cast<std::uint32_t>(extended(byte_of(a, i), 8, a_signed) *
                                        extended(byte_of(b, i), 8, b_signed));
    return c;
}

std::uint32_t dp2a(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed, bool b_signed,
                   bool high) {
    for (unsigned i = 0; i < 2; ++i)
        c += static_cast<std::uint32_t>(extended(a >> (16 * i), 16, a_signed) *
                                        extended(byte_of(b, i + (high ? 2 : 0)), 8, b_signed));
    return c;
}

namespace {

template <PrmtMode mode>
std::uint32_t prmt_mode(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return prmt(a, b, c, mode);
}

template <class T>
T sad(T a, T b, T c) {
    using U = std::make_unsigned_t<T>;
    U difference = a > b ? static_cast<U>(static_cast<U>(a) - static_cast<U>(b))
                         : static_cast<U>(static_cast<U>(b) - static_cast<U>(a));
    return static_cast<T>(static_cast<U>(static_cast<U>(c) + difference));
}

template <bool a_signed, bool b_signed>
void add_dot_products(ScalarTable& t) {
    std::string types = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
    using U = std::uint32_t;
    t.add("dp4a" + types, [](U a, U b, U c) { return dp4a(a, b, c, a_signed, b_signed); });
    t.add("dp2a.lo" + types, [](U a, U b, U c) { return dp2a(a, b, c, a_signed, b_signed, false); });
    t.add("dp2a.hi" + types, [](U a, U b, U c) { return dp2a(a, b, c, a_signed, b_signed, true); });
}

ScalarTable make_table() {
    using U = std::uint32_t;
    using L = std::uint64_t;
    ScalarTable t;
    t.add("prmt.b32", prmt_mode<PrmtMode::generic>);
    t.add("prmt.f4e.b32", prmt_mode<PrmtMode::f4e>);
    t.add("prmt.b4e.b32", prmt_mode<PrmtMode::b4e>);
    t.add("prmt.rc8.b32", prmt_mode<PrmtMode::rc8>);
    t.add("prmt.ecl.b32", prmt_mode<PrmtMode::ecl>);
    t.add("prmt.ecr.b32", prmt_mode<PrmtMode::ecr>);
    t.add("prmt.rc16.b32", prmt_mode<PrmtMode::rc16>);
    t.add("bfe.u32", [](U a, U b, U c) { return static_cast<U>(bfe(a, b, c, 32, false)); });
    t.add("bfe.s32", [](U a, U b, U c) { return static_cast<U>(bfe(a, b, c, 32, true)); });
    t.add("bfe.u64", [](L a, U b, U c) { return bfe(a, b, c, 64, false); });
    t.add("bfe.s64", [](L a, U b, U c) { return bfe(a, b, c, 64, true); });
    t.add("bfi.b32", [](U a, U b, U c, U d) { return static_cast<U>(bfi(a, b, c, d, 32)); });
    t.add("bfi.b64", [](L a, L b, U c, U d) { return bfi(a, b, c, d, 64); });
    t.add("fns.b32", fns);
    add_dot_products<false, false>(t);
    add_dot_products<false, true>(t);
    add_dot_products<true, false>(t);
    add_dot_products<true, true>(t);
    t.add("sad.u16", [](U a, U b, U c) {
        return static_cast<U>(sad<std::uint16_t>(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
                                                 static_cast<std::uint16_t>(c)));
    });
    t.add("sad.s16", [](U a, U b, U c) {
        return static_cast<U>(static_cast<std::uint16_t>(sad<std::int16_t>(
            static_cast<std::int16_t>(a), static_cast<std::int16_t>(b), static_cast<std::int16_t>(c))));
    });
    t.add("sad.u32", sad<std::uint32_t>);
    t.add("sad.s32", sad<std::int32_t>);
    t.add("sad.u64", sad<std::uint64_t>);
    t.add("sad.s64", sad<std::int64_t>);
    t.add("mul24.lo.u32", [](U a, U b) { return static_cast<U>(L{a & 0xffffff} * (b & 0xffffff)); });
    t.add("mul24.hi.u32", [](U a, U b) { return static_cast<U>(L{a & 0xffffff} * (b & 0xffffff) >> 16); });
    t.add("mul24.lo.s32",
          [](U a, U b) { return static_cast<U>(extended(a, 24, true) * extended(b, 24, true)); });
    t.add("mul24.hi.s32",
          [](U a, U b) { return static_cast<U>(extended(a, 24, true) * extended(b, 24, true) >> 16); });
    return t;
}

}  // namespace

const ScalarFunction* find_int_op(std::string_view name) {
    static const ScalarTable table = make_table();
    return table.find(name);
}

}  // namespace lockstep::exec
