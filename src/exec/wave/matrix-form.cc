#include "exec/wave/matrix-form.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "exec/scalar/soft-float.h"
#include "exec/wave/names.h"

namespace lockstep::exec::wave {
namespace {

constexpr std::uint32_t lanes = 64;

std::uint32_t taken_number(std::string_view& text) {
    std::uint32_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc()) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::uint64_t wide_word(const std::uint32_t* words, std::uint32_t lane, std::uint32_t number) {
    return words[2 * number * lanes + lane] | std::uint64_t{words[(2 * number + 1) * lanes + lane]} << 32;
}

// A sum in the registers of a lane.
template <class T>
T sum_at(const std::uint32_t* words, std::uint32_t lane, std::uint32_t number) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(wide_word(words, lane, number));
    else
        return std::bit_cast<T>(words[number * lanes + lane]);
}

template <class T>
void set_sum(std::uint32_t* words, std::uint32_t lane, std::uint32_t number, T value) {
    constexpr std::uint32_t each = sizeof(T) / 4;
    std::uint32_t parts[each];
    std::memcpy(parts, &value, sizeof value);
    for (std::uint32_t i = 0; i < each; ++i) words[(number * each + i) * lanes + lane] = parts[i];
}

// The element's number among those of a lane's registers.
// A sign, so many bits of exponent, and the rest of 8 bits. What would be -0 is no number.
float small_float(std::uint32_t bits, int exponent_bits) {
    const int fraction_bits = 7 - exponent_bits, bias = 1 << (exponent_bits - 1);
    if (bits == 0x80) return std::bit_cast<float>(0x7fc00000u);
    const int exponent = static_cast<int>(bits & 0x7f) >> fraction_bits;
    const int fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
    const int whole = exponent ? fraction + (1 << fraction_bits) : fraction;
    const float value =
        std::ldexp(static_cast<float>(whole), (exponent ? exponent : 1) - bias - fraction_bits);
    return bits & 0x80 ? -value : value;
}

template <class T>
T element(MatrixType type, const std::uint32_t* words, std::uint32_t lane, std::uint32_t number) {
    const auto narrow = [&](std::uint32_t bits) {
        const std::uint32_t each = 32 / bits;
        return words[number / each * lanes + lane] >> number % each * bits & ((1u << bits) - 1);
    };
    switch (type) {
        case MatrixType::f32: return static_cast<T>(std::bit_cast<float>(words[number * lanes + lane]));
        case MatrixType::f16:
            return static_cast<T>(std::bit_cast<float>(static_cast<std::uint32_t>(
                soft::pack<soft::F32>(soft::unpack<soft::F16>(narrow(16)), soft::Round::rn))));
        case MatrixType::bf16: return static_cast<T>(std::bit_cast<float>(narrow(16) << 16));
        case MatrixType::i8: return static_cast<T>(static_cast<std::int8_t>(narrow(8)));
        case MatrixType::f64: return static_cast<T>(std::bit_cast<double>(wide_word(words, lane, number)));
        case MatrixType::fp8: return static_cast<T>(small_float(narrow(8), 4));
        case MatrixType::bf8: return static_cast<T>(small_float(narrow(8), 5));
    }
    return T();
}

// blgp: the lane whose elements of B this one has.
std::uint32_t pattern_lane(std::uint32_t pattern, std::uint32_t lane) {
    switch (pattern) {
        case 1: return lane % 32;            // the first half's, twice
        case 2: return 32 + lane % 32;       // the second half's
        case 3: return (lane + 16) % lanes;  // 16 lanes further
        case 4:
        case 5:
        case 6:
        case 7:  // one sixteen's, four times
            return 16 * (pattern - 4) + lane % 16;
        default: return lane;
    }
}

template <class T>
T multiplied(T a, T b, T sum) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fma(a, b, sum);
    else  // integers wrap round
        return static_cast<T>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(a * b));
}

struct Place {
    std::uint32_t block, row;
};

// A lane has one column of D.
Place place_of(const MatrixForm& form, std::uint32_t number, std::uint32_t lane) {
    if (form.type == MatrixType::f64) {
        // Blocks lie side by side, and a row has the lanes of all of them.
        const std::uint32_t row_lanes = form.size * form.blocks;
        return {lane / form.size % form.blocks, number * (lanes / row_lanes) + lane / row_lanes};
    }
    // In groups of four rows; the rows of all blocks are counted on.
    const std::uint32_t columns_at_once = lanes / form.size;
    const std::uint32_t row = number / 4 * 4 * columns_at_once + 4 * (lane / form.size) + number % 4;
    return {row / form.size, row % form.size};
}

