// Functions of the C library that the runtime library answers in its place: they stand before the C library's
// in every program that is linked to this library, and may hand on to it.
#pragma once
#include <dlfcn.h>

#include <atomic>

// The name without a version of its own stands for every version that the C library has had. (The version
// scripts make all others local.)
#define LOCKSTEP_ANSWERS(name) __asm__(".symver lockstep_" #name "," #name "@@")

namespace lockstep::runtime {

// A function of the library that comes next, found when it is first called; before the program begins, but
// for those that few programs use. Where it has had several versions, the one to take is named: the oldest
// would be found.
template <class Signature>
class Real {
  public:
    constexpr explicit Real(const char* name, const char* version = nullptr)
        : name_(name), version_(version) {}
    template <class... Arguments>
    auto operator()(Arguments... arguments) {
        return find()(arguments...);
    }
    Signature* find() {
        Signature* function = found_.load(std::memory_order_relaxed);
        if (function) return function;
        void* at = version_ ? dlvsym(RTLD_NEXT, name_, version_) : nullptr;
        if (!at) at = dlsym(RTLD_NEXT, name_);
        function = reinterpret_cast<Signature*>(at);
        found_.store(function, std::memory_order_relaxed);
        return function;
    }

  private:
    const char* name_;
    const char* version_;
    std::atomic<Signature*> found_{nullptr};
};

}  // namespace lockstep::runtime
