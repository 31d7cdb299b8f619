#include "check/shadow.h"

#include <algorithm>

namespace lockstep::check {

// From words to bytes.
void ShadowPage::refine() {
    if (shift_ == 0) return;
    for (auto& role : roles_) {
        if (!role || !role->granules) continue;
        auto fine = std::make_unique<Touch[]>(bytes);
        for (std::uint32_t i = 0; i < bytes; ++i) fine[i] = role->granules[i >> shift_];
        role->granules = std::move(fine);
    }
    shift_ = 0;
}

void ShadowPage::take_apart(Role& role, std::uint32_t unit) {
    Unit& whole = role.of[unit];
    if (whole.form == Unit::apart) return;
    if (whole.touch && whole.form < shift_) refine();  // lanes that share a word
    if (!role.granules) role.granules = std::make_unique<Touch[]>(granules());
    Touch* const first = role.granules.get() + (unit * unit_bytes >> shift_);
    const std::uint32_t count = unit_bytes >> shift_;
    if (!whole.touch) {
        std::fill_n(first, count, Touch{0});
    } else {
        for (std::uint32_t i = 0; i < count; ++i) first[i] = whole.touch + (i << shift_ >> whole.form);
        whole.touch = first[count - 1];
    }
    whole.form = Unit::apart;
}

std::size_t ShadowPage::size() const {
    std::size_t sum = sizeof *this;
    for (const auto& role : roles_)
        if (role) sum += sizeof *role + (role->granules ? granules() * sizeof(Touch) : 0);
    return sum;
}

ShadowPage& Shadow::find_or_make(std::uint64_t number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<ShadowPage>();
    return *page;
}

std::size_t Shadow::size() const {
    std::size_t sum = 0;
    for (const auto& [_, page] : pages_) sum += page->size();
    return sum;
}

}  // namespace lockstep::check
