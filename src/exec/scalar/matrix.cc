#include "exec/scalar/matrix.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "exec/scalar/float-convert.h"

namespace lockstep::exec {
namespace {

using tensor::Element;
using tensor::Numbers;

constexpr int lanes = 32;

// Where an element of a fragment is: a register of a lane, and the place in it.
struct Place {
    int lane, reg, index;
};

// A row of a or column of b: `line`, and an element along k. Eight lines at once, a word of each in every
// lane of four.
Place input_place(int line, int element, int bits) {
    const int per_word = bits >= 32 ? 1 : 32 / bits;
    const int word = element / per_word;
    return {line % 8 * 4 + word % 4, 0, element % per_word};
}

Place a_place(int row, int element, int bits, int m) {
    Place place = input_place(row, element, bits);
    const int word = element / (bits >= 32 ? 1 : 32 / bits);
    place.reg = m == 16 ? row / 8 + 2 * (word / 4) : word / 4;
    return place;
}

Place b_place(int column, int element, int bits) {
    Place place = input_place(column, element, bits);
    place.reg = element / (bits >= 32 ? 1 : 32 / bits) / 4;
    return place;
}

// Elements of 16 bits stand in pairs.
Place c_place(int row, int column, int bits) {
    const int lane = row % 8 * 4 + column / 2;
    if (bits == 16) return {lane, row / 8, column % 2};
    return {lane, row / 8 * 2 + column % 2, 0};
}

std::uint32_t element_at(const std::uint32_t* fragment, const Place& place, int bits) {
    const std::uint32_t word = fragment[place.reg * lanes + place.lane];
    return bits == 32 ? word : (word >> (place.index * bits)) & ((1u << bits) - 1);
}

void put(std::uint32_t* fragment, const Place& place, int bits, std::uint32_t value) {
    std::uint32_t& word = fragment[place.reg * lanes + place.lane];
    if (bits == 32)
        word = value;
    else
        word = (word & ~(0xffffu << (place.index * 16))) | value << (place.index * 16);
}

// ---- sparse matrices: of four neighbours along k (of f32's two) half are there.

bool is_nibble(Element type) { return type == Element::s4 || type == Element::u4; }

// Four bits say which elements of a group are there. The lanes of four that `selector` names hold them: rows
// i and i + 8 share lanes where a row has 16 bits; with more, a's 16-bit elements stay so, and others' rows
// have lanes each.
std::uint32_t metadata_of(const std::uint32_t* metadata, const MatrixForm& form, int row, int group) {
    const int groups = form.k / (is_nibble(form.a) ? 8 : form.a == Element::tf32 ? 2 : 4);
    const int quad = row % 8 * 4, upper = row / 8;
    if (groups == 4) return metadata[quad + form.selector] >> (upper * 16 + group * 4) & 15;
    const bool shared = tensor::element_bits(form.a) >= 16;
    if (shared) return metadata[quad + 2 * form.selector + group / 4] >> (upper * 16 + group % 4 * 4) & 15;
    const int first = groups == 8 ? 2 * form.selector : group / 8 * 2;
    return metadata[quad + first + upper] >> (group % 8 * 4) & 15;
}

}  // namespace

int sparse_position(const std::uint32_t* metadata, const MatrixForm& form, int row, int stored) {
    if (form.a == Element::tf32) return 2 * stored + (metadata_of(metadata, form, row, stored) == 0xe);
    if (is_nibble(form.a)) {
        const int pair = stored / 2, group = pair / 2;
        const int index = metadata_of(metadata, form, row, group) >> (pair % 2 * 2) & 3;
        return 8 * group + 2 * index + stored % 2;
    }
    const int group = stored / 2;
    return 4 * group + (metadata_of(metadata, form, row, group) >> (stored % 2 * 2) & 3);
}

namespace {

struct Line {  // of a or b, along k
    std::uint32_t bits[tensor::max_k];
    bool present[tensor::max_k];
};

// Four lanes have a word each of a line, and then the next ones a register further.
void read_words(const std::uint32_t* first, int to_next, int k, int bits, Line& line) {
    const int per_word = 32 / bits;
    const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    for (int at = 0, word = 0; at < k; ++word) {
        const std::uint32_t value = first[word / 4 * to_next + word % 4];
        for (int i = 0; i < per_word; ++i) line.bits[at++] = value >> (i * bits) & mask;
    }
    std::fill_n(line.present, k, true);
}

void read_a(const MatrixForm& form, const std::uint32_t* a, const std::uint32_t* metadata, int row,
            Line& line) {
    const int bits = tensor::element_bits(form.a);
    if (!form.sparse) {
        const std::uint32_t* first = a + (form.m == 16 ? row / 8 * lanes : 0) + row % 8 * 4;
        return read_words(first, form.m == 16 ? 2 * lanes : lanes, form.k, bits, line);
    }
    std::fill_n(line.bits, form.k, 0);
    std::fill_n(line.present, form.k, false);
    for (int s = 0; s < form.k / 2; ++s) {
        const int at = sparse_position(metadata, form, row, s);
        line.bits[at] = element_at(a, a_place(row, s, bits, form.m), bits);
        line.present[at] = true;
    }
}

void read_b(const MatrixForm& form, const std::uint32_t* b, int column, Line& line) {
    read_words(b + column * 4, lanes, form.k, tensor::element_bits(form.b), line);
}

// ---- sums

float from_f16(std::uint32_t bits) {
    return soft::convert<soft::F32, soft::F16>(soft::from_bits<soft::F16>(bits));
}
std::uint32_t rounded_to_f16(float value) {
    return static_cast<std::uint32_t>(soft::to_bits<soft::F16>(soft::convert<soft::F16, soft::F32>(value)));
}

template <class F>
std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(
        soft::to_bits<F>(soft::add<F, soft::Round::rn>(soft::from_bits<F>(a), soft::from_bits<F>(b))));
}

void float_product(const MatrixForm& form, std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                   const std::uint32_t* c, const std::uint32_t* metadata) {
    // Where c and d differ, both count as f32.
    const bool half_c = form.c == Element::f16, half_d = form.d == Element::f16;
    const tensor::Rule rule{.half = half_c && half_d};
    const int c_bits = tensor::element_bits(form.c), d_bits = tensor::element_bits(form.d);
    Numbers rows[tensor::rows];
    Line line;
    for (int i = 0; i < form.m; ++i) {
        read_a(form, a, metadata, i, line);
        open_numbers(rows[i], line.bits, form.sparse ? line.present : nullptr, form.k, form.a);
    }
    for (int j = 0; j < form.n; ++j) {
        Numbers column;
        read_b(form, b, j, line);
        open_numbers(column, line.bits, nullptr, form.k, form.b);
        for (int i = 0; i < form.m; ++i) {
            std::uint32_t addend = element_at(c, c_place(i, j, c_bits), c_bits);
            if (half_c && !half_d) addend = std::bit_cast<std::uint32_t>(from_f16(addend));
            std::uint32_t sum = fused_sum(rows[i], column, form.k, addend, rule);
            if (half_d && !half_c) sum = rounded_to_f16(std::bit_cast<float>(sum));
            put(d, c_place(i, j, d_bits), d_bits, sum);
        }
    }
}

int as_integer(std::uint32_t bits, Element type) {
    switch (type) {
        case Element::s8: return static_cast<std::int8_t>(bits);
        case Element::s4: return static_cast<std::int8_t>(bits << 4) >> 4;
        default: return static_cast<int>(bits);
    }
}

void integer_product(const MatrixForm& form, std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                     const std::uint32_t* c, const std::uint32_t* metadata) {
    Line line;
    std::int16_t rows[tensor::rows][tensor::max_k], column[tensor::max_k];
    for (int i = 0; i < form.m; ++i) {
        read_a(form, a, metadata, i, line);
        for (int e = 0; e < form.k; ++e)
            rows[i][e] = static_cast<std::int16_t>(as_integer(line.bits[e], form.a));
    }
    for (int j = 0; j < form.n; ++j) {
        read_b(form, b, j, line);
        for (int e = 0; e < form.k; ++e)
            column[e] = static_cast<std::int16_t>(as_integer(line.bits[e], form.b));
        for (int i = 0; i < form.m; ++i) {
            int dot = 0;
            for (int e = 0; e < form.k; ++e) dot += rows[i][e] * column[e];
            std::int64_t sum =
                std::int64_t{static_cast<std::int32_t>(element_at(c, c_place(i, j, 32), 32))} + dot;
            if (form.satfinite)
                sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                               std::numeric_limits<std::int32_t>::max());
            put(d, c_place(i, j, 32), 32, static_cast<std::uint32_t>(sum));
        }
    }
}

