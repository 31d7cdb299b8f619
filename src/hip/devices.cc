// What a device looks like through HIP.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "hip/same.h"
#include "runtime/properties.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

namespace {

// Of s_memrealtime, on the GPUs of the MI series before MI300 (kHz).
constexpr int wall_clock_khz = 25000;

// Target features as ROCm's driver reports them where the hardware has error correction and its retry of page
// faults is off, the way MI GPUs are delivered. RDNA has neither.
std::string arch_name(const std::string& target) {
    const bool instinct =
        target == "gfx906" || target == "gfx908" || target == "gfx90a" || target.starts_with("gfx94");
    return instinct ? target + ":sramecc+:xnack-" : target;
}

// Major, minor and stepping as one number, as HIP 5 wrote it: 908, and 910 for gfx90a.
int arch_number(const std::string& target) {
    const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
    const std::size_t last = target.size() - 1;
    return std::stoi(target.substr(3, last - 4)) * 100 + digit(target[last - 1]) * 10 + digit(target[last]);
}

// What CUDA has no attribute for. Nothing: there is no such attribute at all.
std::optional<int> own_attribute(const Device& device, hipDeviceAttribute_t attribute) {
    switch (attribute) {
        case hipDeviceAttributeVirtualMemoryManagementSupported: return 1;
        case hipDeviceAttributeTotalGlobalMem:
            return static_cast<int>(std::min<std::uint64_t>(device.gpu().memory_bytes, 2147483647));
        case hipDeviceAttributeClockInstructionRate:
        case hipDeviceAttributeWallClockRate: return wall_clock_khz;
        // The MI200s and later have no texture units.
        case hipDeviceAttributeImageSupport:
            return !device.gpu().target.starts_with("gfx90a") && !device.gpu().target.starts_with("gfx94");
        case hipDeviceAttributeLuid:
        case hipDeviceAttributeLuidDeviceNodeMask:
        case hipDeviceAttributeHdpMemFlushCntl:
        case hipDeviceAttributeHdpRegFlushCntl:
        case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
        case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
        case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
        case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
        case hipDeviceAttributeIsLargeBar:
        case hipDeviceAttributeAsicRevision:
        case hipDeviceAttributeCanUseStreamWaitValue:
        case hipDeviceAttributeFineGrainSupport: return 0;  // lockstep does not have it
        default: return std::nullopt;
    }
}

}  // namespace

extern "C" {

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int number) {
    return error_of(call("hipGetDeviceProperties", Waits::no, [&](Device& current) -> Outcome {
        if (!properties) return null_pointer("prop");
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        const cudaDeviceProp cuda = properties_of(**device);
        hipDeviceProp_t& p = *properties;
        p = {};
        // The first part is CUDA's, field by field.
        static_assert(offsetof(hipDeviceProp_t, unifiedFunctionPointers) ==
                      offsetof(cudaDeviceProp, unifiedFunctionPointers));
        std::memcpy(static_cast<void*>(&p), &cuda, offsetof(hipDeviceProp_t, reserved));
        std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", arch_name((*device)->gpu().target).c_str());
        p.gcnArch = arch_number((*device)->gpu().target);
        p.maxSharedMemoryPerMultiProcessor = p.sharedMemPerMultiprocessor;
        p.clockInstructionRate = wall_clock_khz;
        p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = p.arch.hasSharedInt32Atomics =
            p.arch.hasSharedFloatAtomicExch = p.arch.hasFloatAtomicAdd = p.arch.hasGlobalInt64Atomics =
                p.arch.hasSharedInt64Atomics = p.arch.hasDoubles = p.arch.hasWarpVote = p.arch.hasWarpBallot =
                    p.arch.hasWarpShuffle = p.arch.hasThreadFenceSystem = p.arch.has3dGrid = 1;
        return {};
    }));
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int number) {
    return error_of(call("hipDeviceGetAttribute", Waits::no, [&](Device& current) -> Outcome {
        if (!value) return null_pointer("pi");
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        constexpr int none = -1;
        std::optional<int> found;
        switch (attribute) {
#define LOCKSTEP_HIP_ATTRIBUTE(name, number, cuda)                                              \
    case name:                                                                                  \
        found = static_cast<int>(cuda) == none                                                  \
                    ? own_attribute(**device, name)                                             \
                    : attribute_of(properties_of(**device), static_cast<cudaDeviceAttr>(cuda)); \
        break;
#include "lockstep/hip/attributes.def"
#undef LOCKSTEP_HIP_ATTRIBUTE
            default: break;
        }
        if (!found)
            return {Status::invalid_value,
                    fmt::format("there is no attribute {}", static_cast<int>(attribute))};
        *value = *found;
        return {};
    }));
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source, int target) {
    // CUDA's count from 1 on.
    return error_of(cudaDeviceGetP2PAttribute(
        value, static_cast<cudaDeviceP2PAttr>(static_cast<int>(attribute) + 1), source, target));
}

hipError_t hipCtxCreate(hipCtx_t* context, unsigned flags, hipDevice_t device) {
    use_driver();
    return error_of(cuCtxCreate(reinterpret_cast<CUcontext*>(context), flags, device));
}

hipError_t hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }

hipError_t hipRuntimeGetVersion(int* version) {
    return error_of(call("hipRuntimeGetVersion", Waits::no, [&](Device&) -> Outcome {
        if (!version) return null_pointer("version");
        *version = HIP_VERSION;
        return {};
    }));
}
}
