// Which bytes of the address space somebody touched: sorted ranges that do not meet.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::check {

class ByteSet {
  public:
    struct Range {
        std::uint64_t begin = 0, end = 0;
        bool operator==(const Range&) const = default;
    };

    ByteSet() = default;
    // Cheap at the end of what is there: who has ranges in order adds them in order.
    void add(std::uint64_t begin, std::uint64_t end);
    void add(const ByteSet& other);
    void remove(std::uint64_t begin, std::uint64_t end);

    bool empty() const { return ranges_.empty(); }
    const std::vector<Range>& ranges() const { return ranges_; }
    std::uint64_t bytes() const;
    // Whether any, or each, byte of the range is there.
    bool touches(std::uint64_t begin, std::uint64_t end) const;
    bool contains(std::uint64_t begin, std::uint64_t end) const;
    bool contains(const ByteSet& other) const;
    // The first bytes that both have.
    std::optional<Range> meets(const ByteSet& other) const;
    bool operator==(const ByteSet&) const = default;

  private:
    // The first range that ends behind the address.
    std::size_t first_behind(std::uint64_t address) const;

    std::vector<Range> ranges_;
};

}  // namespace lockstep::check
