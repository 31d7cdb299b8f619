// A timeline as rows of characters: the host, each stream, each engine.
#pragma once
#include <cstddef>

#include "report/timeline-summary.h"

namespace lockstep::report {

// `width`: columns of the terminal.
Drawing draw_timeline(const Timeline& timeline, const TimelineSummary& summary, std::size_t width);

}  // namespace lockstep::report
