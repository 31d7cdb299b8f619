// What the memory that kernels reach holds at a time: to put it back, and to see what is otherwise later.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/byte-set.h"
#include "exec/address-map.h"

namespace lockstep::session {

class MemoryImage {
  public:
    explicit MemoryImage(const exec::AddressMap& map);

    // Memory that the host may touch too counts from now on only as far as kernels have written it: another
    // thread of the program may use the rest meanwhile.
    void limit_host_memory(const check::ByteSet& written);

    void put_back() const;
    // Bytes that are otherwise now, and what they were.
    check::ByteSet differences() const;
    void read(std::uint64_t address, void* to, std::size_t bytes) const;

    // Whether there are the same allocations now.
    bool has_same_allocations(const exec::AddressMap& map) const;

  private:
    static constexpr std::uint64_t chunk_bytes = 64 << 10;
    // An allocation, in chunks from its beginning; null: all zero, which takes no memory.
    struct Part {
        exec::Allocation of;
        std::vector<std::unique_ptr<std::byte[]>> chunks;
        check::ByteSet counts;  // of it
    };
    // Calls f(address, bytes that it had, length) for all that counts, in pieces.
    template <class F>
    void each_piece(F f) const;

    std::vector<Part> parts_;  // by address
};

}  // namespace lockstep::session
