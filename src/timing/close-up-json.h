// What was seen from near of a launch, as the run file keeps it (docs/run-file.md says what is in it) and the
// page shows it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "timing/close-up.h"

namespace lockstep::timing {

// `position`: of an instruction in the kernel's list.
std::string close_up_json(const CloseUp& seen, const std::array<std::uint32_t, 3>& grid,
                          const std::array<std::uint32_t, 3>& block,
                          const std::function<std::size_t(const Place&)>& position);

}  // namespace lockstep::timing
