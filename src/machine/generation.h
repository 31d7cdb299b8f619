// What the machine code of one GPU generation needs that others do not.
#pragma once
#include "gpu/model.h"

namespace lockstep::machine {

struct Generation {
    bool constant_loads = false;  // 9.0 on: parameters are loaded (LDC, ULDC) instead of being operands
    bool descriptor = false;      // 8.0 on: global accesses need a memory descriptor, loaded once a kernel
    bool shared_window =
        false;  // 9.0 on: addresses in shared memory are made from the block's place in a cluster
    bool three_input_add = false;       // 5.0 on: IADD3
    bool three_input_logic = false;     // 5.0 on: LOP3
    bool three_input_extremes = false;  // 9.0 on: VIADDMNMX, VIMNMX3
    bool wide_multiply_add = false;     // 7.0 on: IMAD.WIDE takes a 64-bit addend
    bool debug_jumps = false;  // 7.0 on: unoptimised code keeps every branch, even to what follows anyway
    bool yields = false;       // 7.0 on: lanes of a warp go different ways side by side
    bool groups_collectives = false;  // 9.0 on: a warp is asked once for several whether it is together
    bool integer_multiply = false;    // not on 5.x and 6.x, where XMAD does it in three steps
    bool small_integers = false;      // 7.5 to 8.9: matrix products of 4-bit integers
    bool small_floats = false;        // 8.9: matrix products of 8-bit floats by a warp
    int float_sums = 1;               // matrix products whose sums are f32 take so many times as long
};

inline Generation generation_of(const gpu::GpuModel& gpu) {
    const int cc = gpu.compute_capability();
    return {.constant_loads = cc >= 90,
            .descriptor = cc >= 80,
            .shared_window = cc >= 90,
            .three_input_add = cc >= 50,
            .three_input_logic = cc >= 50,
            .three_input_extremes = cc >= 90,
            .wide_multiply_add = cc >= 70,
            .debug_jumps = cc >= 70,
            .yields = cc >= 70,
            .groups_collectives = cc >= 90,
            .integer_multiply = cc >= 70 || cc < 50,
            .small_integers = cc >= 75 && cc < 90,
            .small_floats = cc == 89,
            .float_sums = gpu.timing.tensor_float_sums};
}

}  // namespace lockstep::machine
