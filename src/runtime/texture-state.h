// What the runtime remembers of textures beside the devices' objects: how they were described, and what is
// bound to texture references.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/api.h"

namespace lockstep::session {
class Device;
}

namespace lockstep::runtime {

struct DescribedTexture {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
    std::optional<cudaResourceViewDesc> view;
};

struct TextureState {
    std::mutex mutex;
    std::map<std::pair<const session::Device*, std::uint64_t>, DescribedTexture> objects;
    // The object that stands behind a reference of the host program, or of a driver module.
    std::map<std::pair<const session::Device*, const void*>, std::uint64_t> bound;
};

}  // namespace lockstep::runtime
