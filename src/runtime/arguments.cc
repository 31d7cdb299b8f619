#include "runtime/arguments.h"

#include <fmt/format.h>

#include <cstring>

#include "runtime/driver.h"

namespace lockstep::runtime {

session::Outcome arguments_of(const session::Function& function, void** extra,
                              std::vector<void*>& arguments) {
    char* buffer = nullptr;
    std::size_t size = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = static_cast<char*>(extra[1]);
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            std::memcpy(&size, extra[1], sizeof size);
        else
            return Outcome(Status::invalid_value, "unknown extra launch parameter");
    }
    for (const auto& param : function.info().params) {
        if (!buffer || param.offset + param.size > size)
            return Outcome(Status::invalid_value,
                           fmt::format("a buffer of {} bytes is too small for the arguments of '{}'", size,
                                       function.name));
        arguments.push_back(buffer + param.offset);
    }
    return {};
}

}  // namespace lockstep::runtime
