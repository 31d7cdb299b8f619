// A 128-bit content hash (FNV-1a) for the cache: nobody attacks it, two of a person's programs will not
// collide, and a changed byte always changes it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::base {

class Hash {
  public:
    // Each call is one field: its length goes in too, so that ("ab", "c") and ("a", "bc") differ.
    Hash& add(std::string_view bytes);
    std::string hex() const;

  private:
    void mix(std::string_view bytes);
    std::uint64_t high_ = 0x6c62272e07bb0142, low_ = 0x62b821756295c58d;
};

}  // namespace lockstep::base
