// The user's source with the counts of each line beside it, and where the waste is.
#pragma once
#include <cstddef>

#include "base/result.h"
#include "report/document.h"
#include "report/run-reader.h"

namespace lockstep::report {

struct SourceViewOptions {
    bool ptx = false;         // the PTX instructions of each line below it
    std::size_t width = 120;  // characters in a line, on a terminal
};

// Of one kernel. Lines that it does not come from are left out.
Result<Section> source_view(const RunFile& run, const KernelResult& kernel, const SourceViewOptions& options);

}  // namespace lockstep::report
