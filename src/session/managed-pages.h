// Where a GPU would have the pages of managed memory, for the simulated clock: one memory serves host and
// devices here, so that nothing moves. The page table tells what has been touched since the last look
// (exec/memory.h), and who had his turn is who has touched it: the host between a wait and the next command,
// a kernel while it runs.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "exec/address-map.h"
#include "session/managed-advice.h"

namespace lockstep::session {

class Device;
class Process;

// Bytes that have moved.
struct PageMoves {
    std::uint64_t to_host = 0, to_device = 0;
};

// Thread-safe. Between before() and after() runs one command.
class ManagedPages {
  public:
    ManagedPages(Process& process, const ManagedAdvice& advice) : process_(process), advice_(advice) {}

    // The host has waited for a device: from now on it may touch what kernels had.
    void host_goes_on();
    // A command begins, or the program ends: what the host has fetched since.
    PageMoves before();
    // A kernel of this device, or a copy, has ended: what it has fetched.
    PageMoves after(Device& device);
    // `device`: -1 is the host.
    PageMoves prefetch(std::uint64_t address, std::uint64_t size, int device);
    // Blocks that lie in it as a whole are nobody's again: who touches them next fetches nothing.
    void discard(std::uint64_t address, std::uint64_t size);
    // It was touched by neither.
    void ignore(std::uint64_t address);
    void forget(const exec::Allocation& allocation);

  private:
    // Who has a block: a bit for the host, and one for each device. Nobody: it was never touched.
    using Places = std::uint32_t;
    static constexpr Places host = 1;
    static Places of_device(int number) { return Places{2} << number; }

    struct Memory {
        exec::Allocation allocation;
        std::vector<Places> blocks;
        bool reached = false;  // by kernels, since the host went on
    };
    Memory& known(const exec::Allocation& allocation);
    std::uint64_t touch(Memory& memory, const std::vector<bool>& touched, Places who, int device);

    Process& process_;
    const ManagedAdvice& advice_;
    std::mutex mutex_;
    std::map<std::uint64_t, Memory> memory_;  // by address
    bool host_had_turn_ = true;
};

}  // namespace lockstep::session
