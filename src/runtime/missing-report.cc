#include <fmt/format.h>

#include "runtime/state.h"

namespace lockstep::runtime {

int missing(const char* function) {
    return finish(function,
                  Outcome(Status::not_supported, fmt::format("{} is not implemented", function), true));
}

}  // namespace lockstep::runtime
