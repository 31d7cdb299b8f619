#include "session/kernel-selection.h"

#include "base/demangle.h"

namespace lockstep::session {

KernelSelection::KernelSelection(const std::string& expression) {
    if (!expression.empty()) expression_ = *base::Pattern::create(expression);
}

bool KernelSelection::matches(const std::string& kernel) {
    if (!expression_) return true;
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = known_.try_emplace(kernel, true);
    if (is_new) known->second = expression_->found_in(base::kernel_name(kernel));
    return known->second;
}

}  // namespace lockstep::session
