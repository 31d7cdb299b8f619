// A regular expression that a user has given. The standard's header for them takes the compiler longer than
// most files do, hence this one place.
#pragma once
#include <memory>
#include <string>

#include "base/result.h"

namespace lockstep::base {

class Pattern {
  public:
    // ECMAScript's syntax. The error is the reason alone.
    static Result<Pattern> create(const std::string& text);

    bool matches(const std::string& text) const;  // all of it
    bool found_in(const std::string& text) const;

  private:
    struct Compiled;
    explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace lockstep::base
