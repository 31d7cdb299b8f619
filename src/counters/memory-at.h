// In which memory an address lies.
#pragma once
#include <cstdint>

#include "counters/raw-counts.h"
#include "events/observer.h"
#include "ptx/ast.h"

namespace lockstep::counters {

// `space`: what the instruction names; none: the address decides. `windows`: the warp's.
inline Memory memory_at(ptx::Space space, std::uint64_t address, const events::Windows& windows) {
    switch (space) {
        case ptx::Space::global: return Memory::global;
        case ptx::Space::shared: return Memory::shared;
        case ptx::Space::local: return Memory::local;
        case ptx::Space::constant:
        case ptx::Space::param: return Memory::constant;
        case ptx::Space::texture: return Memory::texture;
        case ptx::Space::none: break;
    }
    if (windows.in_shared(address)) return Memory::shared;
    if (windows.local.contains(address)) return Memory::local;
    if (windows.params.contains(address)) return Memory::constant;
    return Memory::global;
}

}  // namespace lockstep::counters
