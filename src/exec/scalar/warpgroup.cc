// wgmma: matrices in shared memory. A descriptor has, in units of 16 bytes, where a matrix begins (bits 0 to
// 13), and two strides (16 to 29, 32 to 45); its top two bits say over how many bytes the 16-byte pieces of a
// line are exchanged.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "exec/scalar/matrix.h"

namespace lockstep::exec {
namespace {

using tensor::Element;
using tensor::Numbers;

constexpr int piece = warpgroup_piece;

class StoredMatrix {
  public:
    StoredMatrix(std::uint64_t descriptor, bool turned)
        : start_(field(descriptor, 0)),
          leading_(field(descriptor, 16)),
          stride_(field(descriptor, 32)),
          base_(static_cast<std::uint32_t>(descriptor >> 49 & 7)),
          turned_(turned) {
        constexpr std::uint32_t spans[] = {piece, 128, 64, 32};
        span_ = spans[descriptor >> 62];
    }

    // Where a line's byte is: a row of a or column of b, by its bytes along k. Of a matrix that is
    // turned, a line's elements are 16 bits, two of `byte`.
    std::uint32_t address(std::uint32_t line, std::uint32_t byte) const {
        std::uint32_t at = start_;
        if (turned_) {
            const std::uint32_t element = byte / 2, per_span = span_ / 2;
            at += line % per_span * 2 + byte % 2 + element % 8 * span_;
            // Which stride leads from one piece to the next depends on whether pieces are exchanged.
            at += line / per_span * (span_ == piece ? stride_ : leading_);
            at += element / 8 * (span_ == piece ? leading_ : stride_);
        } else {
            at += line / 8 * stride_ + line % 8 * span_;
            // What is along k beyond a span, which a sparse product's b may have, is the leading stride
            // further.
            at += byte / span_ * leading_ + byte % span_;
        }
        return at ^ ((((at >> 7) - base_) & (span_ / piece - 1)) << 4);
    }

