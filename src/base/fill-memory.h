// Memory filled with a value again and again.
#pragma once
#include <cstddef>
#include <cstdint>

namespace lockstep::base {

// `value_bytes` is 1, 2 or 4: so many of the value's low bytes. `to` and `bytes` are multiples of it.
void fill_memory(void* to, std::size_t bytes, std::uint32_t value, int value_bytes);

}  // namespace lockstep::base
