#include "base/range-pattern.h"

#include <algorithm>

namespace lockstep::base {

bool RangePattern::Name::is(const std::string& name) const {
    return pattern.empty() ? name == text : pattern.front().found_in(name);
}

Result<RangePattern::Name> RangePattern::name_of(std::string_view text) {
    constexpr std::string_view regex = "regex:";
    Name name{std::string(text), {}, text == "*"};
    if (!text.starts_with(regex)) return name;
    auto pattern = Pattern::create(std::string(text.substr(regex.size())));
    if (!pattern) return pattern.error();
    name.pattern.push_back(std::move(*pattern));
    return name;
}

Result<RangePattern> RangePattern::create(std::string_view text) {
    RangePattern result;
    const std::string whole(text);
    if (const std::size_t at = text.find('@'); at != text.npos) {
        result.domain_ = text.substr(0, at);
        text.remove_prefix(at + 1);
    }
    result.from_bottom_ = text.starts_with('[');
    if (result.from_bottom_) text.remove_prefix(1);
    // A regular expression's own bracket may stand there.
    result.to_top_ = text.ends_with(']') && text.find("regex:") == text.npos;
    if (result.to_top_) text.remove_suffix(1);
    result.stack_ = result.from_bottom_ || result.to_top_ || text.find('/') != text.npos;
    const char delimiter = result.stack_ ? '/' : ',';
    if (result.stack_ && text.ends_with('/')) text.remove_suffix(1);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(delimiter, begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        if (part.empty()) return Error{"the name of a range is empty in '" + whole + "'", {}};
        auto name = name_of(part);
        if (!name) return name.error();
        result.names_.push_back(std::move(*name));
        begin = end + 1;
    }
    if (result.names_.front().any || result.names_.back().any)
        return Error{"'*' stands between two ranges only, not as in '" + whole + "'", {}};
    return result;
}

bool RangePattern::matches_from(std::span<const std::string> stack, std::size_t at, std::size_t name) const {
    if (name == names_.size()) return !to_top_ || at == stack.size();
    if (names_[name].any) {
        for (std::size_t next = at; next <= stack.size(); ++next)
            if (matches_from(stack, next, name + 1)) return true;
        return false;
    }
    return at < stack.size() && names_[name].is(stack[at]) && matches_from(stack, at + 1, name + 1);
}

bool RangePattern::matches(std::span<const OpenRange> pushed, std::span<const OpenRange> started) const {
    std::vector<std::string> open;
    for (const OpenRange& range : stack_ ? pushed : started)
        if (range.domain == domain_) open.push_back(range.name);
    if (!stack_)
        return std::all_of(names_.begin(), names_.end(), [&](const Name& name) {
            return std::any_of(open.begin(), open.end(),
                               [&](const std::string& range) { return name.is(range); });
        });
    const std::size_t last = from_bottom_ ? 0 : open.size();
    for (std::size_t at = 0; at <= last; ++at)
        if (matches_from(open, at, 0)) return true;
    return false;
}

}  // namespace lockstep::base
