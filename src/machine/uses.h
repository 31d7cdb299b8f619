// Who writes and who reads each register: what folding decisions need to know.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::machine {

struct Place {
    kernel::BlockId block = 0;
    std::int32_t index = 0;  // into the block's instructions; their number: the terminator
    bool operator==(const Place&) const = default;
    auto operator<=>(const Place&) const = default;
};

class Uses {
  public:
    explicit Uses(const kernel::Function& function);

    const std::vector<Place>& writers(kernel::RegId reg) const { return writers_[reg]; }
    const std::vector<Place>& readers(kernel::RegId reg) const { return readers_[reg]; }

    // The instruction at a place, nullptr for a terminator.
    const ptx::Instruction* at(Place place) const;
    // The only writer of the register that this operand is; nullptr where there is none or there are several.
    const ptx::Instruction* writer(const ptx::Operand& operand) const;

  private:
    const kernel::Function& function_;
    std::vector<std::vector<Place>> writers_, readers_;
};

}  // namespace lockstep::machine
