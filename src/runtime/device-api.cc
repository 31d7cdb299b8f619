#include "runtime/device-api.h"

#include <cstring>

#include "runtime/call.h"

namespace lockstep::runtime {
namespace {

// What a kernel asks leaves the last error of the host's thread alone, which may be the one that runs it.
template <class Call>
auto aside(Call call) {
    const cudaError_t before = last_error();
    auto answer = call();
    exchange_last_error(before);
    return answer;
}

}  // namespace

session::DeviceApi device_api() {
    return {.attribute =
                [](std::int32_t* value, int attribute, int device) {
                    return aside([&] {
                        return static_cast<int>(
                            cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
                    });
                },
            .function_attributes =
                [](session::Function* function) {
                    cudaFuncAttributes attributes{};
                    aside([&] { return cudaFuncGetAttributes(&attributes, function); });
                    std::vector<std::byte> bytes(sizeof attributes);
                    std::memcpy(bytes.data(), &attributes, sizeof attributes);
                    return bytes;
                },
            .active_blocks =
                [](std::int32_t* blocks, session::Function* function, int threads, std::uint64_t shared) {
                    return aside([&] {
                        return static_cast<int>(
                            cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared));
                    });
                },
            .error_name = [](int error) { return cudaGetErrorName(static_cast<cudaError_t>(error)); },
            .error_string = [](int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }};
}

}  // namespace lockstep::runtime
