#include "session/call-site.h"

#include <execinfo.h>

#include <array>

#include "base/loaded-module.h"
#include "exec/host-lines.h"

namespace lockstep::session {

CallSite calling(const void* stub) {
    static const auto own = base::loaded_module(reinterpret_cast<const void*>(&calling));
    std::array<void*, 64> frames;
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    CallSite site;
    site.stub = reinterpret_cast<std::uintptr_t>(stub);
    int first = 0;
    while (first < count && own && own->contains(frames[static_cast<std::size_t>(first)])) ++first;
    for (int i = first; i < count; ++i)
        site.addresses.push_back(reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]));
    return site;
}

std::vector<check::Place> places_of(const CallSite& site, const std::string& role) {
    constexpr std::size_t most = 12;
    std::vector<check::Place> places;
    for (const exec::HostFrame& frame : exec::host_stack(site.addresses, site.stub)) {
        if (places.size() == most) break;
        // Code that stands for several lines has none.
        places.push_back({frame.line ? frame.file : "", frame.line, frame.function,
                          places.empty() ? role : "called from", ""});
    }
    return places;
}

check::Place place_of(const CallSite& site, const std::string& role) {
    const auto places = places_of(site, role);
    return places.empty() ? check::Place{"", 0, "", role, ""} : places.front();
}

}  // namespace lockstep::session
