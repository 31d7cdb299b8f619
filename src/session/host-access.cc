#include "session/host-access.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace lockstep::session {
namespace {

// A signal's handler has no argument of its own.
std::atomic<HostAccess*> watching{nullptr};
struct sigaction handler_before;

std::uintptr_t instruction_of(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#else
    return static_cast<std::uintptr_t>(context.uc_mcontext.pc);
#endif
}

// As the processor tells it.
bool is_write(const ucontext_t& context) {
#if defined(__x86_64__)
    return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    // A list of records, of which one is the exception's syndrome.
    constexpr std::uint32_t syndrome = 0x45535201;
    const unsigned char* at = context.uc_mcontext.__reserved;
    for (const unsigned char* end = at + sizeof context.uc_mcontext.__reserved; at + 16 <= end;) {
        std::array<std::uint32_t, 2> head{};
        std::memcpy(head.data(), at, sizeof head);
        if (head[0] == 0 || head[1] < 8) return false;
        if (head[0] == syndrome) {
            std::uint64_t value = 0;
            std::memcpy(&value, at + 8, sizeof value);
            return ((value >> 6) & 1) != 0;
        }
        at += head[1];
    }
    return false;
#endif
}

}  // namespace

HostAccess::HostAccess(Told told) : told_(std::move(told)) { watching = this; }

std::uint64_t HostAccess::page_bytes() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

void HostAccess::on_fault(int signal, void* info_of, void* context_of) {
    auto* const info = static_cast<siginfo_t*>(info_of);
    const auto& context = *static_cast<ucontext_t*>(context_of);
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    HostAccess* const self = watching;
    if (self && info->si_code == SEGV_ACCERR) {
        Access access{address, is_write(context), {instruction_of(context)}};
        std::array<void*, 64> frames;
        const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
        const auto end = frames.begin() + count;
        const auto at = std::find(frames.begin(), end, reinterpret_cast<void*>(access.stack.front()));
        for (auto it = at == end ? end : at + 1; it != end; ++it)
            access.stack.push_back(reinterpret_cast<std::uintptr_t>(*it));
        const int error = errno;
        const bool known = self->told_(access);
        errno = error;
        if (known) return;
    }
    if (handler_before.sa_flags & SA_SIGINFO) return handler_before.sa_sigaction(signal, info, context_of);
    if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN)
        return handler_before.sa_handler(signal);
    // The access comes again, and ends the program as it would have.
    ::signal(SIGSEGV, SIG_DFL);
}

// A program may have set a handler of its own since.
void HostAccess::heed_faults() {
    struct sigaction ours{};
    ours.sa_sigaction = [](int signal, siginfo_t* info, void* context) { on_fault(signal, info, context); };
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    struct sigaction now{};
    sigaction(SIGSEGV, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == ours.sa_sigaction) return;
    handler_before = now;
    sigaction(SIGSEGV, &ours, nullptr);
}

void HostAccess::close(std::vector<Pages> pages) {
    open();
    if (pages.empty()) return;
    heed_faults();
    // What is not even readable comes last: the later call counts.
    std::stable_sort(pages.begin(), pages.end(),
                     [](const Pages& a, const Pages& b) { return a.readable > b.readable; });
    for (const Pages& one : pages)
        mprotect(reinterpret_cast<void*>(one.begin), one.end - one.begin,
                 one.readable ? PROT_READ : PROT_NONE);
    closed_ = std::move(pages);
}

void HostAccess::open() {
    for (const Pages& one : closed_)
        mprotect(reinterpret_cast<void*>(one.begin), one.end - one.begin, PROT_READ | PROT_WRITE);
    closed_.clear();
}

bool HostAccess::is_closed(std::uint64_t address) const {
    return std::any_of(closed_.begin(), closed_.end(),
                       [&](const Pages& one) { return one.begin <= address && address < one.end; });
}

}  // namespace lockstep::session
