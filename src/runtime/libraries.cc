// Libraries of both APIs: device code that a program loads once for all devices.
#include "runtime/libraries.h"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser.h"
#include "runtime/driver.h"
#include "runtime/jit.h"

using lockstep::session::Function;

namespace lockstep::runtime {
namespace {

std::vector<std::string> kernels_of(const std::string& text) {
    std::vector<std::string> names;
    if (const auto parsed = lockstep::ptx::parse(text, "library"))
        for (const auto& function : parsed->functions)
            if (function.entry && !function.declaration) names.push_back(function.name);
    return names;
}

// The device's module of a library, made when it is first needed there.
Found<exec::Module*> module_in(Device& device, CUlib_st& library) {
    exec::Module*& module = library.modules[device.number()];
    if (module) return module;
    const auto loaded = device.modules().load(library.text.c_str());
    if (!loaded) return loaded.outcome;
    return module = *loaded;
}

Found<std::shared_ptr<CUlib_st>> library_of(const void* handle) {
    const auto library = state().libraries.find(handle);
    if (!library) return Outcome(Status::invalid_handle, "no such library, or it was unloaded");
    return library;
}

Outcome load(Device& current, CUlibrary* out, const void* code, const JitOptions& options) {
    if (!out) return null_pointer("library");
    auto text = text_of(current, code);
    if (!text) return text.outcome;
    const auto module = load_text(current, *text, options);
    if (!module) return module.outcome;
    CUlib_st library{std::move(text.value), {}};
    library.modules[current.number()] = *module;
    *out = state().libraries.create(std::move(library));
    return {};
}

Outcome load_file(Device& current, CUlibrary* out, const char* file, const JitOptions& options) {
    if (!file) return null_pointer("file");
    const auto image = read_file(file);
    if (!image)
        return Outcome(static_cast<Status>(CUDA_ERROR_FILE_NOT_FOUND),
                       fmt::format("there is no file {}", file));
    return load(current, out, image->c_str(), options);
}

Outcome unload(Device& current, const void* handle) {
    const auto library = library_of(handle);
    if (!library) return library.outcome;
    for (const auto& [number, module] : (*library)->modules) {
        Device& device = current.process().device(static_cast<std::size_t>(number));
        if (Outcome waited = device.synchronize(); !waited) return waited;
        device.modules().unload(module);
        forget_references(device, module);
    }
    state().libraries.destroy(handle);
    return {};
}

// A kernel's handle is its function on the device on which it was asked for.
Found<Function*> kernel_in(Device& device, CUlib_st& library, const std::string& name) {
    const auto module = module_in(device, library);
    if (!module) return module.outcome;
    return device.modules().function(*module, name);
}

Outcome get_kernel(Device& current, CUkernel* kernel, const void* handle, const char* name) {
    const auto library = library_of(handle);
    if (!library) return library.outcome;
    if (!kernel || !name) return null_pointer("kernel or name");
    const auto found = kernel_in(current, **library, name);
    if (!found) return found.outcome;
    *kernel = reinterpret_cast<CUkernel>(*found);
    return {};
}

Outcome count_kernels(unsigned* count, const void* handle) {
    const auto library = library_of(handle);
    if (!library) return library.outcome;
    if (!count) return null_pointer("count");
    *count = static_cast<unsigned>(kernels_of((*library)->text).size());
    return {};
}

Outcome enumerate(Device& current, CUkernel* kernels, unsigned count, const void* handle) {
    const auto library = library_of(handle);
    if (!library) return library.outcome;
    if (count && !kernels) return null_pointer("kernels");
    const auto names = kernels_of((*library)->text);
    for (unsigned i = 0; i < std::min<std::size_t>(count, names.size()); ++i) {
        const auto found = kernel_in(current, **library, names[i]);
        if (!found) return found.outcome;
        kernels[i] = reinterpret_cast<CUkernel>(*found);
    }
    return {};
}

Found<exec::VariableInfo> variable_in(Device& current, const void* handle, const char* name) {
    const auto library = library_of(handle);
    if (!library) return library.outcome;
    if (!name) return null_pointer("name");
    const auto module = module_in(current, **library);
    if (!module) return module.outcome;
    return current.modules().variable(*module, name);
}

template <class Pointer>
Outcome give_variable(const Found<exec::VariableInfo>& found, Pointer* pointer, size_t* bytes, bool managed) {
    if (!found) return found.outcome;
    if (managed && !found->managed)
        return Outcome(Status::symbol_not_found, fmt::format("'{}' is no managed variable", found->name));
    if (pointer) *pointer = (Pointer)found->address;
    if (bytes) *bytes = found->size;
    return {};
}

}  // namespace

Found<Function*> handle_on(Device& device, const void* handle) {
    if (Function* const own = device.modules().as_function(handle)) return own;
    session::Process& process = device.process();
    for (std::size_t number = 0; number < process.device_count(); ++number) {
        Device& other = process.device(number);
        Function* const function = &other == &device ? nullptr : other.modules().as_function(handle);
        if (!function) continue;
        const exec::Module* const module = other.modules().module_of(*function);
        const auto library = state().libraries.find_if([&](const CUlib_st& one) {
            const auto loaded = one.modules.find(other.number());
            return module && loaded != one.modules.end() && loaded->second == module;
        });
        if (library) return kernel_in(device, *library, function->name);
        return Outcome(Status::invalid_handle, fmt::format("the function is of device {}, not of {}",
                                                           other.number(), device.number()));
    }
    return Outcome(Status::invalid_handle, "no such function, or its module was unloaded");
}

Found<Function*> function_on(Device& device, const void* function) {
    auto found = device.modules().function(function);
    if (found || found.outcome.status != Status::invalid_device_function) return found;
    if (auto kernel = handle_on(device, function)) return kernel;
    // As recorded of CUDA 13.0: what is no kernel may be a handle.
    if (function && runtime_version() >= 13000) found.outcome.status = Status::invalid_handle;
    return found;
}

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

extern "C" {

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption*, void**, unsigned) {
    return driver_call("cuLibraryLoadData", Waits::no, [&](Device& current) {
        return load(current, library, code, {count, options, values});
    });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
    return driver_call("cuLibraryLoadFromFile", Waits::no, [&](Device& current) {
        return load_file(current, library, file, {count, options, values});
    });
}

CUresult cuLibraryUnload(CUlibrary library) {
    return driver_call("cuLibraryUnload", Waits::no,
                       [&](Device& current) { return unload(current, library); });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetKernel", Waits::no,
                       [&](Device& current) { return get_kernel(current, kernel, library, name); });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
    return driver_call("cuLibraryGetKernelCount", Waits::no,
                       [&](Device&) { return count_kernels(count, library); });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
    return driver_call("cuLibraryEnumerateKernels", Waits::no,
                       [&](Device& current) { return enumerate(current, kernels, count, library); });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary handle) {
    return driver_call("cuLibraryGetModule", Waits::no, [&](Device& current) -> Outcome {
        const auto library = library_of(handle);
        if (!library) return library.outcome;
        if (!module) return null_pointer("module");
        const auto found = module_in(current, **library);
        if (!found) return found.outcome;
        *module = reinterpret_cast<CUmodule>(*found);
        return {};
    });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetGlobal", Waits::no, [&](Device& current) {
        return give_variable(variable_in(current, library, name), pointer, bytes, false);
    });
}

CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetManaged", Waits::no, [&](Device& current) {
        return give_variable(variable_in(current, library, name), pointer, bytes, true);
    });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
    return driver_call("cuKernelGetLibrary", Waits::no, [&](Device& current) -> Outcome {
        if (!library) return null_pointer("library");
        const auto function = handle_on(current, kernel);
        if (!function) return function.outcome;
        const lockstep::exec::Module* const module = current.modules().module_of(**function);
        const auto found = state().libraries.find_if([&](const CUlib_st& one) {
            const auto loaded = one.modules.find(current.number());
            return module && loaded != one.modules.end() && loaded->second == module;
        });
        if (!found) return Outcome(Status::invalid_handle, "the kernel is of no library");
        *library = found.get();
        return {};
    });
}

// The runtime's options have the driver's numbers.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption* options,
                                void** values, unsigned count, enum cudaLibraryOption*, void**, unsigned) {
    return call("cudaLibraryLoadData", Waits::no, [&](Device& current) {
        return load(current, library, code, {count, reinterpret_cast<CUjit_option*>(options), values});
    });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, enum cudaJitOption* options,
                                    void** values, unsigned count, enum cudaLibraryOption*, void**,
                                    unsigned) {
    return call("cudaLibraryLoadFromFile", Waits::no, [&](Device& current) {
        return load_file(current, library, file, {count, reinterpret_cast<CUjit_option*>(options), values});
    });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return call("cudaLibraryUnload", Waits::no, [&](Device& current) { return unload(current, library); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetKernel", Waits::no,
                [&](Device& current) { return get_kernel(current, kernel, library, name); });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
    return call("cudaLibraryGetKernelCount", Waits::no,
                [&](Device&) { return count_kernels(count, library); });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t library) {
    return call("cudaLibraryEnumerateKernels", Waits::no,
                [&](Device& current) { return enumerate(current, kernels, count, library); });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetGlobal", Waits::no, [&](Device& current) {
        return give_variable(variable_in(current, library, name), pointer, bytes, false);
    });
}

cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetManaged", Waits::no, [&](Device& current) {
        return give_variable(variable_in(current, library, name), pointer, bytes, true);
    });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                            int number) {
    return call("cudaKernelSetAttributeForDevice", Waits::no, [&](Device& current) -> Outcome {
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        const auto function = function_on(**device, kernel);
        if (!function) return function.outcome;
        const DeviceScope scope(number);
        // It has told what is wrong.
        return static_cast<Status>(cudaFuncSetAttribute(*function, attribute, value));
    });
}
}
