// Stores that wait in the L1 for others to the same lines: what a block stores field by field, or again and
// again, goes to the L2 once for as long as its line stays open.
#pragma once
#include <array>
#include <cstdint>

#include "counters/geometry.h"
#include "timing/fit.h"

namespace lockstep::timing {

class StoreBuffer {
  public:
    struct Open {
        std::uint64_t address = ~std::uint64_t{0};
        std::uint64_t block = 0;  // that stored them; a block's end sends what it has stored
        std::uint64_t used = 0;   // when, for the choice of what goes
        counters::Sectors sectors = 0;
        double sent = 0;  // when they are
        // Those of a store that are not among them yet, and from now on are.
        counters::Sectors add(counters::Sectors stored) {
            const auto left = static_cast<counters::Sectors>(stored & ~sectors);
            sectors |= stored;
            return left;
        }
    };
    // The line that the block has open; if it has not, it is opened.
    Open& line(std::uint64_t address, std::uint64_t block);

  private:
    std::array<Open, fit::open_store_lines> open_{};
    std::uint64_t clock_ = 0;
};

}  // namespace lockstep::timing
