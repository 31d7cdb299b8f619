// The video instructions of one lane: scalar ones with byte and half-word selectors (vadd …), and SIMD within
// a word (vadd2, vadd4 …). A compiled kernel packs the instruction's modifiers into one constant and passes
// it along.
#pragma once
#include <array>
#include <cstdint>

namespace lockstep::exec {

enum class VideoOp : std::uint8_t { add, sub, absdiff, min, max, average, shl, shr, mad, set };
enum class VideoCompare : std::uint8_t { eq, ne, lt, le, gt, ge };
enum class VideoSecondary : std::uint8_t { none, add, min, max };
// Which part of a word: all of it, a byte, or a half-word.
enum class VideoSelect : std::uint8_t { word, b0, b1, b2, b3, h0, h1 };

struct Video {
    VideoOp op{};
    bool d_signed = false, a_signed = false, b_signed = false;  // set: d as a
    bool saturate = false;
    VideoSecondary secondary{};
    VideoCompare compare{};  // set
    bool wrap = false;       // shl, shr: .wrap, not .clamp
    // mad
    std::uint8_t scale = 0;  // 0, 7, 15
    bool plus_one = false;   // .po
    bool negate_product = false, negate_c = false;
    // Scalar forms. `d`: the part that is written; the rest comes from c.
    VideoSelect a{}, b{}, d{};
    // SIMD forms: parts a word (2 or 4; 1 means scalar), which parts are written, and the source of each part
    // of a and b: 0 … parts−1 from a, the rest from b.
    std::uint8_t parts = 1;
    std::uint8_t mask = 0xf;
    std::array<std::uint8_t, 4> a_parts{0, 1, 2, 3};
    std::array<std::uint8_t, 4> b_parts{4, 5, 6, 7};

    std::uint64_t packed() const;
    static Video unpacked(std::uint64_t bits);
};

// `c` is ignored where the instruction has none. `modifiers`: Video::packed().
std::uint32_t video(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint64_t modifiers);

}  // namespace lockstep::exec
