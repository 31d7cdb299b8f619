#include "session/range-selection.h"

#include <algorithm>
#include <sstream>

namespace lockstep::session {
namespace {

Result<std::vector<base::RangePattern>> patterns_of(const std::string& lines) {
    std::vector<base::RangePattern> patterns;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        auto pattern = base::RangePattern::create(line);
        if (!pattern) return pattern.error();
        patterns.push_back(std::move(*pattern));
    }
    return patterns;
}

}  // namespace

Result<RangeSelection> RangeSelection::create(const std::string& include, const std::string& exclude) {
    RangeSelection selection;
    auto included = patterns_of(include), excluded = patterns_of(exclude);
    if (!included) return included.error();
    if (!excluded) return excluded.error();
    selection.include_ = std::move(*included);
    selection.exclude_ = std::move(*excluded);
    return selection;
}

int RangeSelection::push(base::OpenRange range) {
    const std::lock_guard lock(mutex_);
    auto& stack = pushed_[std::this_thread::get_id()];
    const auto before = std::count_if(
        stack.begin(), stack.end(), [&](const base::OpenRange& open) { return open.domain == range.domain; });
    stack.push_back(std::move(range));
    return static_cast<int>(before);
}

std::optional<int> RangeSelection::pop(const std::string& domain) {
    const std::lock_guard lock(mutex_);
    auto& stack = pushed_[std::this_thread::get_id()];
    const auto own = [&](const base::OpenRange& open) { return open.domain == domain; };
    const auto last = std::find_if(stack.rbegin(), stack.rend(), own);
    if (last == stack.rend()) return {};
    stack.erase(std::next(last).base());
    return static_cast<int>(std::count_if(stack.begin(), stack.end(), own));
}

std::uint64_t RangeSelection::start(base::OpenRange range) {
    const std::lock_guard lock(mutex_);
    started_[++starts_] = std::move(range);
    return starts_;
}

void RangeSelection::end(std::uint64_t started) {
    const std::lock_guard lock(mutex_);
    started_.erase(started);
}

bool RangeSelection::wants() {
    const std::lock_guard lock(mutex_);
    const auto& pushed = pushed_[std::this_thread::get_id()];
    std::vector<base::OpenRange> started;
    for (const auto& [id, range] : started_) started.push_back(range);
    const auto matches = [&](const base::RangePattern& pattern) { return pattern.matches(pushed, started); };
    return (include_.empty() || std::any_of(include_.begin(), include_.end(), matches)) &&
           std::none_of(exclude_.begin(), exclude_.end(), matches);
}

}  // namespace lockstep::session
