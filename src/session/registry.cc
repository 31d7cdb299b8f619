#include "session/registry.h"

#include <algorithm>

namespace lockstep::session {

Image* Registry::add_image(const void* fatbin) {
    images_.emplace_back().fatbin = fatbin;
    return &images_.back();
}

void Registry::remove_image(Image* image) {
    images_.remove_if([&](const Image& candidate) { return &candidate == image; });
}

bool Registry::in_managed_range(const void* host) const {
    const auto address = reinterpret_cast<std::uint64_t>(host);
    return std::any_of(managed_ranges_.begin(), managed_ranges_.end(),
                       [&](const auto& range) { return address >= range.first && address < range.second; });
}

Image* Registry::image_of_function(const void* host) {
    for (Image& image : images_)
        if (image.functions.count(host)) return &image;
    return nullptr;
}

Image* Registry::image_of_variable(const void* host) {
    for (Image& image : images_)
        for (const auto& variable : image.variables)
            if (variable.host == host) return &image;
    return nullptr;
}

}  // namespace lockstep::session
