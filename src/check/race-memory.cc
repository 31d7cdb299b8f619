#include "check/race-memory.h"

namespace lockstep::check {

// When there are no more numbers, what was remembered is forgotten.
void RaceMemory::begin_launch(unsigned shared_shift) {
    ++launch;
    const auto forget = [](auto& space) {
        space.instances.forget();
        if (space.instances.next() > Instances::most / 2) space.forget();
    };
    forget(global);
    forget(shared);
    shared.shadow.begin_launch(shared_shift);
}

std::size_t RaceMemory::size() const {
    return global.shadow.size() + global.instances.size() + shared.shadow.size() + shared.instances.size();
}

}  // namespace lockstep::check
