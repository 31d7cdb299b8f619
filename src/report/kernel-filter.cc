#include "report/kernel-filter.h"

#include <fmt/format.h>

#include "base/demangle.h"
#include "base/pattern.h"

namespace lockstep::report {

bool names_kernel(const std::string& pattern, const std::string& kernel) {
    const std::string name = base::short_kernel_name(kernel);
    if (pattern == "*" || pattern == kernel || pattern == name || pattern == name.substr(0, name.find('<')))
        return true;
    const auto expression = base::Pattern::create(pattern);
    return expression && (expression->matches(kernel) || expression->matches(name));
}

Result<void> check_kernel_pattern(const std::string& pattern) {
    if (pattern == "*" || base::Pattern::create(pattern)) return {};
    // A whole name with pointers or templates need not be a regular expression.
    if (pattern.find_first_of("(<") != std::string::npos && pattern.find_first_of(")>") != std::string::npos)
        return {};
    return Error{fmt::format("'{}' is neither a kernel's name nor a regular expression", pattern), {}};
}

}  // namespace lockstep::report
