#include "exec/scalar/video.h"

#include <algorithm>

namespace lockstep::exec {

namespace {

// Writes and reads fields of a 64-bit word in the same order.
class Packer {
  public:
    explicit Packer(std::uint64_t bits = 0) : bits_(bits) {}
    template <class T>
    void put(T value, int width) {
        bits_ |= static_cast<std::uint64_t>(value) << at_;
        at_ += width;
    }
    template <class T>
    void get(T& value, int width) {
        value = static_cast<T>(bits_ >> at_ & ((std::uint64_t{1} << width) - 1));
        at_ += width;
    }
    std::uint64_t bits() const { return bits_; }

  private:
    std::uint64_t bits_;
    int at_ = 0;
};

template <class V, class Field>
void each_field(V& v, Field field) {
    field(v.op, 4);
    field(v.d_signed, 1);
    field(v.a_signed, 1);
    field(v.b_signed, 1);
    field(v.saturate, 1);
    field(v.secondary, 2);
    field(v.compare, 3);
    field(v.wrap, 1);
    field(v.scale, 4);
    field(v.plus_one, 1);
    field(v.negate_product, 1);
    field(v.negate_c, 1);
    field(v.a, 3);
    field(v.b, 3);
    field(v.d, 3);
    field(v.parts, 3);
    field(v.mask, 4);
    for (auto& part : v.a_parts) field(part, 3);
    for (auto& part : v.b_parts) field(part, 3);
}

std::int64_t field_of(std::uint64_t word, int at, int bits, bool is_signed) {
    std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    auto v = static_cast<std::int64_t>(word >> at & mask);
    return is_signed && (v >> (bits - 1) & 1) ? v - (std::int64_t{1} << bits) : v;
}

struct Part {
    int at, bits;
};

Part part_of(VideoSelect select) {
    switch (select) {
        case VideoSelect::word: return {0, 32};
        case VideoSelect::b0: return {0, 8};
        case VideoSelect::b1: return {8, 8};
        case VideoSelect::b2: return {16, 8};
        case VideoSelect::b3: return {24, 8};
        case VideoSelect::h0: return {0, 16};
        case VideoSelect::h1: return {16, 16};
    }
    return {0, 32};
}

std::int64_t clamped(std::int64_t v, int bits, bool is_signed) {
    std::int64_t low = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    std::int64_t high = is_signed ? -low - 1 : (std::int64_t{1} << bits) - 1;
    return std::clamp(v, low, high);
}

bool holds(VideoCompare compare, std::int64_t a, std::int64_t b) {
    switch (compare) {
        case VideoCompare::eq: return a == b;
        case VideoCompare::ne: return a != b;
        case VideoCompare::lt: return a < b;
        case VideoCompare::le: return a <= b;
        case VideoCompare::gt: return a > b;
        case VideoCompare::ge: return a >= b;
    }
    return false;
}

std::int64_t combined(const Video& v, std::int64_t a, std::int64_t b) {
    switch (v.op) {
        case VideoOp::add: return a + b;
        case VideoOp::sub: return a - b;
        case VideoOp::absdiff: return a > b ? a - b : b - a;
        case VideoOp::min: return std::min(a, b);
        case VideoOp::max: return std::max(a, b);
        case VideoOp::average: return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
        case VideoOp::shl:
        case VideoOp::shr: {
            std::int64_t by = b & 0xffffffff;
            by = v.wrap ? by & 31 : std::min<std::int64_t>(by, 32);
            if (v.op == VideoOp::shr) return a >> by;
            // The shifter has 34 bits: what leaves them is lost before .sat could see it.
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by << 30) >> 30;
        }
        case VideoOp::set: return holds(v.compare, a, b);
        case VideoOp::mad: break;  // not of this shape
    }
    return 0;
}

// The rules of the two functions below that PTX's manual does not give, or gives otherwise, are what an H200
// does.

// An operand that is a whole word counts as signed, whatever its type; so products fit.
std::uint32_t mad(const Video& v, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    auto factor = [](std::uint32_t word, Part part, bool is_signed) {
        return field_of(word, part.at, part.bits, is_signed || part.bits == 32);
    };
    bool is_signed = v.a_signed || v.b_signed || v.negate_product || v.negate_c;
    std::int64_t product = factor(a, part_of(v.a), v.a_signed) * factor(b, part_of(v.b), v.b_signed);
    if (v.negate_product) product = -product;
    std::int64_t addend = static_cast<std::int32_t>(c);  // even where all types are unsigned
    if (v.negate_c) addend = -addend;
    const std::int64_t sum = product + addend + (v.plus_one ? 1 : 0);
    if (is_signed || v.scale == 0) {
        const std::int64_t scaled = sum >> v.scale;
        return static_cast<std::uint32_t>(v.saturate ? clamped(scaled, 32, is_signed) : scaled);
    }
    std::uint64_t scaled = static_cast<std::uint64_t>(sum) >> v.scale;
    return static_cast<std::uint32_t>(v.saturate ? std::min<std::uint64_t>(scaled, 0xffffffff) : scaled);
}

// .sat. Sums and differences are not clamped above 2^32 - 1; for a part of a word, everything that does not
// fit becomes the largest value, also what is negative; shifts ignore that the result is a part.
std::int64_t saturated(const Video& v, std::int64_t r, int bits) {
    bool shifts = v.op == VideoOp::shl || v.op == VideoOp::shr;
    if (v.d != VideoSelect::word && !shifts) {
        std::int64_t most = (std::int64_t{1} << (v.d_signed ? bits - 1 : bits)) - 1;
        return r < 0 || r > most ? most : r;
    }
    bool sums = v.op == VideoOp::add || v.op == VideoOp::sub || v.op == VideoOp::absdiff;
    if (sums && !v.d_signed) return std::max<std::int64_t>(r, 0);
    return clamped(r, 32, v.d_signed);
}

// .min and .max compare with c before the result is cut to 32 bits, but for sums and differences.
bool less_than_c(const Video& v, std::int64_t r, std::uint32_t c) {
    if (v.op == VideoOp::add || v.op == VideoOp::sub)
        r = v.d_signed ? static_cast<std::int32_t>(r)
                       : static_cast<std::int64_t>(static_cast<std::uint32_t>(r));
    if (v.d_signed) return r < static_cast<std::int32_t>(c);
    return static_cast<std::uint64_t>(r) < c;
}

std::uint32_t scalar(const Video& v, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (v.op == VideoOp::mad) return mad(v, a, b, c);
    Part from_a = part_of(v.a), from_b = part_of(v.b), to = part_of(v.d);
    std::int64_t x = field_of(a, from_a.at, from_a.bits, v.a_signed);
    std::int64_t y = field_of(b, from_b.at, from_b.bits, v.b_signed);
    std::int64_t r = combined(v, x, y);
    if (v.saturate) r = saturated(v, r, to.bits);
    auto low = static_cast<std::uint32_t>(r);
    if (v.d == VideoSelect::h1)
        return (c & 0xffff) | (low & 0xffff0000);  // the result's upper half, not its lower
    if (v.d != VideoSelect::word) {
        std::uint32_t mask = ((1u << to.bits) - 1) << to.at;
        return (c & ~mask) | (low << to.at & mask);
    }
    switch (v.secondary) {
        case VideoSecondary::none: return low;
        case VideoSecondary::add: return low + c;
        case VideoSecondary::min: return less_than_c(v, r, c) ? low : c;
        case VideoSecondary::max: return less_than_c(v, r, c) ? c : low;
    }
    return low;
}

std::uint32_t simd(const Video& v, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    int bits = 32 / v.parts;
    std::uint64_t source = std::uint64_t{b} << 32 | a;
    std::uint32_t merged = c, sum = c;
    for (int k = 0; k < v.parts; ++k) {
        auto part = static_cast<std::size_t>(k);
        if (!(v.mask >> k & 1)) continue;
        std::int64_t x = field_of(source, v.a_parts[part] * bits, bits, v.a_signed);
        std::int64_t y = field_of(source, v.b_parts[part] * bits, bits, v.b_signed);
        std::int64_t r = combined(v, x, y);
        if (v.saturate) r = clamped(r, bits, v.d_signed);
        auto mask = static_cast<std::uint32_t>(((std::uint64_t{1} << bits) - 1) << (k * bits));
        merged = (merged & ~mask) | (static_cast<std::uint32_t>(r) << (k * bits) & mask);
        sum += static_cast<std::uint32_t>(r);
    }
    return v.secondary == VideoSecondary::add ? sum : merged;
}

}  // namespace

std::uint64_t Video::packed() const {
    Packer packer;
    each_field(*this, [&](auto value, int width) { packer.put(value, width); });
    return packer.bits();
}

Video Video::unpacked(std::uint64_t bits) {
    Video v;
    Packer packer(bits);
    each_field(v, [&](auto& value, int width) { packer.get(value, width); });
    return v;
}

std::uint32_t video(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint64_t modifiers) {
    Video v = Video::unpacked(modifiers);
    return v.parts == 1 ? scalar(v, a, b, c) : simd(v, a, b, c);
}

}  // namespace lockstep::exec
