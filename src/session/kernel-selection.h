// Which kernels the user means: those whose name has a match of LOCKSTEP_KERNELS.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/demangle.h"
#include "base/pattern.h"

namespace lockstep::session {

using base::KernelNames;

class KernelSelection {
  public:
    // Empty: all kernels. The text must be a regular expression.
    explicit KernelSelection(const std::string& expression, KernelNames names = KernelNames::demangled);

    // By the kernel's mangled name.
    bool matches(const std::string& kernel);

  private:
    std::optional<base::Pattern> expression_;
    KernelNames names_;
    std::mutex mutex_;
    std::map<std::string, bool> known_;  // demangling and matching once is enough
};

}  // namespace lockstep::session
