// What a device looks like through cudaDeviceProp and cudaDeviceGetAttribute.
#pragma once
#include <optional>

#include "runtime/api.h"
#include "session/device.h"

namespace lockstep::runtime {

// CUDA 12's layout; the library for CUDA 13 rearranges it.
cudaDeviceProp properties_of(const session::Device& device);

// Nothing for an attribute that does not exist.
std::optional<int> attribute_of(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace lockstep::runtime
