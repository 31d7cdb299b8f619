// Texture objects as CUDA describes them, for the runtime's objects, texture references and the driver API.
#pragma once
#include "runtime/arrays.h"

namespace lockstep::runtime {

constexpr std::uint64_t texture_alignment = 512;  // of linear memory under a texture

// What the descriptions say, or why no texture is like that.
Found<exec::Texture> texture_of(Device& current, const cudaResourceDesc& resource,
                                const cudaTextureDesc& desc, const cudaResourceViewDesc* view);

// The descriptions are kept, for those who ask for them; the object's number.
Found<std::uint64_t> create_texture(Device& current, const cudaResourceDesc& resource,
                                    const cudaTextureDesc& desc, const cudaResourceViewDesc* view,
                                    const CUDA_TEXTURE_DESC* driver = nullptr);
std::uint64_t add_surface(Device& current, const cudaResourceDesc& resource, const session::Array& array);
Found<DescribedTexture> described_texture(Device& current, std::uint64_t object);

// A texture begins at a multiple of 512 bytes: the pointer moves back to one, and `offset` says how far. It
// may be null where that is not far at all.
Outcome align(const void*& pointer, std::size_t* offset);

}  // namespace lockstep::runtime
