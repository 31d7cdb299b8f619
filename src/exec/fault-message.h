// The text of a fault: which kernel, block and thread, what went wrong, and where in the source.
#pragma once
#include <string>

#include "exec/scheduler.h"
#include "exec/warp-context.h"

namespace lockstep::exec {

std::string fault_message(const Grid& grid, const WarpContext& warp, std::uint32_t site, int lane,
                          const std::string& what);

// The source line of a site; null: the code says none.
const ptx::SourceLine* site_line(const Grid& grid, std::uint32_t site);
// "file.cu:12" of a site, or the PTX line where there is no line information.
std::string site_place(const Grid& grid, std::uint32_t site);

}  // namespace lockstep::exec