void bit_product(const MatrixForm& form, std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                 const std::uint32_t* c) {
    for (int i = 0; i < form.m; ++i)
        for (int j = 0; j < form.n; ++j) {
            int count = 0;
            for (int word = 0; word < form.k / 32; ++word) {
                const std::uint32_t x = element_at(a, a_place(i, word, 32, form.m), 32);
                const std::uint32_t y = element_at(b, b_place(j, word, 32), 32);
                count += std::popcount(form.exclusive_or ? x ^ y : x & y);
            }
            put(d, c_place(i, j, 32), 32,
                element_at(c, c_place(i, j, 32), 32) + static_cast<std::uint32_t>(count));
        }
}

void double_product(const MatrixForm& form, double* d, const double* a, const double* b, const double* c) {
    auto at = [](const double* fragment, const Place& place) {
        return fragment[place.reg * lanes + place.lane];
    };
    for (int i = 0; i < form.m; ++i)
        for (int j = 0; j < form.n; ++j) {
            double sum = at(c, c_place(i, j, 64));
            for (int e = 0; e < form.k; ++e)
                sum = soft::fma<soft::F64, soft::Round::rn>(at(a, a_place(i, e, 64, form.m)),
                                                            at(b, b_place(j, e, 64)), sum);
            const Place to = c_place(i, j, 64);
            d[to.reg * lanes + to.lane] = sum;
        }
}

