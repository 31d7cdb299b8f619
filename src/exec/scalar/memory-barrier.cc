#include "exec/scalar/memory-barrier.h"

namespace lockstep::exec {
namespace {

constexpr int bytes_bit = memory_barrier_bytes;
constexpr std::uint64_t bytes_mask = 2 * memory_barrier_counts + 1;

struct State {
    std::uint64_t expected = 0, pending = 0, bytes = 0, phase = 0;

    explicit State(std::uint64_t object)
        : expected(object & memory_barrier_counts),
          pending(object >> memory_barrier_pending & memory_barrier_counts),
          bytes(object >> bytes_bit & bytes_mask),
          phase(object >> memory_barrier_phase) {}

    void complete() {
        if (pending != 0 || bytes != 0) return;
        phase ^= 1;
        pending = expected;
    }
    std::uint64_t object() const {
        return (expected & memory_barrier_counts) |
               (pending & memory_barrier_counts) << memory_barrier_pending |
               (bytes & bytes_mask) << bytes_bit | phase << memory_barrier_phase;
    }
};

// Warps of a block take turns on one thread: nobody else has the object.
template <class Change>
std::uint64_t changed(std::uint64_t* object, Change change) {
    const std::uint64_t old = *object;
    State state(old);
    change(state);
    *object = state.object();
    return old;
}

}  // namespace

std::uint64_t memory_barrier_init(std::uint64_t* object, std::uint64_t expected, std::uint64_t) {
    return changed(object, [&](State& state) {
        state = State(0);
        state.expected = state.pending = expected;
    });
}

std::uint64_t memory_barrier_inval(std::uint64_t* object, std::uint64_t, std::uint64_t) {
    return *object;  // as a GPU leaves it
}

std::uint64_t memory_barrier_arrive(std::uint64_t* object, std::uint64_t count, std::uint64_t bytes) {
    return changed(object, [&](State& state) {
        state.bytes = (state.bytes + bytes) & bytes_mask;
        state.pending = (state.pending - count) & memory_barrier_counts;
        state.complete();
    });
}

std::uint64_t memory_barrier_drop(std::uint64_t* object, std::uint64_t count, std::uint64_t bytes) {
    return changed(object, [&](State& state) {
        state.bytes = (state.bytes + bytes) & bytes_mask;
        state.expected = (state.expected - count) & memory_barrier_counts;
        state.pending = (state.pending - count) & memory_barrier_counts;
        state.complete();
    });
}

std::uint64_t memory_barrier_expect(std::uint64_t* object, std::uint64_t bytes, std::uint64_t) {
    return changed(object, [&](State& state) { state.bytes = (state.bytes + bytes) & bytes_mask; });
}

std::uint64_t memory_barrier_complete(std::uint64_t* object, std::uint64_t bytes, std::uint64_t) {
    return changed(object, [&](State& state) {
        state.bytes = (state.bytes - bytes) & bytes_mask;
        state.complete();
    });
}

std::uint64_t memory_barrier_look(std::uint64_t* object, std::uint64_t, std::uint64_t) { return *object; }

}  // namespace lockstep::exec
