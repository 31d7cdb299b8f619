// Puts straight code into the order in which ptxas would: what others wait for longest goes first, so that
// loads are issued early and together.
#pragma once
#include <cstdint>
#include <vector>

#include "timing/code.h"
#include "timing/register-pressure.h"

namespace lockstep::timing {

// What an operation does to memory, as far as order matters.
enum class MemoryOrder : std::uint8_t {
    none,
    free_load,  // of memory that nobody writes
    load,
    store,    // or an atomic: nothing that touches the same memory passes it
    barrier,  // only loads of memory that nobody writes pass it
    wall,     // nothing that touches any memory passes it
};

// Of wmma: loads of fragments, and products of them.
enum class MatrixOrder : std::uint8_t { none, load, product };

struct Item {
    Op op;
    MatrixOrder matrix = MatrixOrder::none;
    MemoryOrder order = MemoryOrder::none;
    std::uint8_t memory = 0;  // which memory; different ones do not overlap
    // Accesses of one base register whose bytes do not overlap may pass each other.
    std::int64_t base = -1;
    std::int64_t first = 0, last = 0;  // bytes from the base
    bool ends_block = false;           // a branch, or what has one of its own: nothing passes it
};

std::vector<Op> schedule(const std::vector<Item>& items, const Registers& registers);

}  // namespace lockstep::timing
