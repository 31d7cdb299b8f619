// Launches on their way into the tables. A launch is first one row with one blob, committed at once, so that
// a program may be killed at any time and lose nothing; many of them together then become rows, aggregates
// and sums, which costs far less than one by one.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "report/result.h"
#include "report/sqlite.h"

namespace lockstep::report {

std::vector<std::byte> encode(const Launch& launch, std::span<const InstructionCounts> instructions);

struct PendingLaunch {
    Launch launch;
    std::vector<InstructionCounts> instructions;  // the numbers only
};
Result<PendingLaunch> decode(std::span<const std::byte> record);

// Moves what is pending, of one process (its id) or of all (0), into the tables. One transaction, made here.
Result<void> fold_pending(Database& database, std::int64_t process);

}  // namespace lockstep::report
