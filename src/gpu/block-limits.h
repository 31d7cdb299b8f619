// What a GPU allows one block: whether a launch of it could work at all, whatever else is on the SM.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/model.h"

namespace lockstep::gpu {

using Dimensions = std::array<std::uint32_t, 3>;

inline std::uint64_t count(const Dimensions& d) { return std::uint64_t{d[0]} * d[1] * d[2]; }
std::string to_string(const Dimensions& d);  // "(40, 2, 1)"
// "256", "32x8" or "8x8x4", commas for x as well; nothing where the text is no shape.
std::optional<Dimensions> parse_dimensions(std::string_view text);

// Why a block cannot have this shape, with the limit; nothing if it can.
std::optional<std::string> shape_obstacle(const GpuModel& gpu, const Dimensions& block);

// Why a block of this many threads cannot have that many registers a thread, or that much shared memory.
std::optional<std::string> register_obstacle(const GpuModel& gpu, std::uint64_t threads, int registers);
std::optional<std::string> shared_obstacle(const GpuModel& gpu, std::uint64_t bytes);

// HIP programs run on, where nobody has chosen another; CUDA's on default_model.
inline constexpr const char* default_hip_model = "mi100";

// Why lockstep cannot run PTX as on this GPU, or say what the GPU would make of it: it is AMD's.
std::optional<std::string> execution_obstacle(const GpuModel& gpu);
// … and why no HIP program: it is not AMD's.
std::optional<std::string> hip_obstacle(const GpuModel& gpu);

}  // namespace lockstep::gpu
