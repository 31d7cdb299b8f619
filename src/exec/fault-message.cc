#include "exec/fault-message.h"

#include <fmt/format.h>

namespace lockstep::exec {
namespace {

bool in_system_header(const ptx::Module& module, int line) {
    int file = module.lines[line].file;
    if (file <= 0 || file >= static_cast<int>(module.files.size())) return false;
    const std::string& name = module.files[file];
    return name.find("__clang_cuda") != std::string::npos || name.find("include/lockstep/") != std::string::npos ||
           name.find("include/cuda_") != std::string::npos;
}

}  // namespace

std::string site_place(const Grid& grid, std::uint32_t site) {
    const Site& s = grid.code->sites[site];
    if (s.source >= 0 && s.source < static_cast<int>(grid.module->lines.size())) {
        // An intrinsic's body lies in a header that the user did not write: go out to the call.
        int at = s.source;
        while (in_system_header(*grid.module, at) && grid.module->lines[at].inlined_at >= 0) at = grid.module->lines[at].inlined_at;
        const ptx::SourceLine& line = grid.module->lines[at];
        if (line.file > 0 && line.file < static_cast<int>(grid.module->files.size()))
            return fmt::format("{}:{}", grid.module->files[line.file], line.line);
    }
    return fmt::format("line {} of the PTX; compile with -lineinfo for the source line", s.ptx_line);
}

std::string fault_message(const Grid& grid, const WarpContext& warp, std::uint32_t site, int lane, const std::string& what) {
    return fmt::format("kernel {}, block ({},{},{}), thread ({},{},{}): {} ({})", grid.kernel, warp.block[0], warp.block[1],
                       warp.block[2], warp.thread[0][lane], warp.thread[1][lane], warp.thread[2][lane], what,
                       site_place(grid, site));
}

}  // namespace lockstep::exec
