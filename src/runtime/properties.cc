#include "runtime/properties.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "gpu/uuid.h"
#include "lockstep/driver-enums.h"

namespace lockstep::runtime {

// What lockstep does not have (textures, surfaces, peers, other processes) is
// reported as absent, whatever the real GPU has: programs that ask then take
// the way that works here.
cudaDeviceProp properties_of(const session::Device& device) {
    const gpu::GpuModel& gpu = device.gpu();
    cudaDeviceProp p = {};
    const int cc = gpu.compute_capability();
    std::snprintf(p.name, sizeof p.name, "%s", gpu.name.c_str());
    const std::array uuid = gpu::uuid_of(gpu, device.number());
    std::copy(uuid.begin(), uuid.end(), p.uuid.bytes);
    p.totalGlobalMem = gpu.memory_bytes;
    p.sharedMemPerBlock = gpu.shared_per_block;
    p.regsPerBlock = gpu.registers_per_block;
    p.warpSize = gpu.warp_size;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = gpu.max_threads_per_block;
    for (int i = 0; i < 3; ++i) {
        p.maxThreadsDim[i] = static_cast<int>(gpu.max_block[i]);
        p.maxGridSize[i] = static_cast<int>(gpu.max_grid[i]);
    }
    p.clockRate = gpu.clock_mhz * 1000;
    p.totalConstMem = gpu.constant_bytes;
    p.major = gpu.compute_major;
    p.minor = gpu.compute_minor;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = 1;
    p.multiProcessorCount = gpu.sms;
    p.canMapHostMemory = 1;
    p.computeMode = cudaComputeModeDefault;
    p.surfaceAlignment = 512;
    p.concurrentKernels = gpu.concurrent_kernels > 1;
    p.ECCEnabled = gpu.ecc;
    p.asyncEngineCount = gpu.copy_engines;
    p.unifiedAddressing = gpu.unified_addressing;
    p.memoryClockRate = gpu.memory_clock_mhz * 1000;
    p.memoryBusWidth = gpu.memory_bus_bits;
    p.l2CacheSize = static_cast<int>(gpu.l2_bytes);
    p.maxThreadsPerMultiProcessor = gpu.max_threads_per_sm;
    p.streamPrioritiesSupported = cc >= 35;
    p.globalL1CacheSupported = 1;
    p.localL1CacheSupported = 1;
    p.sharedMemPerMultiprocessor = gpu.shared_per_sm;
    p.regsPerMultiprocessor = gpu.registers_per_sm;
    p.managedMemory = gpu.managed_memory;
    p.singleToDoublePrecisionPerfRatio = gpu.fp64_ratio;
    p.concurrentManagedAccess = gpu.managed_memory && cc >= 60;
    p.computePreemptionSupported = cc >= 60;
    p.canUseHostPointerForRegisteredMem = cc >= 60;
    p.cooperativeLaunch = cc >= 60;
    p.clusterLaunch = cc >= 90;
    p.sharedMemPerBlockOptin = gpu.shared_per_block_optin;
    p.maxBlocksPerMultiProcessor = gpu.max_blocks_per_sm;
    p.reservedSharedMemPerBlock = gpu.shared_reserved_per_block;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
    p.ipcEventSupported = 1;
#define LIMIT(member, attribute, value) p.member = value;
#include "runtime/texture-limits.def"
#undef LIMIT
    return p;
}

std::optional<int> attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
    const auto clamp = [](std::size_t value) {
        return static_cast<int>(std::min<std::size_t>(value, 2147483647));
    };
    switch (static_cast<int>(attribute)) {
        case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
        case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
        case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
        case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
        case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
        case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
        case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
        case cudaDevAttrMaxSharedMemoryPerBlock: return clamp(p.sharedMemPerBlock);
        case cudaDevAttrTotalConstantMemory: return clamp(p.totalConstMem);
        case cudaDevAttrWarpSize: return p.warpSize;
        case cudaDevAttrMaxPitch: return clamp(p.memPitch);
        case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
        case cudaDevAttrClockRate: return p.clockRate;
        case cudaDevAttrTextureAlignment: return clamp(p.textureAlignment);
        case cudaDevAttrGpuOverlap: return p.deviceOverlap;
        case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
        case cudaDevAttrKernelExecTimeout: return p.kernelExecTimeoutEnabled;
        case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
        case cudaDevAttrComputeMode: return p.computeMode;
        case cudaDevAttrSurfaceAlignment: return clamp(p.surfaceAlignment);
        case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
        case cudaDevAttrEccEnabled: return p.ECCEnabled;
        case cudaDevAttrMemoryClockRate: return p.memoryClockRate;
        case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
        case cudaDevAttrL2CacheSize: return p.l2CacheSize;
        case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
        case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
        case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
#define LIMIT(member, attribute, value) \
    case cudaDevAttr##attribute: return p.member;
#include "runtime/texture-limits.def"
#undef LIMIT
        case cudaDevAttrTexturePitchAlignment: return clamp(p.texturePitchAlignment);
        case cudaDevAttrComputeCapabilityMajor: return p.major;
        case cudaDevAttrComputeCapabilityMinor: return p.minor;
        case cudaDevAttrStreamPrioritiesSupported: return p.streamPrioritiesSupported;
        case cudaDevAttrGlobalL1CacheSupported: return p.globalL1CacheSupported;
        case cudaDevAttrLocalL1CacheSupported: return p.localL1CacheSupported;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return clamp(p.sharedMemPerMultiprocessor);
        case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
        case cudaDevAttrManagedMemory: return p.managedMemory;
        case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p.singleToDoublePrecisionPerfRatio;
        case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
        case cudaDevAttrComputePreemptionSupported: return p.computePreemptionSupported;
        case cudaDevAttrCanUseHostPointerForRegisteredMem: return p.canUseHostPointerForRegisteredMem;
        case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
        case cudaDevAttrClusterLaunch: return p.clusterLaunch;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return clamp(p.sharedMemPerBlockOptin);
        case cudaDevAttrHostRegisterSupported: return p.hostRegisterSupported;
        case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
        case cudaDevAttrReservedSharedMemoryPerBlock: return clamp(p.reservedSharedMemPerBlock);
        case cudaDevAttrMemoryPoolsSupported: return p.memoryPoolsSupported;
        case cudaDevAttrMemoryPoolSupportedHandleTypes:
            return static_cast<int>(p.memoryPoolSupportedHandleTypes);
        case cudaDevAttrIpcEventSupport: return p.ipcEventSupported;
        case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: return 1;
        case cudaDevAttrMemSyncDomainCount: return 1;
        case cudaDevAttrNumaId:
        case cudaDevAttrHostNumaId: return -1;
    }
    // The rest is about what lockstep does not have.
    if (attribute > 0 && attribute < cudaDevAttrMax) return 0;
    return std::nullopt;
}

}  // namespace lockstep::runtime
