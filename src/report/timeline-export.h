// A timeline for programs: a trace that Perfetto and chrome://tracing open, and JSON.
#pragma once
#include <string>

#include "report/timeline-summary.h"

namespace lockstep::report {

// Chrome's trace event format: processes "host", "streams", "engines" and "hardware queues", with a track for
// each; arrows from what an event recorded to what waited for it. Several programs follow each other.
std::string trace_json(const std::vector<Timeline>& timelines);

// {"programs": [{"program": {…}, "summary": {…}, "operations": […]}]}; times in nanoseconds.
std::string timelines_json(const std::vector<Timeline>& timelines);

}  // namespace lockstep::report
