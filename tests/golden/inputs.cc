#include "golden/inputs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

namespace lockstep::golden {

namespace {

// splitmix64: the same numbers on every machine, unlike the standard library's distributions.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t n) { return next() % n; }

  private:
    std::uint64_t state_;
};

struct Layout {
    int exponent = 0, mantissa = 0;
    int width() const { return 1 + exponent + mantissa; }
    std::uint64_t bias() const { return (std::uint64_t{1} << (exponent - 1)) - 1; }
    std::uint64_t infinity() const { return mask_of(exponent) << mantissa; }
    std::uint64_t sign() const { return std::uint64_t{1} << (width() - 1); }
};

Layout layout_of(const std::string& type) {
    if (type == "f16" || type == "f16x2") return {5, 10};
    if (type == "bf16" || type == "bf16x2") return {8, 7};
    if (type == "f32" || type == "tf32") return {8, 23};
    if (type == "f64") return {11, 52};
    return {};
}

// The most telling values first: pairs are drawn from the front of the list.
std::vector<std::uint64_t> float_edges(Layout l) {
    std::uint64_t one = l.bias() << l.mantissa, inf = l.infinity(),
                  quiet = std::uint64_t{1} << (l.mantissa - 1);
    std::uint64_t min_normal = std::uint64_t{1} << l.mantissa;
    std::uint64_t three_halves = one | quiet;
    std::vector<std::uint64_t> values = {0,
                                         one,
                                         inf,
                                         inf | quiet,
                                         min_normal,
                                         inf - 1,
                                         1,
                                         min_normal - 1,
                                         three_halves,
                                         inf | 1,
                                         one + 1,
                                         inf | quiet | 5};
    auto scaled = [&](int power, std::uint64_t fraction) {
        std::int64_t field = static_cast<std::int64_t>(l.bias()) + power;
        if (field > 0 && field < static_cast<std::int64_t>(mask_of(l.exponent)))
            values.push_back(static_cast<std::uint64_t>(field) << l.mantissa | fraction);
    };
    values.push_back(one - 1);
    for (int power : {-1, 1, -2, 2, 7, 8, 15, 16, 31, 32, 63, 64, -14, -15, -24, -25, 126, 127, -126, -149})
        scaled(power, 0);
    for (int power : {6, 7, 14, 15, 30, 31, 62, 63}) scaled(power, mask_of(l.mantissa));
    for (int power : {0, 1, 2, 3}) scaled(power, std::uint64_t{3} << (l.mantissa - 3));
    std::vector<std::uint64_t> both;
    for (std::uint64_t v : values) both.push_back(v), both.push_back(v | l.sign());
    return both;
}

std::vector<std::uint64_t> integer_edges(int bits) {
    std::uint64_t top = std::uint64_t{1} << (bits - 1), all = mask_of(bits);
    std::vector<std::uint64_t> values = {0,
                                         1,
                                         all,
                                         top,
                                         top - 1,
                                         2,
                                         all - 1,
                                         top + 1,
                                         31,
                                         32,
                                         33,
                                         0x5555555555555555 & all,
                                         7,
                                         16,
                                         all - 6,
                                         std::uint64_t{1} << (bits / 2),
                                         (std::uint64_t{1} << (bits / 2)) - 1,
                                         0xaaaaaaaaaaaaaaaa & all,
                                         3,
                                         15,
                                         63 & all,
                                         64 & all,
                                         65 & all,
                                         100,
                                         127,
                                         128,
                                         255,
                                         top >> 1,
                                         all >> 2,
                                         0x0f0f0f0f0f0f0f0f & all,
                                         0x8080808080808080 & all};
    for (std::uint64_t v :
         {256ull, 32767ull, 32768ull, 65535ull, 65536ull, 16777215ull, 16777216ull, 16777217ull})
        values.push_back(v & all);
    return values;
}

std::uint64_t random_integer(Random& random, int bits) {
    switch (random.below(6)) {
        case 0: return random.below(72) & mask_of(bits);  // a shift amount, a bit position
        case 1: return (random.next() >> random.below(64)) & mask_of(bits);
        case 2: return (std::uint64_t{1} << random.below(static_cast<std::uint64_t>(bits))) & mask_of(bits);
        case 3:
            return (0 - (random.next() >> (64 - bits + random.below(static_cast<std::uint64_t>(bits))))) &
                   mask_of(bits);
        default: return random.next() & mask_of(bits);
    }
}

// `previous`: the operand before this one, to make sums that cancel and quotients near one.
std::uint64_t random_float(Random& random, Layout l, std::uint64_t previous) {
    std::uint64_t mantissa = random.next() & mask_of(l.mantissa);
    std::uint64_t sign = random.next() & 1 ? l.sign() : 0;
    auto with_exponent = [&](std::int64_t field) {
        field = std::clamp<std::int64_t>(field, 0, static_cast<std::int64_t>(mask_of(l.exponent)) - 1);
        return sign | static_cast<std::uint64_t>(field) << l.mantissa | mantissa;
    };
    auto bias = static_cast<std::int64_t>(l.bias());
    auto spread = [&](std::uint64_t n) {
        return static_cast<std::int64_t>(random.below(2 * n + 1)) - static_cast<std::int64_t>(n);
    };
    switch (random.below(8)) {
        case 0: return random.next() & mask_of(l.width());
        case 1: return with_exponent(bias + spread(3));
        case 2: return with_exponent(bias + spread(30));
        case 3: {  // just at, below or above a tie of some narrower format
            std::uint64_t low = 1 + random.below(static_cast<std::uint64_t>(l.mantissa));
            mantissa = (mantissa >> low << low) | std::uint64_t{1} << (low - 1);
            std::uint64_t nudge = random.below(3);
            if (nudge == 1) mantissa = (mantissa + 1) & mask_of(l.mantissa);
            if (nudge == 2) mantissa = (mantissa - 1) & mask_of(l.mantissa);
            return with_exponent(bias + spread(20));
        }
        case 4: return with_exponent(static_cast<std::int64_t>(random.below(3)));  // subnormal, or nearly
        case 5: {  // halves and small integers
            std::uint64_t keep = random.below(7);
            if (keep < static_cast<std::uint64_t>(l.mantissa)) {
                int drop = l.mantissa - static_cast<int>(keep);
                mantissa = mantissa >> drop << drop;
            }
            return with_exponent(bias + spread(8));
        }
        case 6: {
            auto field = static_cast<std::int64_t>((previous & ~l.sign()) >> l.mantissa);
            return with_exponent(field + spread(2));
        }
        default: {  // the previous operand, negated and nudged
            std::uint64_t v = previous ^ l.sign();
            return v ^ random.below(4);
        }
    }
}

struct Source {
    std::vector<std::uint64_t> edges;
    int bits = 32;
    Layout layout;  // of each half where the type is a pair
    bool pair = false;

