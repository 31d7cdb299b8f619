// How the lanes of a warp lay out their addresses in global memory, in words that a programmer uses.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::counters {

struct Request;  // counters/request.h

enum class PatternKind : std::uint8_t {
    none,       // no access, or of one lane
    packed,     // each lane the element after its neighbour's
    same,       // all lanes one element
    strided,    // each lane so many bytes after its neighbour
    rows,       // runs of neighbours, each run so many bytes after the last
    scattered,  // none of these
};
std::string_view pattern_name(PatternKind kind);
std::optional<PatternKind> find_pattern(std::string_view name);

struct AccessPattern {
    PatternKind kind = PatternKind::none;
    std::int64_t stride = 0;  // bytes: of strided between lanes, of rows between runs
    std::uint32_t run = 0;    // lanes of a run
    bool operator==(const AccessPattern&) const = default;
};

AccessPattern pattern_of(const Request& request);

// What requests of one pattern took beyond what their bytes need.
struct PatternCost {
    AccessPattern pattern;
    std::uint64_t requests = 0, surplus = 0;  // sectors

    // Of two patterns the costlier one stays.
    void keep_worse(const PatternCost& other);
    bool operator==(const PatternCost&) const = default;
};

// The patterns of one instruction; of very many, the rest counts as scattered.
class Patterns {
  public:
    void add(const PatternCost& cost);
    void add(const Patterns& other);
    PatternCost worst() const;
    void each(const auto& change) {
        for (PatternCost& cost : costs_) change(cost);
    }
    bool operator==(const Patterns&) const = default;

  private:
    static constexpr std::size_t most = 8;
    std::vector<PatternCost> costs_;
};

}  // namespace lockstep::counters
