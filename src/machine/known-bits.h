// What is known of a value's bits from the instructions that make it.
#pragma once
#include "machine/selection.h"

namespace lockstep::machine {

class KnownBits {
  public:
    explicit KnownBits(const Selection& selection) : s_(selection) {}

    // How many low bits are surely zero.
    int zeros(const ptx::Operand& operand, int depth = 0) const;
    // Bits from which on all are surely zero, in the register as the machine has it; 64 where nothing is
    // known.
    int width(const ptx::Operand& operand, int depth = 0) const;

  private:
    const Selection& s_;
};

}  // namespace lockstep::machine
