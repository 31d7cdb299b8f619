#include "session/kernel-selection.h"

namespace lockstep::session {
KernelSelection::KernelSelection(const std::string& expression, KernelNames names) : names_(names) {
    if (!expression.empty()) expression_ = *base::Pattern::create(expression);
}

bool KernelSelection::matches(const std::string& kernel) {
    if (!expression_) return true;
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = known_.try_emplace(kernel, true);
    if (is_new)
        known->second = expression_->found_in(
            names_ == KernelNames::mangled ? kernel : base::chosen_name(base::kernel_name(kernel), names_));
    return known->second;
}

}  // namespace lockstep::session
