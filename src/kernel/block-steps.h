// Kernels whose blocks differ by where they are alone: each address that a thread uses moves by the same
// distance from a block to the next one along an axis of the grid, and all else that decides what it does is
// the same in all of them. That holds as long as sums of 32 bits do not wrap round where their width begins
// to matter, and comparisons come out alike; both can be told from the values of a block and of its
// neighbours.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace lockstep::kernel {

// An instruction that has to be looked at for that.
struct StepCheck {
    enum class Kind : std::uint8_t {
        widened,        // the operand must not wrap round
        less,           // a < b must be the same in all blocks, …
        less_or_equal,  // … or a <= b, …
        equal,          // … or a == b
        joined,         // a | b must be their sum
        least,          // nothing; comparisons want to know what the result is the least of, …
        greatest,       // … or the greatest
    };
    Kind kind{};
    bool compares() const { return kind >= Kind::less && kind <= Kind::equal; }
    bool is_extreme() const { return kind >= Kind::least; }
    ptx::Type type{};  // of the operands
    BlockId block = 0;
    std::uint32_t instruction = 0;                           // of that block
    std::array<std::uint8_t, 2> operands{};                  // of which a widening has only the first
    std::array<std::optional<std::uint32_t>, 2> extremes{};  // by operand: the check of which it is one
    std::uint32_t count() const { return kind == Kind::widened ? 1 : 2; }
};

// In the order of the code, if the kernel is one of these. It has one function then, and no access that could
// be of one memory or another.
std::optional<std::vector<StepCheck>> block_steps(const Kernel& kernel);

}  // namespace lockstep::kernel
