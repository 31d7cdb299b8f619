// What became of the memory that a program asked for: where it was allocated, and where freed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "exec/address-map.h"
#include "session/call-site.h"

namespace lockstep::session {

struct AllocationRecord {
    exec::Allocation allocation;
    const char* function = "";  // that allocated it
    CallSite allocated;
    CallSite freed;         // where it is live: nothing
    bool by_reset = false;  // its device was reset, which frees everything
};

// Thread-safe.
class AllocationRecords {
  public:
    void allocated(const exec::Allocation& allocation, const char* function, CallSite site);
    void released(const exec::Allocation& allocation, CallSite site);
    // All that the device has given out goes.
    void reset(int device, const CallSite& site);
    // The program frees what went with the device's reset: it had not forgotten it.
    void freed_late(std::uint64_t address);

    // Those that hold the address, or end just there: a copy may begin behind the last byte.
    std::optional<AllocationRecord> live(std::uint64_t address) const;
    std::optional<AllocationRecord> freed(std::uint64_t address) const;
    // What the program never freed; what went with a device's reset is told as if it were still there.
    std::vector<AllocationRecord> never_freed() const;

  private:
    // Older ones are forgotten: their addresses may be another's long since.
    static constexpr std::size_t most_freed = 1 << 14;
    using Table = std::map<std::uint64_t, AllocationRecord>;  // by address
    static std::optional<AllocationRecord> holder(const Table& table, std::uint64_t address);
    void free(Table::iterator one, CallSite site, bool by_reset);

    mutable std::mutex mutex_;
    Table live_, freed_;
    std::vector<AllocationRecord> reset_;
    std::deque<std::uint64_t> freed_order_;
};

}  // namespace lockstep::session
