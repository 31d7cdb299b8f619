#include "session/kernel-selection.h"

#include "base/demangle.h"

namespace lockstep::session {
namespace {

std::string name_of(const std::string& kernel, KernelNames names) {
    switch (names) {
        case KernelNames::demangled: return base::kernel_name(kernel);
        case KernelNames::function: return base::function_name(base::kernel_name(kernel));
        case KernelNames::mangled: break;
    }
    return kernel;
}

}  // namespace

KernelSelection::KernelSelection(const std::string& expression, KernelNames names) : names_(names) {
    if (!expression.empty()) expression_ = *base::Pattern::create(expression);
}

bool KernelSelection::matches(const std::string& kernel) {
    if (!expression_) return true;
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = known_.try_emplace(kernel, true);
    if (is_new) known->second = expression_->found_in(name_of(kernel, names_));
    return known->second;
}

}  // namespace lockstep::session
