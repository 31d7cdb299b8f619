// Which launches are profiled: by the kernel's name, its stream and invocation, and their numbers.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/pattern.h"
#include "session/kernel-selection.h"
#include "session/options.h"
#include "session/stream-order.h"

namespace lockstep::session {

class LaunchSelection {
  public:
    explicit LaunchSelection(const ProfileOptions& options);

    // Whether the next launch, of this kernel (by its mangled name), is one of them. Ask once a launch.
    bool wants(const std::string& kernel, StreamId stream);

    bool names(const std::string& kernel) { return kernels_.matches(kernel); }

  private:
    const ProfileOptions options_;
    KernelSelection kernels_;
    std::optional<base::Pattern> streams_, invocations_;
    std::map<std::string, std::uint64_t> invoked_;  // launches so far, by kernel
    std::uint64_t launches_ = 0, matching_ = 0;     // so far
};

}  // namespace lockstep::session
