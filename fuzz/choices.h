// Decisions from a fuzzer's bytes. Where they end, every decision is the first one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::fuzz {

class Choices {
  public:
    explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return at_ == bytes_.size(); }
    std::uint8_t byte() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
    std::uint64_t number(int bytes) {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value = value << 8 | byte();
        return value;
    }
    std::size_t below(std::size_t count) { return number(count > 256 ? 2 : 1) % count; }
    bool one_in(std::size_t count) { return below(count) == count - 1; }
    template <class List>
    auto& of(List& list) {
        return list[below(std::size(list))];
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

}  // namespace lockstep::fuzz
