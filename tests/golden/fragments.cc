#include "golden/fragments.h"

#include <algorithm>
#include <stdexcept>

namespace lockstep::golden {

namespace {

enum Mode { near, wide, cancelling, sparse, special, subnormal, whole, modes };

struct Format {
    const char* name;
    int exponent_bits, fraction_bits;
};

constexpr Format formats[] = {{"f16", 5, 10},  {"bf16", 8, 7}, {"tf32", 8, 10}, {"f32", 8, 23},
                              {"f64", 11, 52}, {"e4m3", 4, 3}, {"e5m2", 5, 2}};

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// One number of a format as bits, right-aligned.
std::uint64_t number(const Format& format, Mode mode, std::uint64_t h, bool accumulator) {
    int bias = (1 << (format.exponent_bits - 1)) - 1, top = (1 << format.exponent_bits) - 1;
    std::uint64_t fractions = (std::uint64_t{1} << format.fraction_bits) - 1,
                  fraction = mixed(h + 1) & fractions;
    int spread = static_cast<int>((h >> 8) & 0xffff), exponent = 0, range = accumulator ? 2 : 1;
    switch (mode) {
        case near: exponent = bias + (spread % 7 - 3) * range; break;
        case wide: exponent = bias + (spread % 33 - 16) * range; break;
        case cancelling: exponent = bias + spread % 12 * range; break;
        case sparse:
            if ((h & 3) != 0) return 0;
            exponent = bias + (spread % 25 - 12) * range;
            break;
        case special:
            exponent = bias + spread % 5 - 2;
            if ((h & 15) != 0) break;
            switch (spread % 10) {
                case 0: exponent = 0, fraction = 0; break;
                case 1: exponent = top, fraction = format.fraction_bits == 3 ? fractions : 0; break;
                case 2: exponent = top - 1, fraction = fractions; break;
                case 3: exponent = top; break;
                case 4: exponent = 0; break;
                case 5: exponent = 1, fraction = 0; break;
                case 6: exponent = top - 1; break;
                default: exponent = bias, fraction = 0; break;
            }
            break;
        case subnormal: exponent = spread % 4; break;
        default: exponent = spread % (top + 1);
    }
    if (mode != special && mode != whole) exponent = std::clamp(exponent, 0, top - 1);
    return ((h >> 63) << format.exponent_bits | static_cast<std::uint64_t>(exponent))
               << format.fraction_bits |
           fraction;
}

std::uint64_t integer_word(Mode mode, std::uint64_t h, bool accumulator) {
    if (accumulator && mode == special) return ((h >> 63) + 0x7fffffff) ^ (h & 0x7ff);
    return mode == sparse ? h & mixed(h) & mixed(h + 1) : h;
}

// Which two of four elements stand in a sparse matrix, four times; of tf32's it is one of two.
std::uint64_t metadata_word(bool pairs, std::uint64_t h) {
    constexpr std::uint32_t choices = 0xed9c84;
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) {
        std::uint64_t r = mixed(h + static_cast<std::uint64_t>(i));
        word |= std::uint64_t{pairs ? (r & 1 ? 0xeu : 0x4u) : (choices >> (r % 6 * 4)) & 15} << (i * 4);
    }
    return word;
}

// Zeros, with the smallest numbers between them in three of four warps. Of tf32 the low bits stay zero.
std::uint64_t tiny_register(const Format& format, std::uint64_t h, std::size_t operand, std::uint32_t warp) {
    const int own = 1 + format.exponent_bits + format.fraction_bits, bits = own == 19 ? 32 : own;
    std::uint64_t word = 0;
    for (int i = 0; i < 32 / bits; ++i) {
        const std::uint64_t r = mixed(h + static_cast<std::uint64_t>(i));
        std::uint64_t magnitude = 0;
        if (warp % 4 != 0 && (r & 3) == 0) magnitude = 1 + (r >> 8) % (3u << format.fraction_bits);
        const std::uint64_t sign = warp % 2 == 0 ? operand != 0 : r >> 63;
        word |= (sign << (bits - 1) | magnitude << (bits - own)) << (i * bits);
    }
    return word;
}

const Format* format_named(const std::string& name) {
    for (const Format& format : formats)
        if (format.name == name) return &format;
    return nullptr;
}

std::uint64_t fragment_register(const Fragment& operand, Mode mode, std::uint64_t h, bool accumulator) {
    if (operand.format == "integer") return integer_word(mode, h, accumulator);
    if (operand.format == "indices" || operand.format == "pairs")
        return metadata_word(operand.format == "pairs", h);
    const Format& format = *format_named(operand.format);
    // tf32 is an f32 whose low bits do not count: they are filled, too.
    if (operand.format == "tf32") return number(format, mode, h, accumulator) << 13 | (mixed(h + 7) & 0x1fff);
    int bits = 1 + format.exponent_bits + format.fraction_bits;
    if (bits >= 32) return number(format, mode, h, accumulator);
    std::uint64_t word = 0;
    for (int i = 0; i < 32 / bits; ++i)
        word |= number(format, mode, mixed(h + 16 * static_cast<std::uint64_t>(i)), accumulator)
                << (i * bits);
    // Neighbours along k differ in their sign only.
    if (mode == cancelling && !accumulator && (h & 3) != 0)
        word = bits == 8 ? ((word & 0xff) * 0x01010101) ^ 0x80008000
                         : ((word & 0xffff) * 0x00010001) ^ 0x80000000;
    return word;
}

}  // namespace

Fragment parse_fragment(const std::string& word) {
    std::size_t x = word.rfind('x');
    const bool tiny = word.starts_with("tiny-");
    const std::size_t begin = tiny ? 5 : 0;
    Fragment fragment{word.substr(begin, x - begin), 0, tiny};
    bool known = fragment.format == "integer" || fragment.format == "indices" || fragment.format == "pairs";
    known |= format_named(fragment.format) != nullptr;
    if (x != std::string::npos)
        fragment.registers = static_cast<std::uint32_t>(std::stoul(word.substr(x + 1)));
    if (!known || !fragment.registers) throw std::runtime_error("bad fragment: " + word);
    return fragment;
}

std::vector<std::uint32_t> fragment_words(const std::vector<Fragment>& operands, std::uint32_t warps,
                                          std::uint64_t seed) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t warp = 0; warp < warps; ++warp)
        for (std::size_t operand = 0; operand < operands.size(); ++operand)
            for (std::uint32_t i = 0; i < 32 * operands[operand].registers; ++i) {
                std::uint64_t key = seed + (std::uint64_t{warp} << 32 | operand << 16 | i);
                std::uint64_t word = fragment_register(operands[operand], static_cast<Mode>(warp % modes),
                                                       mixed(mixed(key)), operand == 2);
                if (operands[operand].tiny)
                    word = tiny_register(*format_named(operands[operand].format), mixed(key), operand, warp);
                words.push_back(static_cast<std::uint32_t>(word));
                if (operands[operand].format == "f64")
                    words.push_back(static_cast<std::uint32_t>(word >> 32));
            }
    return words;
}

}  // namespace lockstep::golden
