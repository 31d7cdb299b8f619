// Which NVTX ranges ncu's --nvtx-include and --nvtx-exclude mean:
//   A          a range that was started, not pushed; "A,B": both are open
//   A/         a range that was pushed
//   A/B        B was pushed directly after A; A/*/B: after it
//   [A  A]     A is the first, the last that was pushed
//   D@…        in the domain D, instead of the default one
//   regex:A    names that have a match of it, in place of any name
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"
#include "base/result.h"

namespace lockstep::base {

struct OpenRange {
    std::string domain, name;  // the domain's name is empty for the default one
};

class RangePattern {
  public:
    static Result<RangePattern> create(std::string_view text);

    // `pushed`: of the thread, the first first; `started`: of the process.
    bool matches(std::span<const OpenRange> pushed, std::span<const OpenRange> started) const;

  private:
    struct Name {
        std::string text;
        std::vector<Pattern> pattern;  // one, or none: the text itself
        bool any = false;              // "*": so many ranges as there are
        bool is(const std::string& name) const;
    };
    static Result<Name> name_of(std::string_view text);
    bool matches_from(std::span<const std::string> stack, std::size_t at, std::size_t name) const;

    std::string domain_;
    std::vector<Name> names_;
    bool stack_ = false;  // of ranges that were pushed
    bool from_bottom_ = false, to_top_ = false;
};

}  // namespace lockstep::base
