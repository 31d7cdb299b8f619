#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <mutex>
#include <string>

#include "runtime/call.h"
#include "runtime/properties.h"

using namespace lockstep::runtime;

namespace {

// Where the device is on a bus that there is not.
std::string pci_bus_id(int device) { return fmt::format("0000:{:02x}:00.0", device + 1); }

template <class T>
cudaError_t get(const char* name, T* out, T DeviceSettings::* member) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        if (!out) return null_pointer("out");
        DeviceSettings& settings = state_of(current).settings;
        const std::lock_guard lock(settings.mutex);
        *out = settings.*member;
        return {};
    });
}

template <class T>
cudaError_t set(const char* name, T value, T least, T most, T DeviceSettings::* member) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        if (value < least || value > most)
            return Outcome(Status::invalid_value,
                           fmt::format("there is no such setting as {}", static_cast<unsigned>(value)));
        DeviceSettings& settings = state_of(current).settings;
        const std::lock_guard lock(settings.mutex);
        settings.*member = value;
        return {};
    });
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return call("cudaGetDeviceCount", Waits::no, [&](Device& current) -> Outcome {
        if (!count) return null_pointer("count");
        *count = static_cast<int>(current.process().device_count());
        return {};
    });
}

// CUDA 12's name and layout; abi-13.cc has CUDA 13's.
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp* properties, int device) {
    return call("cudaGetDeviceProperties", Waits::no, [&](Device& current) -> Outcome {
        if (!properties) return null_pointer("properties");
        const auto asked = device_numbered(current.process(), device);
        if (!asked) return asked.outcome;
        *properties = properties_of(**asked);
        return {};
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
    return call("cudaDeviceGetAttribute", Waits::no, [&](Device& current) -> Outcome {
        if (!value) return null_pointer("value");
        const auto asked = device_numbered(current.process(), device);
        if (!asked) return asked.outcome;
        const auto found = attribute_of(properties_of(**asked), attribute);
        if (!found)
            return Outcome(Status::invalid_value,
                           fmt::format("no attribute {}", static_cast<int>(attribute)));
        *value = *found;
        return {};
    });
}

cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* properties) {
    return call("cudaChooseDevice", Waits::no, [&](Device&) -> Outcome {
        if (!device || !properties) return null_pointer("device or properties");
        *device = 0;
        return {};
    });
}

cudaError_t cudaSetDevice(int device) {
    return call("cudaSetDevice", Waits::no, [&](Device& current) -> Outcome {
        const auto asked = device_numbered(current.process(), device);
        if (asked) make_current(**asked);
        return asked.outcome;
    });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return call("cudaInitDevice", Waits::no,
                [&](Device& current) { return device_numbered(current.process(), device).outcome; });
}

cudaError_t cudaGetDevice(int* device) {
    return call("cudaGetDevice", Waits::no, [&](Device& current) -> Outcome {
        if (!device) return null_pointer("device");
        *device = current.number();
        return {};
    });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
    return call("cudaSetValidDevices", Waits::no, [&](Device& current) -> Outcome {
        if (count < 0 || (count > 0 && !devices))
            return Outcome(Status::invalid_value, fmt::format("no list of {} devices", count));
        for (int i = 0; i < count; ++i)
            if (const auto asked = device_numbered(current.process(), devices[i]); !asked)
                return Outcome(Status::invalid_value, asked.outcome.reason);
        return {};
    });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    if (std::popcount(flags & cudaDeviceScheduleMask) > 1)
        return finish("cudaSetDeviceFlags",
                      Outcome(Status::invalid_value, "a thread waits in one way (cudaDeviceSchedule…)"));
    return set("cudaSetDeviceFlags", flags, 0u, static_cast<unsigned>(cudaDeviceMask),
               &DeviceSettings::flags);
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return get("cudaGetDeviceFlags", flags, &DeviceSettings::flags);
}

cudaError_t cudaDeviceReset(void) {
    const NotedCall noted(process(), "cudaDeviceReset");
    Device* current = current_device();
    if (!current) return finish("cudaDeviceReset", Status::initialization_error);
    current->reset();
    reset_pools(*current);
    forget_references(*current, nullptr);
    clear_last_error();
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    return call("cudaDeviceSynchronize", Waits::yes, [](Device& current) { return current.synchronize(); });
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    return call("cudaDeviceSetLimit", Waits::no, [&](Device& current) -> Outcome {
        if (Outcome bad = check_capture(current, "changing a limit"); !bad) return bad;
        return current.limits().set(static_cast<lockstep::session::Limit>(limit), value);
    });
}

cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
    return call("cudaDeviceGetLimit", Waits::no, [&](Device& current) -> Outcome {
        if (!value) return null_pointer("value");
        const auto found = current.limits().get(static_cast<lockstep::session::Limit>(limit));
        if (!found) return found.outcome;
        *value = *found;
        return {};
    });
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
    return call("cudaDeviceGetCacheConfig", Waits::no, [&](Device& current) -> Outcome {
        if (!config) return null_pointer("config");
        *config = static_cast<cudaFuncCache>(current.cache_config.load());
        return {};
    });
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    return call("cudaDeviceSetCacheConfig", Waits::no, [&](Device& current) -> Outcome {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
            return Outcome(Status::invalid_value, "there is no such cache configuration");
        current.cache_config = static_cast<lockstep::session::CacheConfig>(config);
        return {};
    });
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
    return get("cudaDeviceGetSharedMemConfig", config, &DeviceSettings::banks);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    return set("cudaDeviceSetSharedMemConfig", config, cudaSharedMemBankSizeDefault,
               cudaSharedMemBankSizeEightByte, &DeviceSettings::banks);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
    return call("cudaDeviceGetByPCIBusId", Waits::no, [&](Device& current) -> Outcome {
        if (!device || !id) return null_pointer("device or id");
        unsigned domain, bus, slot, function;
        if (std::sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4 &&
            std::sscanf(id, "%x:%x.%x", &bus, &slot, &function) != 3 &&
            std::sscanf(id, "%x:%x", &bus, &slot) != 2)
            return Outcome(Status::invalid_value, fmt::format("'{}' is no address of the PCI bus", id));
        for (int number = 0; number < static_cast<int>(current.process().device_count()); ++number)
            if (pci_bus_id(number) == id) {
                *device = number;
                return {};
            }
        return Outcome(Status::invalid_device, "no device there");
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int size, int device) {
    return call("cudaDeviceGetPCIBusId", Waits::no, [&](Device& current) -> Outcome {
        if (const auto asked = device_numbered(current.process(), device); !asked) return asked.outcome;
        if (!id || size <= static_cast<int>(pci_bus_id(device).size()))
            return Outcome(Status::invalid_value, "there is no room for the id");
        std::snprintf(id, static_cast<size_t>(size), "%s", pci_bus_id(device).c_str());
        return {};
    });
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return call("cudaCtxResetPersistingL2Cache", Waits::no, [](Device&) { return Outcome(); });
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (!version) return finish("cudaDriverGetVersion", null_pointer("version"));
    *version = driver_version;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version) return finish("cudaRuntimeGetVersion", null_pointer("version"));
    *version = runtime_version();
    return cudaSuccess;
}

// The names of before CUDA 4.
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
}
