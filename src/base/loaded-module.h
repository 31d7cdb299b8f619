// The program or library that an address of the process belongs to, as it was loaded: not the file of that
// name, which an update may have replaced since.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::base {

struct LoadedModule {
    std::uintptr_t base = 0, end = 0;  // where it lies
    std::string build_id;              // the linker's hash of its content

    bool contains(const void* address) const {
        const auto a = reinterpret_cast<std::uintptr_t>(address);
        return a >= base && a < end;
    }
};

// Nothing where the address belongs to none, or the linker left no build id.
std::optional<LoadedModule> loaded_module(const void* address);

}  // namespace lockstep::base
