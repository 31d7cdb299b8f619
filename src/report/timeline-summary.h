// What a timeline shows in numbers: how long, what was busy, what ran beside what, and what was held up.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "report/document.h"
#include "report/timeline-file.h"

namespace lockstep::report {

// Begin and end, in nanoseconds.
using Span = std::pair<double, double>;

// Spans that overlap or touch become one; the result is ascending.
std::vector<Span> merged(std::vector<Span> spans);
// The time in which at least `count` of the spans run.
double covered(const std::vector<Span>& spans, int count = 1);

struct TimelineSummary {
    double begin = 0, end = 0;  // of everything that was submitted
    struct Busy {
        timing::Engine engine{};
        std::uint64_t operations = 0;
        double nanoseconds = 0;  // with something to do
    };
    std::vector<Busy> engines;  // those that were used
    double several = 0;         // two or more of them busy at once
    double host_waits = 0;      // the host was in a call that waits
    std::uint64_t kernels = 0;
    int kernels_at_once = 0;                    // at most
    double kernels_together = 0;                // two or more
    std::uint64_t graphs = 0, graph_nodes = 0;  // launches, and what they were of
    double graph_time = 0;                      // time with one going on
    std::uint64_t nested_kernels = 0;           // launched by kernels
    std::uint64_t nodes_by_kernels = 0;         // of graphs that kernels launched
    int nested_depth = 0;
    std::uint64_t host_copies = 0;  // between host and device
    double copying = 0;             // time with one going on
    double copying_beside_kernels = 0;
    std::uint64_t pageable = 0;  // copies of pageable memory …
    double pageable_time = 0;    // … and the time for which they stopped the host
    std::uint64_t pages_to_device = 0,
                  pages_to_host = 0;  // bytes of managed memory that were fetched on demand …
    double page_time = 0;             // … and for how long
    // Work that was ready and stood in a hardware queue behind work that was not.
    struct HeldUp {
        const timing::Placement* operation = nullptr;
        const timing::Placement* behind = nullptr;  // null: it had ended before anything was kept
    };
    std::vector<HeldUp> held_up;  // longest first
    double held_up_time = 0;      // sum

    double length() const { return end - begin; }
};

// Keeps pointers into `timeline`.
TimelineSummary summarise(const Timeline& timeline);

// "kernel scale", "copy to device, 4.0 MB".
std::string operation_text(const timing::Operation& operation);
// "12.3 us", with three digits.
std::string time_text(double nanoseconds);

// The same in words.
std::vector<Part> summary_parts(const Timeline& timeline, const TimelineSummary& summary);

}  // namespace lockstep::report
