// What is known of a value's bits from the instructions that make it.
#pragma once
#include <cstdint>

#include "machine/selection.h"

namespace lockstep::machine {

class KnownBits {
  public:
    explicit KnownBits(const Selection& selection) : s_(selection) {}

    // The bits that may be one, in the register as the machine has it; all 64 where nothing is known.
    std::uint64_t possible(const ptx::Operand& operand) const { return possible(operand, 0); }
    // How many low bits are surely zero.
    int zeros(const ptx::Operand& operand) const;
    // Bits from which on all are surely zero.
    int width(const ptx::Operand& operand) const;

  private:
    std::uint64_t possible(const ptx::Operand& operand, int depth) const;
    int steps_in_loop(const ptx::Operand& operand, int depth) const;

    const Selection& s_;
};

}  // namespace lockstep::machine
