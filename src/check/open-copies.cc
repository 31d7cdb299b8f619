#include "check/open-copies.h"

#include <algorithm>

namespace lockstep::check {

void OpenCopies::issue(Warp warp, std::uint32_t site, std::uint32_t bytes, Lanes lanes,
                       const std::uint64_t* addresses) {
    Copies& copies = warps_[warp];
    copies.open.push_back({.site = site, .bytes = bytes, .group = copies.group, .lanes = lanes});
    Copy& copy = copies.open.back();
    std::copy_n(addresses, warp_lanes, copy.addresses.begin());
    copy.begin = ~std::uint64_t{0};
    each_lane(lanes, [&](int lane) {
        copy.begin = std::min(copy.begin, addresses[lane]);
        copy.end = std::max(copy.end, addresses[lane] + bytes);
    });
}

std::vector<OpenCopies::Copy> OpenCopies::wait(Warp warp, Lanes lanes, std::uint32_t groups_left) {
    std::vector<Copy> arrived;
    const auto found = warps_.find(warp);
    if (found == warps_.end()) return arrived;
    Copies& copies = found->second;
    for (Copy& copy : copies.open) {
        if (!(copy.lanes & lanes) || copy.group + groups_left >= copies.group + (groups_left == 0)) continue;
        arrived.push_back(copy);
        arrived.back().lanes &= lanes;
        copy.lanes &= ~lanes;
    }
    std::erase_if(copies.open, [](const Copy& copy) { return copy.lanes == 0; });
    return arrived;
}

void OpenCopies::block_ended(std::uint64_t block) {
    warps_.erase(warps_.lower_bound({block, 0}), warps_.lower_bound({block + 1, 0}));
}

}  // namespace lockstep::check
