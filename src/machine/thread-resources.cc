#include "machine/thread-resources.h"

#include "machine/view.h"

namespace lockstep::machine {

ThreadResources resources_of(const View& view, std::uint64_t local_bytes) {
    constexpr std::uint64_t frame_unit = 8;  // of which ptxas's are multiples
    return {view.registers,
            (local_bytes - view.array_bytes + view.spill_frame() + frame_unit - 1) / frame_unit * frame_unit};
}

}  // namespace lockstep::machine
