// Points of a sweep that are done, kept in a file as they come: a sweep that is killed at any time goes on
// from there.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sweep/outcome.h"

namespace lockstep::sweep {

class KeptPoints {
  public:
    // Reads the file, or begins it. `sweep`: what tells one sweep from another; a file of another is an
    // error, and stays as it is.
    static Result<KeptPoints> open(std::filesystem::path file, const std::string& sweep, std::size_t points);

    // What is done, by number. Points that failed are not: they are run again.
    std::vector<std::optional<Outcome>>& known() { return known_; }
    // Once it returns, the process may be killed.
    Result<void> add(std::size_t number, const Outcome& outcome);

  private:
    explicit KeptPoints(std::filesystem::path file, std::size_t points)
        : file_(std::move(file)), known_(points) {}
    Result<void> append(const std::string& line);

    std::filesystem::path file_;
    std::vector<std::optional<Outcome>> known_;
};

}  // namespace lockstep::sweep
