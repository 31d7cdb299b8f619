// Barriers that are objects in shared memory (mbarrier). PTX leaves open what is in their 64 bits; here, from
// the lowest: 20 bits for the arrivals that each phase expects, 20 for those that the current one still waits
// for, 21 for the bytes that it waits for, two unused, and the phase's parity.
#pragma once
#include <cstdint>

namespace lockstep::exec {

constexpr int memory_barrier_pending = 20, memory_barrier_bytes = 40;  // their first bits
constexpr int memory_barrier_phase = 63;
constexpr std::uint64_t memory_barrier_counts = 0xfffff;  // the largest

// What observers are told of: a barrier is made, somebody has arrived there, somebody's wait is over.
enum class MemoryBarrierEvent : std::uint32_t { init, arrival, wait };

// What they give is the object as it was: a phase's state, which those that wait ask with.
std::uint64_t memory_barrier_init(std::uint64_t* object, std::uint64_t expected, std::uint64_t);
std::uint64_t memory_barrier_inval(std::uint64_t* object, std::uint64_t, std::uint64_t);
// `count` arrive after `bytes` more are expected.
std::uint64_t memory_barrier_arrive(std::uint64_t* object, std::uint64_t count, std::uint64_t bytes);
// … and are no more expected in later phases.
std::uint64_t memory_barrier_drop(std::uint64_t* object, std::uint64_t count, std::uint64_t bytes);
std::uint64_t memory_barrier_expect(std::uint64_t* object, std::uint64_t bytes, std::uint64_t);
std::uint64_t memory_barrier_complete(std::uint64_t* object, std::uint64_t bytes, std::uint64_t);
std::uint64_t memory_barrier_look(std::uint64_t* object, std::uint64_t, std::uint64_t);

}  // namespace lockstep::exec
