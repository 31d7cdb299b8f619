// Textures as the driver API describes them, for objects and references.
#pragma once
#include "runtime/driver-arrays.h"
#include "runtime/textures.h"

namespace lockstep::runtime {

Found<std::uint64_t> create_texture(Device& current, const CUDA_RESOURCE_DESC& resource,
                                    const CUDA_TEXTURE_DESC& desc, const CUDA_RESOURCE_VIEW_DESC* view);

}  // namespace lockstep::runtime
