// Machine instructions: what the one table of them (opcodes.def) says of each.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep::machine {

enum class Pipe : std::uint8_t {
    alu,   // integer, logic, comparisons
    fma,   // float and integer multiply-add
    half,  // packed 16-bit arithmetic
    fp64,
    xu,   // reciprocals, square roots, sines, conversions
    lsu,  // loads, stores, atomics, shuffles
    texture,
    uniform,   // the scalar datapath
    branch,    // branches, exits, reconvergence, barriers
    constant,  // loads from the constant bank, special registers
    tensor,    // matrix products of floats
    tensor_integer,
    tensor_fp64,
    tensor_group,  // of a warpgroup
    tensor_group_integer,
};
constexpr std::size_t pipes = 15;

constexpr bool is_tensor(Pipe pipe) { return pipe >= Pipe::tensor && pipe <= Pipe::tensor_group_integer; }

// Where the timing model executes an instruction.
enum class Unit : std::uint8_t {
#define LOCKSTEP_UNIT(name, latency_class, latency, interval) name,
#include "machine/units.def"
#undef LOCKSTEP_UNIT
};

// How a warp waits for a result.
enum class LatencyClass : std::uint8_t {
    fixed,     // for a number of cycles that the compiler knows too
    variable,  // at a scoreboard, for a unit that is not the scheduler's own
    event,     // for what the access, the barrier or the fence has to wait for itself
};

// What an instruction does to memory that each lane has an address for. Global stands for local and generic
// addresses too.
enum class Access : std::uint8_t { none, load, store, atomic, shared_load, shared_store, shared_atomic };

constexpr bool is_global(Access access) {
    return access == Access::load || access == Access::store || access == Access::atomic;
}

enum class Opcode : std::uint8_t {
#define LOCKSTEP_MACHINE_OPCODE(name, printed, pipe, unit, access, xu) name,
#include "machine/opcodes.def"
#undef LOCKSTEP_MACHINE_OPCODE
};

// Of a function of the device library, inlined.
constexpr bool is_library_call(Opcode opcode) {
    return opcode == Opcode::call_f32 || opcode == Opcode::call_f64;
}

struct OpcodeRow {
    std::string_view name;      // of the enumerator
    std::string_view mnemonic;  // "IMAD.WIDE", for people
    Pipe pipe{};
    Unit unit{};
    Access access{};
    std::uint8_t xu = 0;  // where it stands for several instructions: so many of the first are the XU's
};

inline constexpr auto opcode_table = std::to_array<OpcodeRow>({
#define LOCKSTEP_MACHINE_OPCODE(name, printed, pipe, unit, access, xu) \
    {#name, printed, Pipe::pipe, Unit::unit, Access::access, xu},
#include "machine/opcodes.def"
#undef LOCKSTEP_MACHINE_OPCODE
});

struct UnitRow {
    std::string_view name;
    LatencyClass latency_class{};
};

inline constexpr auto unit_table = std::to_array<UnitRow>({
#define LOCKSTEP_UNIT(name, latency_class, latency, interval) {#name, LatencyClass::latency_class},
#include "machine/units.def"
#undef LOCKSTEP_UNIT
});
constexpr std::size_t units = unit_table.size();

constexpr const OpcodeRow& row_of(Opcode opcode) { return opcode_table[static_cast<std::size_t>(opcode)]; }
constexpr LatencyClass latency_class_of(Unit unit) {
    return unit_table[static_cast<std::size_t>(unit)].latency_class;
}

}  // namespace lockstep::machine
