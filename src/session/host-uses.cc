#include "session/host-uses.h"

#include <pthread.h>
#include <unwind.h>

#include <optional>

#include "base/loaded-module.h"

namespace lockstep::session {

void HostUses::add(HostUse use) {
    uses_.push_back(std::move(use));
    if (uses_.size() > most) uses_.pop_front();
}

template <class Wanted>
std::vector<HostUse> HostUses::take_if(const Clock& host, Wanted wanted) {
    std::vector<HostUse> taken;
    for (auto it = uses_.begin(); it != uses_.end();) {
        const bool done = it->stamp.is_before(host), told = !done && wanted(*it);
        if (told) taken.push_back(*it);
        it = done || told ? uses_.erase(it) : std::next(it);
    }
    return taken;
}

std::vector<HostUse> HostUses::take(const Clock& host, std::uint64_t begin, std::uint64_t end) {
    return take_if(host, [&](const HostUse& use) { return use.begin < end && begin < use.end; });
}

std::vector<HostUse> HostUses::take_left(const Clock& host, std::thread::id thread, std::uint64_t stack) {
    return take_if(host, [&](const HostUse& use) { return use.stack_of == thread && use.end <= stack; });
}

bool HostUses::any_on_stack(std::thread::id thread) const {
    for (const HostUse& use : uses_)
        if (use.stack_of == thread) return true;
    return false;
}

std::uint64_t end_of_callers_stack() {
    struct Search {
        std::optional<base::LoadedModule> own =
            base::loaded_module(reinterpret_cast<const void*>(&end_of_callers_stack));
        std::uint64_t end = 0;
    } search;
    _Unwind_Backtrace(
        [](_Unwind_Context* context, void* argument) {
            auto& looking = *static_cast<Search*>(argument);
            const auto at = reinterpret_cast<const void*>(_Unwind_GetIP(context));
            if (!looking.own || looking.own->contains(at)) return _URC_NO_REASON;
            looking.end = _Unwind_GetCFA(context);
            return _URC_END_OF_STACK;
        },
        &search);
    return search.end;
}

bool is_on_stack(std::uint64_t address) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    void* begin = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    return address - reinterpret_cast<std::uint64_t>(begin) < bytes;
}

}  // namespace lockstep::session
