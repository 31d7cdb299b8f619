#include "ptx/user-lines.h"

#include "ptx/system-header.h"

namespace lockstep::ptx {

namespace {

bool in_system_header(const Module& module, int line) {
    const int file = module.lines[line].file;
    return file > 0 && file < static_cast<int>(module.files.size()) && is_system_header(module.files[file]);
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
