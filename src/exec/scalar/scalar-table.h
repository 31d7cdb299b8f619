// A read-only table of scalar functions, found by name.
#pragma once
#include <deque>
#include <string>
#include <type_traits>
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

    // … and its form for a warp.
    template <class R, class... A>
    void add(std::string name, R (*function)(A...),
             std::type_identity_t<void (*)(std::uint32_t, const A*..., R*)> of_warp) {
        std::string_view stable = names_.emplace_back(std::move(name));
        ScalarFunction row = describe(stable, function);
        row.of_warp = reinterpret_cast<void*>(of_warp);
        rows_.insert_or_assign(stable, row);
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
