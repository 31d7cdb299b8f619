// Code that an SM has run before and must fetch again: what its schedulers keep is little, what the SM keeps
// more. Straight code is asked for in advance, the target of a jump is not.
#pragma once
#include <vector>

#include "gpu/timing-figures.h"
#include "timing/cache.h"
#include "timing/code.h"

namespace lockstep::timing {

class CodeCaches {
  public:
    CodeCaches(const gpu::CodeCacheFigures& figures, int line_instructions, int schedulers,
               std::uint32_t instructions);

    // Cycles that a warp waits for the section's code, beside those that it takes to issue it. `jumps`: it
    // does not come from the code before.
    double wait(std::uint32_t scheduler, const Section& section, bool jumps);

  private:
    const gpu::CodeCacheFigures& figures_;
    std::uint32_t line_instructions_;
    bool all_kept_;  // by each scheduler
    std::vector<Cache> schedulers_;
    Cache sm_, shared_;
};

}  // namespace lockstep::timing
