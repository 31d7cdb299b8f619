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

Outcome create_array(Device& current, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                     cudaExtent extent, unsigned flags);

}  // namespace lockstep::runtime
