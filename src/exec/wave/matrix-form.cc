#include "exec/wave/matrix-form.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "exec/scalar/soft-float.h"

namespace lockstep::exec::wave {
namespace {

using gcn::MatrixProduct;
using gcn::MatrixType;

constexpr std::uint32_t lanes = 64;

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

// Of a fraction's 23 bits ten stay, to nearest even; how AMD's units round is not published.
float shortened(std::uint32_t bits) {
    constexpr std::uint32_t dropped = 13;
    if ((bits & 0x7f800000) != 0x7f800000)
        bits += ((1u << (dropped - 1)) - 1) + (bits >> dropped & 1), bits &= ~((1u << dropped) - 1);
    return std::bit_cast<float>(bits);
}

// The element's number is that among those of a lane's registers.
template <class T>
T element(MatrixType type, const std::uint32_t* words, std::uint32_t lane, std::uint32_t number) {
    const auto narrow = [&](std::uint32_t bits) {
        const std::uint32_t each = 32 / bits;
        return words[number / each * lanes + lane] >> number % each * bits & ((1u << bits) - 1);
    };
    switch (type) {
        case MatrixType::f32: return static_cast<T>(std::bit_cast<float>(words[number * lanes + lane]));
        case MatrixType::xf32: return static_cast<T>(shortened(words[number * lanes + lane]));
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
Place place_of(const MatrixProduct& product, std::uint32_t number, std::uint32_t lane) {
    if (product.type == MatrixType::f64) {
        // Blocks lie side by side, and a row has the lanes of all of them.
        const std::uint32_t row_lanes = product.size * product.blocks;
        return {lane / product.size % product.blocks, number * (lanes / row_lanes) + lane / row_lanes};
    }
    // In groups of four rows; the rows of all blocks are counted on.
    const std::uint32_t columns_at_once = lanes / product.size;
    const std::uint32_t row = number / 4 * 4 * columns_at_once + 4 * (lane / product.size) + number % 4;
    return {row / product.size, row % product.size};
}

// Of a lane's element of a sparse A: the place among four that its two bits of the index name.
std::uint32_t sparse_place(const MatrixForm& form, std::uint32_t index, std::uint32_t number) {
    const std::uint32_t first_bit = form.index_set * form.product.lane_elements();
    return number / 2 * 4 + (index >> (first_bit + 2 * number) & 3);
}

template <class T>
void multiply(const MatrixForm& form, const std::uint32_t* a_words, const std::uint32_t* b_words,
              const std::uint32_t* index, std::uint32_t* c_words) {
    // A lane has the elements of one row of A and one column of B: neighbours in depth, then further lanes.
    constexpr std::uint32_t most_elements = lanes * 16;
    const MatrixProduct& product = form.product;
    const std::uint32_t each = product.lane_elements(), of_a = product.sparse ? each / 2 : each;
    const std::uint32_t depth_of_a = product.sparse ? product.depth / 2 : product.depth;
    T a[most_elements], b[most_elements];  // [block][row or column][depth]
    std::uint8_t at_depth[most_elements];  // of A's elements
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t row = lane % product.size, rest = lane / product.size;
        const std::uint32_t block = rest % product.blocks, deep = rest / product.blocks;
        const std::uint32_t line = block * product.size + row;
        for (std::uint32_t k = 0; k < of_a; ++k) {
            const std::uint32_t at = line * depth_of_a + deep * of_a + k;
            a[at] = element<T>(product.type, a_words, lane, k);
            at_depth[at] =
                static_cast<std::uint8_t>(deep * each + (index ? sparse_place(form, index[lane], k) : k));
        }
        for (std::uint32_t k = 0; k < each; ++k)
            b[line * product.depth + deep * each + k] =
                element<T>(product.other, b_words, pattern_lane(form.lane_pattern, lane), k);
    }
    const auto signed_as = [&](std::uint32_t matrix, T value) {
        return form.negated >> matrix & 1 ? -value : value;
    };
    const std::uint32_t numbers = product.size * product.size * product.blocks / lanes;
    for (std::uint32_t number = 0; number < numbers; ++number)
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const Place place = place_of(product, number, lane);
            const std::uint32_t from =
                form.group ? (place.block >> form.group << form.group) + form.chosen : place.block;
            const std::uint32_t line = (from * product.size + place.row) * depth_of_a;
            const T* y = &b[(place.block * product.size + lane % product.size) * product.depth];
            T sum = signed_as(2, sum_at<T>(c_words, lane, number));
            for (std::uint32_t k = line; k < line + depth_of_a; ++k)
                sum = multiplied(signed_as(0, a[k]), signed_as(1, y[at_depth[k]]), sum);
            set_sum(c_words, lane, number, sum);
        }
}

}  // namespace

extern "C" void wave_mfma(std::uint64_t number, const std::uint32_t* a, const std::uint32_t* b,
                          const std::uint32_t* index, std::uint32_t* c) {
    const MatrixForm form = MatrixForm::of(number);
    switch (form.product.type) {
        case MatrixType::i8: return multiply<std::int32_t>(form, a, b, index, c);
        case MatrixType::f64: return multiply<double>(form, a, b, index, c);
        default: return multiply<float>(form, a, b, index, c);
    }
}

}  // namespace lockstep::exec::wave
