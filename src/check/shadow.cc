#include "check/shadow.h"

namespace lockstep::check {

void ShadowPage::make(Who who) { touches_[who] = std::make_unique<Touch[]>(granules()); }

// From words to bytes.
void ShadowPage::refine() {
    const std::uint32_t words = granules(), parts = 1u << shift_;
    for (auto& touches : touches_) {
        if (!touches) continue;
        auto fine = std::make_unique<Touch[]>(words * parts);
        for (std::uint32_t i = 0; i < words * parts; ++i) fine[i] = touches[i >> shift_];
        touches = std::move(fine);
    }
    shift_ = 0;
}

std::size_t ShadowPage::bytes() const {
    std::size_t sum = sizeof *this;
    for (const auto& touches : touches_)
        if (touches) sum += granules() * sizeof(Touch);
    return sum;
}

ShadowPage& Shadow::find_or_make(std::uint64_t number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<ShadowPage>();
    return *page;
}

std::size_t Shadow::bytes() const {
    std::size_t sum = 0;
    for (const auto& [_, page] : pages_) sum += page->bytes();
    return sum;
}

}  // namespace lockstep::check
