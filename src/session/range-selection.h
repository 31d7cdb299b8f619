// Launches that are profiled because of the NVTX ranges in which the program makes them.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/range-pattern.h"
#include "base/result.h"

namespace lockstep::session {

// Thread-safe.
class RangeSelection {
  public:
    // As options hold them: a pattern (base/range-pattern.h) a line. Nothing included: all is.
    static Result<RangeSelection> create(const std::string& include, const std::string& exclude);
    RangeSelection(RangeSelection&& other) noexcept
        : include_(std::move(other.include_)), exclude_(std::move(other.exclude_)) {}

    // Push and pop are the calling thread's: how many were open before; nothing where there was none.
    int push(base::OpenRange range);
    std::optional<int> pop(const std::string& domain);
    std::uint64_t start(base::OpenRange range);
    void end(std::uint64_t started);

    // Whether what the calling thread launches now is chosen.
    bool wants();

  private:
    RangeSelection() = default;

    std::vector<base::RangePattern> include_, exclude_;
    std::mutex mutex_;
    std::map<std::thread::id, std::vector<base::OpenRange>> pushed_;
    std::map<std::uint64_t, base::OpenRange> started_;
    std::uint64_t starts_ = 0;
};

}  // namespace lockstep::session
