// How many registers values take while straight code is put into order: one that has been made and is still
// to be read takes some, and its last reader gives them back.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "timing/code.h"

namespace lockstep::timing {

// What a stretch of code may use, and what is alive around it.
struct Registers {
    int room = std::numeric_limits<int>::max();  // for values
    int besides = 0;                             // that are taken all the while: arrays
    std::vector<int> cost;                       // by slot; those beyond take one each
    std::vector<std::uint16_t> in, out;          // slots alive before the code, and behind it
};

class RegisterPressure {
  public:
    // `ops` in the order of the program.
    RegisterPressure(const std::vector<const Op*>& ops, const Registers& registers);

    // Whether there is room for what the operation makes, once it has read its sources.
    bool fits(std::size_t op) const { return taken_ + growth(op) <= room_; }
    void issue(std::size_t op);

  private:
    using ValueId = std::uint32_t;
    struct Value {
        int cost = 0;
        std::uint32_t reads = 0;  // that are still to come
        bool stays = false;       // alive behind the code
    };
    struct Touched {
        std::vector<ValueId> read, made;
    };

    int growth(std::size_t op) const;

    std::vector<Value> values_;
    std::vector<Touched> touched_;  // by operation
    int room_, taken_;
};

}  // namespace lockstep::timing
