#include "cli/write-output.h"

#include <cerrno>
#include <cstdio>

#include "cli/command.h"
#include "compile/files.h"
#include "compile/output-file.h"
#include "report/file-limit.h"

namespace lockstep::cli {

int write_output(const std::string& file, const std::string& text) {
    if (file == "-" || file == "/dev/stdout") {  // NVIDIA's tools take the latter
        const bool good =
            std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
        if (good) return 0;
        // Who reads no further has seen enough: no word about it.
        return errno == EPIPE ? 1 : fail("cannot write to the standard output");
    }
    const report::FileLimitIsAnError guard;
    auto written = compile::replace_file(file, text);
    return written ? 0 : fail(written.error().to_string());
}

}  // namespace lockstep::cli