    explicit Source(const std::string& type) {
        layout = layout_of(type);
        bits = stored_bytes(type) * 8;
        if (type == "pred") {
            edges = {0, 1};
        } else if (layout.exponent) {
            edges = float_edges(layout);
            pair = layout.width() < bits;
        } else if (type == "u16x2" || type == "s16x2") {
            edges = integer_edges(16);
            pair = true;
        } else if (type == "e4m3x2" || type == "e5m2x2") {
            for (std::uint64_t v = 0; v < 256; ++v) edges.push_back(v | ((v * 37 + 11) & 0xff) << 8);
        } else {
            edges = integer_edges(bits);
        }
    }

    int part_bits() const { return pair ? 16 : bits; }
    std::uint64_t random_part(Random& random, std::uint64_t previous) const {
        if (edges.size() == 2) return random.next() & 1;
        if (random.below(8) == 0) return edges[random.below(edges.size())] & mask_of(part_bits());
        return layout.exponent ? random_float(random, layout, previous) : random_integer(random, part_bits());
    }
    std::uint64_t random_value(Random& random, std::uint64_t previous) const {
        if (!pair) return random_part(random, previous);
        std::uint64_t low = random_part(random, previous & 0xffff),
                      high = random_part(random, previous >> 16 & 0xffff);
        return low | high << 16;
    }
    std::uint64_t edge_value(std::size_t index, Random& random) const {
        std::uint64_t low = edges[index % edges.size()];
        return pair ? low | edges[random.below(edges.size())] << 16 : low;
    }
};

}  // namespace

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed) {
    auto bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) seed = (seed ^ bytes[i]) * 0x100000001b3;
    return seed;
}

std::uint64_t Inputs::value(const Case& c, std::size_t operand, int element) const {
    auto size = static_cast<std::size_t>(stored_bytes(c.operands[operand]));
    std::uint64_t v = 0;
    std::memcpy(&v, operands[operand].data() + static_cast<std::size_t>(element) * size, size);
    return v;
}

Inputs make_inputs(const Case& c) {
    Random random(hash_bytes(c.name.data(), c.name.size()));
    std::vector<Source> sources;
    for (const std::string& type : c.operands) sources.emplace_back(type);
    Inputs inputs;
    inputs.operands.resize(sources.size());
    // Pairs of edges fill at most two thirds; a third operand takes random edges beside them.
    constexpr std::size_t grid = 16;
    std::size_t count = sources.size();
    for (int i = 0; i < elements; ++i) {
        auto n = static_cast<std::size_t>(i);
        std::uint64_t previous = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const Source& source = sources[k];
            bool edge = count == 1 ? n < source.edges.size() : n < grid * grid;
            std::uint64_t v;
            if (!edge)
                v = source.random_value(random, previous);
            else if (count == 1 || k == 0)
                v = source.edge_value(count == 1 ? n : n % grid, random);
            else if (k == 1)
                v = source.edge_value(n / grid, random);
            else
                v = source.edge_value(random.below(source.edges.size()), random);
            previous = v;
            auto size = static_cast<std::size_t>(stored_bytes(c.operands[k]));
            for (std::size_t byte = 0; byte < size; ++byte)
                inputs.operands[k].push_back(static_cast<std::uint8_t>(v >> (8 * byte)));
        }
    }
    inputs.hash = 0xcbf29ce484222325;
    for (const auto& operand : inputs.operands)
        inputs.hash = hash_bytes(operand.data(), operand.size(), inputs.hash);
    return inputs;
}

}  // namespace lockstep::golden