std::optional<MatrixType> type_named(std::string_view name) {
    for (const auto& [text, type] : {std::pair{"f32", MatrixType::f32},
                                     {"f16", MatrixType::f16},
                                     {"bf16", MatrixType::bf16},
                                     {"i8", MatrixType::i8},
                                     {"f64", MatrixType::f64},
                                     {"fp8", MatrixType::fp8},
                                     {"bf8", MatrixType::bf8}})
        if (name == text) return type;
    return std::nullopt;
}

std::uint32_t bytes_of(MatrixType type) {
    switch (type) {
        case MatrixType::f64: return 8;
        case MatrixType::f32: return 4;
        case MatrixType::f16:
        case MatrixType::bf16: return 2;
        default: return 1;
    }
}

template <class T>
void multiply(const MatrixForm& form, const std::uint32_t* a_words, const std::uint32_t* b_words,
              std::uint32_t* c_words) {
    // A lane has the elements of one row of A and one column of B: neighbours in depth, then further lanes.
    constexpr std::uint32_t most_elements = lanes * 8;
    T a[most_elements], b[most_elements];  // [block][row or column][depth]
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t row = lane % form.size, rest = lane / form.size;
        const std::uint32_t block = rest % form.blocks, deep = rest / form.blocks * form.lane_elements;
        const std::uint32_t from = pattern_lane(form.lane_pattern, lane);
        for (std::uint32_t k = 0; k < form.lane_elements; ++k) {
            const std::uint32_t at = (block * form.size + row) * form.depth + deep + k;
            a[at] = element<T>(form.type, a_words, lane, k);
            b[at] = element<T>(form.other, b_words, from, k);
        }
    }
    const std::uint32_t numbers = form.size * form.size * form.blocks / lanes;
    for (std::uint32_t number = 0; number < numbers; ++number)
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const Place place = place_of(form, number, lane);
            const std::uint32_t of_a =
                form.group ? (place.block >> form.group << form.group) + form.chosen : place.block;
            const T* x = &a[(of_a * form.size + place.row) * form.depth];
            const T* y = &b[(place.block * form.size + lane % form.size) * form.depth];
            T sum = sum_at<T>(c_words, lane, number);
            for (std::uint32_t k = 0; k < form.depth; ++k) sum = multiplied(x[k], y[k], sum);
            set_sum(c_words, lane, number, sum);
        }
}

}  // namespace

std::optional<MatrixForm> matrix_form(std::string_view name, std::uint32_t registers) {
    MatrixForm form;
    const bool integers = takes_prefix(name, "v_mfma_i32_"), twice = takes_prefix(name, "v_mfma_f64_");
    if (!integers && !twice && !takes_prefix(name, "v_mfma_f32_")) return std::nullopt;
    form.size = taken_number(name);
    if (!takes_prefix(name, "x") || taken_number(name) != form.size || !takes_prefix(name, "x"))
        return std::nullopt;
    form.depth = taken_number(name);
    // gfx940 writes the number of blocks, too: 32x32x1_2b_f32.
    if (takes_prefix(name, "_") && taken_number(name) > 0 && !takes_prefix(name, "b_")) return std::nullopt;
    takes_suffix(name, "_1k");
    const std::size_t between = name.find('_');
    const auto type = type_named(name.substr(0, between));
    const auto other = between == name.npos ? type : type_named(name.substr(between + 1));
    if (!type || !other || bytes_of(*type) != bytes_of(*other)) return std::nullopt;
    form.type = *type, form.other = *other;
    form.lane_elements = registers * 4 / bytes_of(*type);
    if ((*type == MatrixType::i8) != integers || (*type == MatrixType::f64) != twice || form.depth == 0 ||
        form.lane_elements > 8 || (form.size != 4 && form.size != 16 && form.size != 32))
        return std::nullopt;
    form.blocks = lanes * form.lane_elements / (form.size * form.depth);
    if (form.blocks * form.size * form.depth != lanes * form.lane_elements) return std::nullopt;
    return form;
}

extern "C" void wave_mfma(std::uint64_t number, const std::uint32_t* a, const std::uint32_t* b,
                          std::uint32_t* c) {
    const MatrixForm form = MatrixForm::of(number);
    switch (form.type) {
        case MatrixType::i8: return multiply<std::int32_t>(form, a, b, c);
        case MatrixType::f64: return multiply<double>(form, a, b, c);
        default: return multiply<float>(form, a, b, c);
    }
}

}  // namespace lockstep::exec::wave
