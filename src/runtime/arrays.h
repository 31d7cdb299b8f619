// CUDA arrays as the API functions name them.
#pragma once
#include <cstddef>
#include <memory>

#include "runtime/call.h"

namespace lockstep::runtime {

// By the handle that a program gave, of whatever device.
Found<std::shared_ptr<session::Array>> array_of(Device& current, const void* handle);
Found<std::shared_ptr<session::MipmappedArray>> mipmapped_of(Device& current, const void* handle);

Found<exec::TexelFormat> format_of(const cudaChannelFormatDesc& desc);
cudaChannelFormatDesc desc_of(exec::TexelFormat format);

// A corner of an array, for a copy.
session::Box box_of(const session::Array& array, std::size_t x_bytes, std::size_t y, std::size_t z);

// The corner of a pitched pointer where a 3-D copy starts.
session::Box corner(const cudaPitchedPtr& pitched, const cudaPos& at);

// The array of which a box is part; null: it is none of an array, or that was freed.
std::shared_ptr<session::Array> array_with(Device& current, const session::Box& box);

// What a 3-D copy is between.
struct Boxes {
    session::Box to, from;
    session::BoxSize size;
};
Found<Boxes> boxes_of(Device& current, const cudaMemcpy3DParms& params);

Outcome create_array(Device& current, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                     cudaExtent extent, unsigned flags);

}  // namespace lockstep::runtime
