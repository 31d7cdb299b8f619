#include "timing/store-buffer.h"

namespace lockstep::timing {

StoreBuffer::Open& StoreBuffer::line(std::uint64_t address, std::uint64_t block) {
    Open* place = &open_.front();
    for (Open& open : open_) {
        if (open.address == address && open.block == block) {
            open.used = ++clock_;
            return open;
        }
        if (open.used < place->used) place = &open;
    }
    *place = {.address = address, .block = block, .used = ++clock_};
    return *place;
}

}  // namespace lockstep::timing
