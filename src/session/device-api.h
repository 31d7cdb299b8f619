// Functions of the host's API that kernels may call, too: the session knows them by their shapes only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep::session {

struct Function;

// They answer with CUDA's error numbers.
struct DeviceApi {
    std::function<int(std::int32_t* value, int attribute, int device)> attribute;
    std::function<std::vector<std::byte>(Function* function)> function_attributes;
    std::function<int(std::int32_t* blocks, Function* function, int threads, std::uint64_t shared)>
        active_blocks;
    std::function<const char*(int)> error_name, error_string;
};

}  // namespace lockstep::session
