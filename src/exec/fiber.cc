#include "exec/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace lockstep::exec {

namespace context = boost::context::detail;

namespace {

// What travels with a switch: where the context that is left is to be remembered, and, on the first entry,
// the fiber.
struct Message {
    context::fcontext_t* left;
    Fiber* fiber;
};

void remember(context::transfer_t transfer) { *static_cast<Message*>(transfer.data)->left = transfer.fctx; }

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

Fiber::~Fiber() { munmap(memory_, bytes_); }

void Fiber::reset() {
    context_ = context::make_fcontext(memory_ + bytes_, bytes_ - static_cast<std::size_t>(usable_ - memory_),
                                      &Fiber::enter);
}

void Fiber::enter(context::transfer_t transfer) {
    Fiber* self = static_cast<Message*>(transfer.data)->fiber;
    remember(transfer);
    self->body_(self->argument_);
}

void Fiber::resume(Context& from) {
    Message message{&from, this};
    remember(context::jump_fcontext(context_, &message));
}

void Fiber::suspend(Context& to) {
    Message message{&context_, nullptr};
    remember(context::jump_fcontext(to, &message));
}

void Fiber::switch_to(Fiber& other) {
    Message message{&context_, &other};
    remember(context::jump_fcontext(other.context_, &message));
}

void Fiber::leave(Context& abandoned, Context& to) {
    Message message{&abandoned, nullptr};
    context::jump_fcontext(to, &message);
}

}  // namespace lockstep::exec
