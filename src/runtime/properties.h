// What a GPU model looks like through cudaDeviceProp and cudaDeviceGetAttribute.
#pragma once
#include <optional>

#include "gpu/model.h"
#include "runtime/api.h"

namespace lockstep::runtime {

// CUDA 12's layout; the library for CUDA 13 rearranges it.
cudaDeviceProp properties_of(const gpu::GpuModel& gpu);

// Nothing for an attribute that does not exist.
std::optional<int> attribute_of(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace lockstep::runtime
