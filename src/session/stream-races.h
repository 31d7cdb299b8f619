// Commands that touch the same bytes, one of them writing, with nothing that orders them: copies, fills and
// kernels of unordered streams. Found whatever order they were done in.
#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/byte-set.h"
#include "session/call-site.h"
#include "session/command-clocks.h"

namespace lockstep::session {

struct Touched {
    check::ByteSet read, written;
    check::ByteSet atomics;  // read and written so
    void add(const Touched& other) {
        read.add(other.read);
        written.add(other.written);
        atomics.add(other.atomics);
    }
    bool empty() const { return read.empty() && written.empty() && atomics.empty(); }
    bool writes(std::uint64_t address) const {
        return written.touches(address, address + 1) || atomics.touches(address, address + 1);
    }
    bool contains(const Touched& other) const {
        return read.contains(other.read) && written.contains(other.written) &&
               atomics.contains(other.atomics);
    }
    void remove(std::uint64_t begin, std::uint64_t end) {
        read.remove(begin, end);
        written.remove(begin, end);
        atomics.remove(begin, end);
    }
};

struct CommandRecord {
    Stamp stamp;
    CallSite site;
    std::string what;    // "kernel scale", "cudaMemcpyAsync"
    std::string kernel;  // demangled; empty: it is none
    Touched touched;
    bool tells_host = false;  // with accesses of its own that it is done, perhaps
};

// Two that may run at once, and the first bytes that both touch.
struct StreamRace {
    CommandRecord earlier, later;  // by submission
    check::ByteSet::Range bytes;
    bool earlier_writes = false, later_writes = false;
};

class StreamRaces {
  public:
    // One was done: those that it races with. `host`: what everything later is ordered behind anyway.
    std::vector<StreamRace> add(CommandRecord record, const Clock& host);
    // New memory: who touched what was there before has nothing to do with it.
    void forget(std::uint64_t begin, std::uint64_t end);
    // Those that are not done as far as the host knows, the last first.
    const std::list<CommandRecord>& unordered(const Clock& host);

  private:
    // More are kept only where a program neither waits nor repeats itself: then the oldest go.
    static constexpr std::size_t most = 1 << 12;
    std::list<CommandRecord> records_;  // the last first
};

// The same for the steps of one launch of a graph, which its edges order.
class GraphRaces {
  public:
    // The next step was done, behind those of these numbers (as session::GraphStep has them): those that it
    // races with.
    std::vector<StreamRace> add(CommandRecord record, const std::vector<std::uint32_t>& after);

  private:
    static constexpr std::size_t most = 1 << 12;  // of a loop that runs for long, the first turns will do
    struct Step {
        CommandRecord record;
        std::vector<bool> before;  // by number: it comes behind them
    };
    std::vector<Step> steps_;
};

}  // namespace lockstep::session