  private:
    static std::uint32_t field(std::uint64_t descriptor, int at) {
        return static_cast<std::uint32_t>(descriptor >> at & 0x3fff) * piece;
    }
    std::uint32_t start_, leading_, stride_, span_ = piece;
    std::uint32_t base_;  // the line of the pattern of exchanges that the matrix begins with
    bool turned_;
};

// Of a row of a, as it is stored. Of a sparse one it is half, and a column of b has twice as many.
constexpr std::uint32_t row_bytes = 32, most_bytes = 64;

std::uint32_t bytes_along_k(const MatrixForm& form) { return form.sparse ? most_bytes : row_bytes; }

void read_line(const StoredMatrix& matrix, const std::byte* shared, std::uint32_t line, std::uint32_t count,
               std::uint8_t* bytes) {
    for (std::uint32_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(shared[matrix.address(line, i)]);
}

// A row of a from registers, as mma's.
void read_registers(const std::uint32_t* a, int row, std::uint8_t* bytes) {
    for (int word = 0; word < 8; ++word)
        std::memcpy(bytes + word * 4, &a[(row / 8 + word / 4 * 2) * 32 + row % 8 * 4 + word % 4], 4);
}

// What is along k, with zeros where a sparse row has nothing.
struct Line {
    std::uint8_t bytes[most_bytes] = {};
    bool present[most_bytes] = {};  // elements
};

void spread(const MatrixForm& form, const std::uint32_t* metadata, int row, Line& line) {
    std::uint8_t stored[row_bytes];
    std::memcpy(stored, line.bytes, sizeof stored);
    line = {};
    const std::size_t size = most_bytes / form.k;
    for (int s = 0; s < form.k / 2; ++s) {
        const auto at = static_cast<std::size_t>(sparse_position(metadata, form, row, s));
        std::memcpy(line.bytes + at * size, stored + static_cast<std::size_t>(s) * size, size);
        line.present[at] = true;
    }
}

void open_line(Numbers& numbers, const Line& line, const bool* present, const MatrixForm& form, Element type,
               bool negate) {
    const std::uint32_t size = bytes_along_k(form) / form.k;
    std::uint32_t bits[most_bytes];
    for (std::uint32_t i = 0; i < form.k; ++i) {
        bits[i] = 0;
        std::memcpy(&bits[i], line.bytes + i * size, size);
        if (negate) bits[i] ^= 1u << (size * 8 - 1);
    }
    open_numbers(numbers, bits, present, form.k, type);
}

}  // namespace

WarpgroupOperands warpgroup_operands(std::uint32_t how) {
    WarpgroupOperands operands;
    operands.accumulate = how & 1;
    operands.negate_a = how & 2, operands.negate_b = how & 4;
    operands.turn_a = how & 8, operands.turn_b = how & 16;
    return operands;
}

std::vector<std::uint32_t> warpgroup_reads(const MatrixForm& form, const WarpgroupOperands& operands) {
    std::vector<std::uint32_t> pieces;
    auto add = [&](const StoredMatrix& matrix, std::uint32_t first, std::uint32_t lines,
                   std::uint32_t bytes) {
        for (std::uint32_t line = first; line < first + lines; ++line)
            for (std::uint32_t byte = 0; byte < bytes; byte += 2)
                if (const std::uint32_t at = matrix.address(line, byte) / piece * piece;
                    pieces.empty() || at != pieces.back())
                    pieces.push_back(at);
    };
    if (!operands.a_registers) add({operands.a, operands.turn_a}, operands.row, tensor::rows, row_bytes);
    add({operands.b, operands.turn_b}, 0, form.n, bytes_along_k(form));
    std::sort(pieces.begin(), pieces.end());
    pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
    return pieces;
}

void warpgroup_product(const MatrixForm& form, const WarpgroupOperands& operands, const std::byte* shared,
                       std::uint32_t* d) {
    const StoredMatrix a(operands.a, operands.turn_a), b(operands.b, operands.turn_b);
    Line rows[tensor::rows], column;
    for (int i = 0; i < tensor::rows; ++i) {
        if (operands.a_registers)
            read_registers(operands.a_registers, i, rows[i].bytes);
        else
            read_line(a, shared, operands.row + static_cast<std::uint32_t>(i), row_bytes, rows[i].bytes);
        if (form.sparse) spread(form, operands.metadata, i, rows[i]);
    }
    const bool floats = form.d != Element::s32, half = form.d == Element::f16;
    const tensor::Rule rule = tensor::warpgroup_rule(form.a, half);
    Numbers opened[tensor::rows];
    if (floats)
        for (int i = 0; i < tensor::rows; ++i)
            open_line(opened[i], rows[i], form.sparse ? rows[i].present : nullptr, form, form.a,
                      operands.negate_a);
    for (int j = 0; j < form.n; ++j) {
        read_line(b, shared, static_cast<std::uint32_t>(j), bytes_along_k(form), column.bytes);
        Numbers numbers;
        if (floats) open_line(numbers, column, nullptr, form, form.b, operands.negate_b);
        for (int i = 0; i < tensor::rows; ++i) {
            const int lane = i % 8 * 4 + j % 8 / 2, block = j / 8;
            if (half) {
                std::uint32_t& word = d[(block * 2 + i / 8) * 32 + lane];
                const int shift = j % 2 * 16;
                const std::uint32_t c = operands.accumulate ? word >> shift & 0xffff : 0;
                word = (word & ~(0xffffu << shift)) | fused_sum(opened[i], numbers, form.k, c, rule) << shift;
                continue;
            }
            std::uint32_t& word = d[(block * 4 + i / 8 * 2 + j % 2) * 32 + lane];
            const std::uint32_t c = operands.accumulate ? word : 0;
            if (floats) {
                word = fused_sum(opened[i], numbers, form.k, c, rule);
                continue;
            }
            int dot = 0;
            for (std::uint32_t e = 0; e < bytes_along_k(form); ++e) {
                const std::uint8_t x = rows[i].bytes[e], y = column.bytes[e];
                if (form.a == Element::b1)
                    dot += std::popcount(static_cast<std::uint8_t>(x & y));
                else
                    dot += (form.a == Element::s8 ? static_cast<std::int8_t>(x) : x) *
                           (form.b == Element::s8 ? static_cast<std::int8_t>(y) : y);
            }
            std::int64_t sum = std::int64_t{static_cast<std::int32_t>(c)} + dot;
            if (form.satfinite)
                sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                               std::numeric_limits<std::int32_t>::max());
            word = static_cast<std::uint32_t>(sum);
        }
    }
}

}  // namespace lockstep::exec
