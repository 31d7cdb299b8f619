// Numbers for keys, from 0 on in the order in which they come: an open hash table, since those of the library
// take memory for each key.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace lockstep::timing {

// A key has a hash of 64 bits, of which the high ones count: std::uint64_t Key::hash() const.
template <class Key>
class Numbering {
  public:
    // The key's number; that of a new one is size() before.
    std::uint32_t of(const Key& key) {
        if (2 * keys_.size() >= places_.size()) grow();
        std::uint32_t& place = place_of(key);
        if (place == 0) {
            keys_.push_back(key);
            place = static_cast<std::uint32_t>(keys_.size());
        }
        return place - 1;
    }
    std::size_t size() const { return keys_.size(); }
    const std::vector<Key>& keys() const { return keys_; }

  private:
    static constexpr std::size_t least_places = 64;

    std::uint32_t& place_of(const Key& key) {
        std::size_t at = key.hash() >> (64 - std::countr_zero(places_.size()));
        while (places_[at] != 0 && keys_[places_[at] - 1] != key) at = (at + 1) % places_.size();
        return places_[at];
    }
    void grow() {
        places_.assign(std::max(4 * places_.size(), least_places), 0);
        for (std::size_t i = 0; i < keys_.size(); ++i) place_of(keys_[i]) = static_cast<std::uint32_t>(i + 1);
    }

    std::vector<std::uint32_t> places_;  // number + 1; 0: none. As many as a power of two
    std::vector<Key> keys_;
};

}  // namespace lockstep::timing
