#include "exec/wave/matrix-form.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <type_traits>

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

// The element's number among those of a lane's registers.
template <class T>
T element(const MatrixForm& form, const std::uint32_t* words, std::uint32_t lane, std::uint32_t number) {
    const auto narrow = [&](std::uint32_t bits) {
        const std::uint32_t each = 32 / bits;
        return words[number / each * lanes + lane] >> number % each * bits & ((1u << bits) - 1);
    };
    switch (form.type) {
        case MatrixType::f32: return static_cast<T>(std::bit_cast<float>(words[number * lanes + lane]));
        case MatrixType::f16:
            return static_cast<T>(std::bit_cast<float>(static_cast<std::uint32_t>(
                soft::pack<soft::F32>(soft::unpack<soft::F16>(narrow(16)), soft::Round::rn))));
        case MatrixType::bf16: return static_cast<T>(std::bit_cast<float>(narrow(16) << 16));
        case MatrixType::i8: return static_cast<T>(static_cast<std::int8_t>(narrow(8)));
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
    if constexpr (std::is_same_v<T, float>)
        return std::fma(a, b, sum);
    else  // integers wrap round
        return static_cast<T>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(a * b));
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
            a[at] = element<T>(form, a_words, lane, k);
            b[at] = element<T>(form, b_words, from, k);
        }
    }
    // A lane has one column of D, in groups of four rows; the rows of all blocks are counted on.
    const std::uint32_t columns_at_once = lanes / form.size;
    const std::uint32_t registers = form.size * form.size * form.blocks / lanes;
    for (std::uint32_t number = 0; number < registers; ++number)
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t row = number / 4 * 4 * columns_at_once + 4 * (lane / form.size) + number % 4;
            const std::uint32_t block = row / form.size;
            const std::uint32_t of_a = form.group ? (block >> form.group << form.group) + form.chosen : block;
            const T* x = &a[(of_a * form.size + row % form.size) * form.depth];
            const T* y = &b[(block * form.size + lane % form.size) * form.depth];
            std::uint32_t& word = c_words[number * lanes + lane];
            T sum = std::bit_cast<T>(word);
            for (std::uint32_t k = 0; k < form.depth; ++k) sum = multiplied(x[k], y[k], sum);
            word = std::bit_cast<std::uint32_t>(sum);
        }
}

}  // namespace

std::optional<MatrixForm> matrix_form(std::string_view name, std::uint32_t registers) {
    MatrixForm form;
    const bool integers = takes_prefix(name, "v_mfma_i32_");
    if (!integers && !takes_prefix(name, "v_mfma_f32_")) return std::nullopt;
    form.size = taken_number(name);
    if (!takes_prefix(name, "x") || taken_number(name) != form.size || !takes_prefix(name, "x"))
        return std::nullopt;
    form.depth = taken_number(name);
    // gfx940 writes the number of blocks, too: 32x32x1_2b_f32.
    if (takes_prefix(name, "_") && taken_number(name) > 0 && !takes_prefix(name, "b_")) return std::nullopt;
    takes_suffix(name, "_1k");
    std::uint32_t bytes = 0;
    if (name == "f32")
        form.type = MatrixType::f32, bytes = 4;
    else if (name == "f16")
        form.type = MatrixType::f16, bytes = 2;
    else if (name == "bf16")
        form.type = MatrixType::bf16, bytes = 2;
    else if (name == "i8")
        form.type = MatrixType::i8, bytes = 1;
    else
        return std::nullopt;
    form.lane_elements = registers * 4 / bytes;
    if ((form.type == MatrixType::i8) != integers || form.depth == 0 || form.lane_elements > 8 ||
        (form.size != 4 && form.size != 16 && form.size != 32))
        return std::nullopt;
    form.blocks = lanes * form.lane_elements / (form.size * form.depth);
    if (form.blocks * form.size * form.depth != lanes * form.lane_elements) return std::nullopt;
    return form;
}

extern "C" void wave_mfma(std::uint64_t number, const std::uint32_t* a, const std::uint32_t* b,
                          std::uint32_t* c) {
    const MatrixForm form = MatrixForm::of(number);
    form.type == MatrixType::i8 ? multiply<std::int32_t>(form, a, b, c) : multiply<float>(form, a, b, c);
}

}  // namespace lockstep::exec::wave
