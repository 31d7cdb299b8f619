#include "check/shared-shadow.h"

namespace lockstep::check {

// Blocks of a launch may lie where others of another size did; what is left of them is nobody's. Where a
// process has many, those of earlier launches are dropped.
void SharedShadow::begin_launch(unsigned shift) {
    constexpr std::size_t many = 64;
    recent_ = nullptr;
    if (shift != shift_ || windows_.size() > many) windows_.clear();
    shift_ = shift;
}

SharedShadow::Window* SharedShadow::find_or_make(std::uint64_t address, const events::Windows& windows) {
    std::uint64_t begin = windows.shared.begin;
    if (!windows.shared.contains(address)) {
        if (!windows.in_shared(address)) return nullptr;
        for (const std::uint64_t other : windows.cluster)
            if (other && address - other < windows.shared.size) begin = other;
    }
    Window& window = windows_[begin];
    if (window.size != windows.shared.size) {
        const std::uint64_t size = windows.shared.size;
        window = {begin, size, static_cast<std::uint32_t>((size + (1u << shift_) - 1) >> shift_), {}, {}};
        for (auto& role : window.of) role.resize(window.granules);
    }
    recent_ = &window;
    return recent_;
}

void SharedShadow::clear() {
    windows_.clear();
    recent_ = nullptr;
}

std::size_t SharedShadow::size() const {
    std::size_t sum = 0;
    for (const auto& [_, window] : windows_)
        for (const auto& role : window.of) sum += role.capacity() * sizeof(Touch);
    return sum;
}

}  // namespace lockstep::check