std::uint32_t to_f16(std::uint32_t bits, Element type) {
    if (type == Element::e5m2) return bits << 8;
    return static_cast<std::uint32_t>(
        soft::to_bits<soft::F16>(soft::convert<soft::F16, soft::E4m3>(soft::from_bits<soft::E4m3>(bits))));
}

// Elements of 8 bits become f16, for two products of half the elements each: in every four, or of a sparse
// matrix in every eight, the lower and the upper ones. c is added at last, by the ordinary units.
void small_float_product(const MatrixForm& form, std::uint32_t* d, const std::uint32_t* a,
                         const std::uint32_t* b, const std::uint32_t* c, const std::uint32_t* metadata) {
    const tensor::Rule rule{.half = form.d == Element::f16};
    const int bits = tensor::element_bits(form.d), run = form.sparse ? 4 : 2;
    Numbers rows[2][tensor::rows];
    Line line;
    auto open_halves = [&](Numbers& lower, Numbers& upper, Element type) {
        for (Numbers* half : {&lower, &upper}) {
            Line part;
            int count = 0;
            for (int e = half == &lower ? 0 : run; e < form.k; e += (e + 1) % run ? 1 : run + 1) {
                part.bits[count] = to_f16(line.bits[e], type);
                part.present[count++] = line.present[e];
            }
            open_numbers(*half, part.bits, part.present, count, Element::f16);
        }
    };
    for (int i = 0; i < form.m; ++i) {
        read_a(form, a, metadata, i, line);
        open_halves(rows[0][i], rows[1][i], form.a);
    }
    for (int j = 0; j < form.n; ++j) {
        Numbers lower, upper;
        read_b(form, b, j, line);
        open_halves(lower, upper, form.b);
        for (int i = 0; i < form.m; ++i) {
            std::uint32_t sum = fused_sum(rows[0][i], lower, form.k / 2, 0, rule);
            sum = fused_sum(rows[1][i], upper, form.k / 2, sum, rule);
            const std::uint32_t addend = element_at(c, c_place(i, j, bits), bits);
            put(d, c_place(i, j, bits), bits,
                rule.half ? add<soft::F16>(addend, sum) : add<soft::F32>(addend, sum));
        }
    }
}

constexpr auto fma_f32 = &soft::fma<soft::F32, soft::Round::rn>;
constexpr auto add_f32 = &soft::add<soft::F32, soft::Round::rn>;

// m8n8k4 of f16 is a product of eight lanes each, four times; on GPUs after sm_70 ptxas makes fused
// multiply-adds of it.
struct QuadPairs {
    const MatrixForm& form;
    int first;  // of the lower four lanes; the upper four are 16 further

    static constexpr int k = 4;

    float at(const std::uint32_t* fragment, int line, int element, bool along_k) const {
        // Lanes hold a line along k, or an element each of four lines.
        const int lane = first + (along_k ? line % 4 : element) + line / 4 * 16,
                  index = along_k ? element : line % 4;
        const std::uint32_t word = fragment[index / 2 * lanes + lane];
        return from_f16(word >> (index % 2 * 16) & 0xffff);
    }
    Place place(int row, int column, int bits) const {
        if (bits == 16) return {first + row % 4 + row / 4 * 16, column / 2, column % 2};
        const int lane = first + row % 2 + (column & 2) + row / 4 * 16;
        return {lane, (row & 2) + column / 4 * 4 + column % 2, 0};
    }
};

