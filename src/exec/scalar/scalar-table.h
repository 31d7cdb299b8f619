// A read-only table of scalar functions, found by name.
#pragma once
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>

#include "exec/scalar/scalar-function.h"

namespace lockstep::exec {

class ScalarTable {
  public:
    // `function`: a function, or a lambda that captures nothing.
    template <class F>
    void add(std::string name, F function) {
        std::string_view stable = names_.emplace_back(std::move(name));
        rows_.insert_or_assign(stable, describe(stable, +function));
    }

    const ScalarFunction* find(std::string_view name) const {
        auto found = rows_.find(name);
        return found == rows_.end() ? nullptr : &found->second;
    }

    const std::unordered_map<std::string_view, ScalarFunction>& rows() const { return rows_; }

  private:
    std::deque<std::string> names_;  // a deque: the rows point into it
    std::unordered_map<std::string_view, ScalarFunction> rows_;
};

}  // namespace lockstep::exec
