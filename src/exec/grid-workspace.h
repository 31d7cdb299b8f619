// What a cooperative launch gives to its grid, zeroed: where the grid's barrier counts
// (include/cooperative_groups/details/sync.h, include/hip/hip_cooperative_groups.h). One for a module:
// cooperative launches run one at a time.
#pragma once
#include <cstdint>
#include <cstring>

#include "base/result.h"
#include "exec/memory.h"

namespace lockstep::exec {

class GridWorkspace {
  public:
    Result<std::uint64_t> zeroed(DeviceMemory& memory) {
        constexpr std::uint64_t bytes = 16;
        if (address_ == 0) {
            auto made = memory.allocate(bytes, MemoryKind::runtime, "barrier of the grid");
            if (!made) return made.error();
            address_ = *made;
        }
        std::memset(reinterpret_cast<void*>(address_), 0, bytes);
        return address_;
    }
    void release(DeviceMemory& memory) const {
        if (address_) memory.release(address_);
    }

  private:
    std::uint64_t address_ = 0;
};

}  // namespace lockstep::exec
