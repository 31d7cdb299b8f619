#include "ptx/user-lines.h"

namespace lockstep::ptx {
namespace {

bool in_system_header(const Module& module, int line) {
    int file = module.lines[line].file;
    if (file <= 0 || file >= static_cast<int>(module.files.size())) return false;
    const std::string& name = module.files[file];
    for (const char* mark : {"__clang_cuda", "include/lockstep/", "include/cuda_", "include/cuda/",
                             "include/cooperative_groups", "/cuda_wrappers/", "targets/", "include/c++/"})
        if (name.find(mark) != std::string::npos) return true;
    return false;
}

}  // namespace

void attribute_to_user_lines(Module& module) {
    for (Function& function : module.functions) {
        int last_user = -1;
        for (Instruction& inst : function.instructions) {
            if (inst.source < 0) continue;
            int line = inst.source;
            while (in_system_header(module, line) && module.lines[line].inlined_at >= 0)
                line = module.lines[line].inlined_at;
            if (in_system_header(module, line) && last_user >= 0) line = last_user;
            inst.source = line;
            if (!in_system_header(module, line)) last_user = line;
        }
    }
}

}  // namespace lockstep::ptx
