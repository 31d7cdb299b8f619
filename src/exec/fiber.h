// A stack that can be left anywhere and gone on with later: one for each block, and one for each warp of
// kernels that wait inside calls. Boost.Context does the switch; this class adds the stack.
#pragma once
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "exec/stack-switch.h"

namespace lockstep::exec {

class Fiber {
  public:
    // Where a stack was left.
    struct Context {
        boost::context::detail::fcontext_t point = nullptr;
        [[no_unique_address]] KnownStack stack;
    };

    // `body` is entered on the first switch and must never return.
    Fiber(std::size_t stack_bytes, void (*body)(void*), void* argument);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    std::byte* stack_begin() const { return usable_; }
    // Forgets what the fiber was doing; the next switch enters `body` afresh.
    void reset();

    // Leaves the running context in `from` and goes on with this fiber.
    void resume(Context& from);
    // Leaves this fiber and goes on with `to`; it continues here when resumed.
    void suspend(Context& to);
    // Leaves this fiber and goes on with another one.
    void switch_to(Fiber& other);
    // Leaves whatever fiber runs for good, and goes on with `to`.
    static void leave(Context& to);

  private:
    static void enter(boost::context::detail::transfer_t transfer);

    Context context_;
    std::byte* memory_ = nullptr;
    std::byte* usable_ = nullptr;
    std::size_t bytes_ = 0;
    void (*body_)(void*) = nullptr;
    void* argument_ = nullptr;
};

}  // namespace lockstep::exec
