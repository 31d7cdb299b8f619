#include "measure/ask-tool.h"

#include "compile/files.h"

namespace lockstep::measure {

Result<compile::Finished> ask_tool(const compile::Arguments& command) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    return compile::run(command, scratch->path());
}

}  // namespace lockstep::measure
