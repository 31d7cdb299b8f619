#include "exec/fault-message.h"

#include <fmt/format.h>

namespace lockstep::exec {

const ptx::SourceLine* site_line(const Grid& grid, std::uint32_t site) {
    const int source = grid.code->sites[site].source;
    if (source < 0 || source >= static_cast<int>(grid.module->lines.size())) return nullptr;
    const ptx::SourceLine& line = grid.module->lines[source];
    return line.file > 0 && line.file < static_cast<int>(grid.module->files.size()) ? &line : nullptr;
}

std::string site_place(const Grid& grid, std::uint32_t site) {
    if (const ptx::SourceLine* const line = site_line(grid, site))
        return fmt::format("{}:{}", grid.module->files[line->file], line->line);
    return fmt::format("line {} of the PTX; compile with -lineinfo for the source line",
                       grid.code->sites[site].ptx_line);
}

std::string fault_message(const Grid& grid, const WarpContext& warp, std::uint32_t site, int lane,
                          const std::string& what) {
    return fmt::format("kernel {}, block ({},{},{}), thread ({},{},{}): {} ({})", grid.kernel, warp.block[0],
                       warp.block[1], warp.block[2], warp.thread[0][lane], warp.thread[1][lane],
                       warp.thread[2][lane], what, site_place(grid, site));
}

}  // namespace lockstep::exec