void quad_pair_product(const MatrixForm& form, std::uint32_t* d, const std::uint32_t* a,
                       const std::uint32_t* b, const std::uint32_t* c) {
    const int c_bits = tensor::element_bits(form.c), d_bits = tensor::element_bits(form.d);
    for (int first = 0; first < 16; first += 4) {
        const QuadPairs quads{form, first};
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j) {
                float x[QuadPairs::k], y[QuadPairs::k];
                for (int e = 0; e < QuadPairs::k; ++e) {
                    x[e] = quads.at(a, i, e, form.a_layout == MatrixForm::Layout::row);
                    y[e] = quads.at(b, j, e, form.b_layout == MatrixForm::Layout::col);
                }
                const std::uint32_t addend = element_at(c, quads.place(i, j, c_bits), c_bits);
                const float wide = c_bits == 32 ? soft::from_bits<soft::F32>(addend) : from_f16(addend);
                std::uint64_t bits = 0;
                if (d_bits == 32) {
                    float sum = 0;
                    for (int e = 0; e < QuadPairs::k; ++e) sum = fma_f32(x[e], y[e], sum);
                    bits = soft::to_bits<soft::F32>(add_f32(wide, sum));
                } else {
                    const float lower = fma_f32(x[1], y[1], x[0] * y[0]),
                                upper = fma_f32(x[3], y[3], x[2] * y[2]);
                    const float sum = add_f32(add_f32(wide, lower), upper);
                    bits = rounded_to_f16(sum);
                }
                put(d, quads.place(i, j, d_bits), d_bits, static_cast<std::uint32_t>(bits));
            }
    }
}

}  // namespace

std::uint64_t MatrixForm::pack() const {
    std::uint64_t bits = 0;
    int at = 0;
    auto add = [&](std::uint64_t value, int width) { bits |= value << at, at += width; };
    add(m, 8), add(n, 9), add(k, 9);
    for (Element element : {a, b, c, d}) add(static_cast<std::uint64_t>(element), 4);
    add(static_cast<std::uint64_t>(a_layout), 1), add(static_cast<std::uint64_t>(b_layout), 1);
    add(satfinite, 1), add(exclusive_or, 1), add(sparse, 1), add(selector, 2);
    return bits;
}

MatrixForm MatrixForm::unpack(std::uint64_t bits) {
    MatrixForm form;
    auto take = [&](int width) {
        const std::uint64_t value = bits & ((std::uint64_t{1} << width) - 1);
        bits >>= width;
        return value;
    };
    form.m = static_cast<std::uint16_t>(take(8));
    form.n = static_cast<std::uint16_t>(take(9));
    form.k = static_cast<std::uint16_t>(take(9));
    for (Element* element : {&form.a, &form.b, &form.c, &form.d}) *element = static_cast<Element>(take(4));
    form.a_layout = static_cast<Layout>(take(1));
    form.b_layout = static_cast<Layout>(take(1));
    form.satfinite = take(1), form.exclusive_or = take(1), form.sparse = take(1);
    form.selector = static_cast<std::uint8_t>(take(2));
    return form;
}

void lockstep_mma(std::uint64_t bits, std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                  const std::uint32_t* c, const std::uint32_t* metadata) {
    const MatrixForm form = MatrixForm::unpack(bits);
    switch (form.a) {
        case Element::f64: {
            auto in = [](const std::uint32_t* fragment) { return reinterpret_cast<const double*>(fragment); };
            return double_product(form, reinterpret_cast<double*>(d), in(a), in(b), in(c));
        }
        case Element::b1: return bit_product(form, d, a, b, c);
        case Element::s8:
        case Element::u8:
        case Element::s4:
        case Element::u4: return integer_product(form, d, a, b, c, metadata);
        case Element::e4m3:
        case Element::e5m2: return small_float_product(form, d, a, b, c, metadata);
        default:
            if (form.k == 4 && form.a == Element::f16) return quad_pair_product(form, d, a, b, c);
            return float_product(form, d, a, b, c, metadata);
    }
}

void lockstep_matrix_addresses(std::uint64_t start, std::uint32_t stride, std::uint32_t element_bits,
                               const std::uint32_t* line, const std::uint32_t* element, std::uint64_t* out) {
    for (int lane = 0; lane < lanes; ++lane)
        out[lane] = start + (std::uint64_t{stride} * line[lane] + element[lane]) * element_bits / 8;
}

void lockstep_turn(const std::uint32_t* words, std::uint32_t* out) {
    auto half = [&](int row, int column) {
        return words[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
    };
    for (int lane = 0; lane < lanes; ++lane)
        out[lane] = half(lane % 4 * 2, lane / 4) | half(lane % 4 * 2 + 1, lane / 4) << 16;
}

}  // namespace lockstep::exec
