// How code that is compiled for checks tells that a thread has done what C++ leaves undefined: by a guarded
// `pmevent.mask`, an instruction that does nothing on any GPU. Each has a mask of its own.
#pragma once
#include <cstdint>

namespace lockstep::ptx {

enum class CheckEvent : std::uint32_t {
    index = 0x4c51,     // beyond the array that is indexed
    overflow = 0x4c52,  // of a signed sum or product
};

}  // namespace lockstep::ptx
