// Blocks of the C library's heap, where it can be seen how large they are: glibc keeps a block's size before
// it.
#pragma once
#include <cstdint>
#include <optional>

namespace lockstep::session {

// How many bytes the block that begins at this address has for its owner, if these are fewer than `needed`.
// Nothing: they are enough, or no block of the heap is known to begin there.
std::optional<std::uint64_t> smaller_heap_block(std::uint64_t address, std::uint64_t needed);

}  // namespace lockstep::session
