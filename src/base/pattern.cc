#include "base/pattern.h"

#include <regex>

namespace lockstep::base {

struct Pattern::Compiled {
    std::regex expression;
};

Result<Pattern> Pattern::create(const std::string& text) {
    try {
        return Pattern(std::make_shared<const Compiled>(Compiled{std::regex(text)}));
    } catch (const std::regex_error& error) {
        return Error{error.what(), {}};
    }
}

bool Pattern::matches(const std::string& text) const { return std::regex_match(text, compiled_->expression); }

bool Pattern::found_in(const std::string& text) const {
    return std::regex_search(text, compiled_->expression);
}

}  // namespace lockstep::base
