// Registers whose value follows from what certain instructions gave.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

class DerivedValues {
  public:
    struct Ways {
        bool branches = false;  // also what is written where a derived branch led
        // Also what was stored and loaded again: anywhere, or in the block's own memory.
        enum class Memory : std::uint8_t { no, all, of_block } memory{};
    };

    // Of the values that `is_source` instructions write. `function` must outlive it.
    DerivedValues(const Function& function, const std::function<bool(const ptx::Instruction&)>& is_source,
                  Ways ways);

    bool has(RegId reg) const { return registers_[reg]; }
    // Whether the way out of `block` depends on such a value.
    bool decides(BlockId block) const;

  private:
    bool lead(BlockId block);

    const Function& function_;
    std::vector<bool> registers_;
    std::vector<bool> leads_, led_;  // by block: its branch is derived; such a branch led there
    std::vector<BlockId> ipdom_;
};

}  // namespace lockstep::kernel
