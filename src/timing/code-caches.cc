#include "timing/code-caches.h"

#include <algorithm>

namespace lockstep::timing {
namespace {

// Whether the line was there; it is afterwards.
bool touch(Cache& cache, std::uint64_t line) {
    if (cache.find(line)) return true;
    CacheLine evicted;
    cache.insert(line, evicted);
    return false;
}

}  // namespace

CodeCaches::CodeCaches(const gpu::CodeCacheFigures& figures, int line_instructions, int schedulers,
                       std::uint32_t instructions)
    : figures_(figures),
      line_instructions_(static_cast<std::uint32_t>(line_instructions)),
      all_kept_(figures.scheduler_lines == 0 ||
                instructions <= static_cast<std::uint32_t>(figures.scheduler_lines) * line_instructions_),
      sm_(static_cast<std::uint64_t>(figures.sm_lines)),
      shared_(static_cast<std::uint64_t>(figures.shared_lines)) {
    for (int i = 0; i < schedulers && !all_kept_; ++i)
        schedulers_.emplace_back(static_cast<std::uint64_t>(figures.scheduler_lines));
}

double CodeCaches::wait(std::uint32_t scheduler, const Section& section, bool jumps) {
    if (all_kept_ || section.instructions == 0) return 0;
    const std::uint32_t first = section.begin / line_instructions_,
                        last = (section.begin + section.instructions - 1) / line_instructions_;
    const double issuing = static_cast<double>(section.cycles) / (last - first + 1);
    double waited = 0;
    for (std::uint32_t line = first; line <= last; ++line) {
        const bool near = touch(schedulers_[scheduler], line), in_sm = touch(sm_, line),
                   in_shared = touch(shared_, line);
        if (near) continue;
        if (line == first && jumps)
            waited += in_sm ? figures_.sm_jump : in_shared ? figures_.shared_jump : figures_.far_jump;
        else if (!in_sm)
            waited += std::max(0.0, (in_shared ? figures_.shared_line : figures_.far_line) - issuing);
    }
    return waited;
}

}  // namespace lockstep::timing
