// The processes that share a sweep, as MPI starts them: what lockstep needs of MPI. The implementation is a
// library of its own (src/mpi), loaded only under mpirun, so that the command needs no MPI.
#pragma once
#include <optional>
#include <string>

namespace lockstep::sweep {

struct Message {
    int from = 0;
    std::string text;
};

class Ranks {
  public:
    virtual ~Ranks() = default;
    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string machine() const = 0;  // its name
    // Does not wait; what is sent to a rank that is gone is lost.
    virtual void send(int to, const std::string& text) = 0;
    virtual Message receive() = 0;
    // Without waiting.
    virtual std::optional<Message> poll() = 0;
    // Some rank is gone: the end does not wait for all others, as it otherwise does.
    virtual void abandon() = 0;
};

// What the library exports under the name `lockstep_join_ranks`. To be called once, and from one thread. The
// caller deletes the result when it needs nobody any more.
using JoinRanks = Ranks* (*)();

}  // namespace lockstep::sweep
