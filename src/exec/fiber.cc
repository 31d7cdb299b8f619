#include "exec/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace lockstep::exec {

namespace context = boost::context::detail;

namespace {

// What travels with a switch: the context that is left and gets to know where (null: left for good), and, on
// the first entry, the fiber.
struct Message {
    Fiber::Context* left;
    Fiber* fiber;
};

// On the stack of `arrived`, after a switch to it.
void remember(Fiber::Context& arrived, context::transfer_t transfer) {
    Fiber::Context* left = static_cast<Message*>(transfer.data)->left;
    if (left) left->point = transfer.fctx;
    arrived.stack.arrive_from(left ? &left->stack : nullptr);
}

void go(Fiber::Context& from, Fiber::Context& to, Fiber* entered) {
    Message message{&from, entered};
    from.stack.leave_for(to.stack, false);
    remember(from, context::jump_fcontext(to.point, &message));
}

}  // namespace

Fiber::Fiber(std::size_t stack_bytes, void (*body)(void*), void* argument)
    : body_(body), argument_(argument) {
    auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = (stack_bytes + page - 1) / page * page + page;
    void* memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
    mprotect(memory_, page, PROT_NONE);  // a guard below the stack
    usable_ = memory_ + page;
    reset();
}

Fiber::~Fiber() {
    context_.stack.destroy();
    munmap(memory_, bytes_);
}

void Fiber::reset() {
    const std::size_t bytes = bytes_ - static_cast<std::size_t>(usable_ - memory_);
    context_.point = context::make_fcontext(memory_ + bytes_, bytes, &Fiber::enter);
    context_.stack.create(usable_, bytes);
}

void Fiber::enter(context::transfer_t transfer) {
    Fiber* self = static_cast<Message*>(transfer.data)->fiber;
    remember(self->context_, transfer);
    self->body_(self->argument_);
}

void Fiber::resume(Context& from) { go(from, context_, this); }

void Fiber::suspend(Context& to) { go(context_, to, nullptr); }

void Fiber::switch_to(Fiber& other) { go(context_, other.context_, &other); }

void Fiber::leave(Context& to) {
    Message message{nullptr, nullptr};
    KnownStack abandoned;
    abandoned.leave_for(to.stack, true);
    context::jump_fcontext(to.point, &message);
}

}  // namespace lockstep::exec
