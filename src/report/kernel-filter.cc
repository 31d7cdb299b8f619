#include "report/kernel-filter.h"

#include <fmt/format.h>

#include <regex>

#include "base/demangle.h"

namespace lockstep::report {

bool names_kernel(const std::string& pattern, const std::string& kernel) {
    const std::string name = base::short_kernel_name(kernel);
    if (pattern == "*" || pattern == kernel || pattern == name || pattern == name.substr(0, name.find('<')))
        return true;
    try {
        const std::regex expression(pattern);
        return std::regex_match(kernel, expression) || std::regex_match(name, expression);
    } catch (const std::regex_error&) {
        return false;
    }
}

Result<void> check_kernel_pattern(const std::string& pattern) {
    if (pattern == "*") return {};
    try {
        (void)std::regex(pattern);
        return {};
    } catch (const std::regex_error&) {
        // A whole name with pointers or templates need not be a regular expression.
        if (pattern.find_first_of("(<") != std::string::npos &&
            pattern.find_first_of(")>") != std::string::npos)
            return {};
        return Error{fmt::format("'{}' is neither a kernel's name nor a regular expression", pattern), {}};
    }
}

}  // namespace lockstep::report
