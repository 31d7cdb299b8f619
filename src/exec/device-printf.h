// printf as kernels call it: a format and a buffer of arguments that the compiler laid out.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace lockstep::exec {

// Each argument takes its promoted size (4 or 8 bytes), aligned to it. `read_string` fetches a %s argument.
std::string format_device_printf(const std::string& format, std::span<const std::byte> arguments,
                                 const std::function<std::string(std::uint64_t)>& read_string,
                                 std::uint32_t& argument_count);

}  // namespace lockstep::exec
