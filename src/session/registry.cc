#include "session/registry.h"

#include <dlfcn.h>

#include <algorithm>

namespace lockstep::session {

Image* Registry::add_image(const void* fatbin) {
    Image& image = images_.emplace_back();
    image.fatbin = fatbin;
    if (Dl_info info; dladdr(fatbin, &info)) image.object = info.dli_fbase;
    return &image;
}

void Registry::remove_image(Image* image) {
    images_.remove_if([&](const Image& candidate) { return &candidate == image; });
}

bool Registry::in_managed_range(const void* host) const {
    const auto address = reinterpret_cast<std::uint64_t>(host);
    return std::any_of(managed_ranges_.begin(), managed_ranges_.end(),
                       [&](const auto& range) { return address >= range.first && address < range.second; });
}

std::size_t Registry::images_of(const void* object) const {
    return static_cast<std::size_t>(std::count_if(
        images_.begin(), images_.end(), [&](const Image& image) { return image.object == object; }));
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
