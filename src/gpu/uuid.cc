#include "gpu/uuid.h"

#include <fmt/format.h>

namespace lockstep::gpu {

std::array<char, 16> uuid_of(const GpuModel& model, int device) {
    std::array<char, 16> bytes{};
    fmt::format_to_n(bytes.data(), bytes.size() - 1, "lockstep-{}", model.id);
    bytes.back() = static_cast<char>(device);
    return bytes;
}

}  // namespace lockstep::gpu
