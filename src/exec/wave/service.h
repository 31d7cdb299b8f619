// What a kernel asks of the host: the instruction s_trap with one of these numbers, which include/hip emits.
// The arguments lie in vector registers, the result too.
#pragma once
#include <cstdint>

namespace lockstep::exec::wave {

enum Service : std::uint32_t {
    service_print = 64,   // v[2:3] format, v[4:5] arguments; v0 how many there were
    service_assert = 65,  // v[2:3] expression, v[4:5] file, v6 line, v[7:8] function
    service_malloc = 66,  // v[2:3] bytes; v[0:1] address
    service_free = 67,    // v[2:3] address
    // v[2:3] texture or surface object, v[4:5] a TextureForm, from v6 on its numbers, from v12 on what is
    // stored; from v0 on the four channels
    service_texture = 68,
    service_workspace = 69,  // v[0:1] Grid::workspace, 0 where the launch is not cooperative
};
constexpr int service_registers = 16;  // v0 to v15

}  // namespace lockstep::exec::wave
