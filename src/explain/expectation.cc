#include "explain/expectation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "explain/rules.h"

namespace lockstep::explain {

namespace {

std::vector<std::string> all_names() {
    std::vector<std::string> names = imagined_names();
    for (std::string& name : launch_names()) names.push_back(std::move(name));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

Result<Expectation> parse_expectation(std::string_view text) {
    static const std::regex form(
        R"(\s*(?:(.*[^\s:])\s*:)?\s*no\s+([a-z-]+)(?:\s+above\s+([0-9.]+)\s*%)?\s*)");
    std::match_results<std::string_view::const_iterator> found;
    if (!std::regex_match(text.begin(), text.end(), found, form))
        return Error{fmt::format("expectation '{}': it should be like 'no finding above 10 %' or 'KERNEL: no "
                                 "bank-conflicts'",
                                 text),
                     {}};
    Expectation result;
    result.kernel = found[1].str();
    result.id = found[2].str();
    if (result.id == "finding") result.id.clear();
    const std::vector<std::string> names = all_names();
    if (!result.id.empty() && std::find(names.begin(), names.end(), result.id) == names.end())
        return Error{fmt::format("expectation '{}': there is no finding '{}'; there are {}", text, result.id,
                                 fmt::join(names, ", ")),
                     {}};
    if (found[3].matched) result.above = std::stod(found[3].str()) / 100;
    result.text = text;
    return result;
}

std::vector<std::string> check(const Expectation& expectation, const std::vector<KernelFindings>& all) {
    std::vector<std::string> messages;
    bool matched = false;
    for (const KernelFindings& one : all) {
        if (one.kernel.find(expectation.kernel) == std::string::npos) continue;
        matched = true;
        for (const Finding& finding : one.findings)
            if ((expectation.id.empty() || finding.id == expectation.id) && finding.cost > expectation.above)
                messages.push_back(fmt::format("expectation '{}' does not hold: {}: {} ({}) costs {:.1f} %",
                                               expectation.text, one.kernel, finding.id, finding.title,
                                               100 * finding.cost));
    }
    if (!matched)
        messages.push_back(
            fmt::format("expectation '{}' does not hold: no kernel matches it", expectation.text));
    return messages;
}

}  // namespace lockstep::explain
