// Memory that the program's own code must not touch just now: its pages are closed while that code runs, and
// an access to them is told and let pass. Commands are done in the call that submits them, so that whatever
// the host touches between two calls it touches too early, where it has not waited.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep::session {

// The caller sees to it that one thread calls at a time.
class HostAccess {
  public:
    struct Access {
        std::uint64_t address = 0;
        bool writes = false;
        std::vector<std::uintptr_t> stack;  // the instruction itself, then return addresses
    };
    // Is told of an access that the system refused, in the thread that made it. True: those pages were
    // closed, and are open now, or another thread has opened them meanwhile.
    using Told = std::function<bool(const Access&)>;

    explicit HostAccess(Told told);

    struct Pages {
        std::uint64_t begin = 0, end = 0;
        bool readable = false;
    };
    void close(std::vector<Pages> pages);
    void open();
    bool is_closed(std::uint64_t address) const;

    static std::uint64_t page_bytes();

  private:
    static void on_fault(int signal, void* info, void* context);
    void heed_faults();

    const Told told_;
    std::vector<Pages> closed_;
};

}  // namespace lockstep::session
