// How an instruction reads or writes memory, as a number that compiled code hands to the functions that do
// it.
#pragma once
#include <cstdint>

namespace lockstep::exec::wave {

enum class Space : std::uint32_t { global, flat, shared, scratch };

enum class AtomicOp : std::uint32_t {
    add,
    sub,
    smin,
    umin,
    smax,
    umax,
    bit_and,
    bit_or,
    bit_xor,
    inc,
    dec,
    swap,
    cmpswap,
    fadd,
    fmin,
    fmax,
    pk_add_f16,
    rsub,
};

struct MemoryForm {
    Space space = Space::global;
    std::uint32_t bytes = 4;  // that a lane accesses
    bool sign = false;        // narrow loads are extended by their sign
    bool high_half = false;   // d16_hi: what is loaded or stored is the register's upper half …
    bool keeps_half = false;  // … and a load leaves the other half
    AtomicOp atomic = AtomicOp::add;
    bool returns = false;  // the old value

    constexpr std::uint32_t number() const {
        return static_cast<std::uint32_t>(space) | bytes << 2 | std::uint32_t{sign} << 8 |
               std::uint32_t{high_half} << 9 | std::uint32_t{keeps_half} << 10 |
               std::uint32_t{returns} << 11 | static_cast<std::uint32_t>(atomic) << 12;
    }
    static constexpr MemoryForm of(std::uint32_t number) {
        MemoryForm form;
        form.space = static_cast<Space>(number & 3);
        form.bytes = number >> 2 & 63;
        form.sign = number >> 8 & 1, form.high_half = number >> 9 & 1, form.keeps_half = number >> 10 & 1;
        form.returns = number >> 11 & 1;
        form.atomic = static_cast<AtomicOp>(number >> 12);
        return form;
    }
};

}  // namespace lockstep::exec::wave
