// Which compiler made a PTX text. Predictions are only as good as the code is the GPU's, so that has to be
// told.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ptx {

struct Producer {
    enum class Kind { lockstep, nvcc, other };
    Kind kind = Kind::other;
    std::string version{};  // as the compiler calls it; empty: not known
    std::string parser{};   // lockstep: the clang that has parsed for it
    bool optimised = true;  // not -G
    bool operator==(const Producer&) const = default;

    std::string to_string() const;  // "nvcc 13.0 -G"
};

// The comment with which PTX of our own begins, with its end of line.
std::string own_header(const Producer& producer);

// Of a text, or of several one after the other: each different one once, in order.
std::vector<Producer> producers_of(std::string_view ptx);

}  // namespace lockstep::ptx
