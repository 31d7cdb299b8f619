#include "runtime/device-api.h"

#include <cstring>

#include "runtime/api.h"

namespace lockstep::runtime {

session::DeviceApi device_api() {
    return {.attribute =
                [](std::int32_t* value, int attribute, int device) {
                    return static_cast<int>(
                        cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
                },
            .function_attributes =
                [](session::Function* function) {
                    cudaFuncAttributes attributes{};
                    cudaFuncGetAttributes(&attributes, function);
                    std::vector<std::byte> bytes(sizeof attributes);
                    std::memcpy(bytes.data(), &attributes, sizeof attributes);
                    return bytes;
                },
            .active_blocks =
                [](std::int32_t* blocks, session::Function* function, int threads, std::uint64_t shared) {
                    return static_cast<int>(
                        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared));
                },
            .error_name = [](int error) { return cudaGetErrorName(static_cast<cudaError_t>(error)); },
            .error_string = [](int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }};
}

}  // namespace lockstep::runtime
