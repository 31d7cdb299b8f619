// The counts of a kernel by line of the user's source.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/run-reader.h"

namespace lockstep::report {

struct SourceLine {
    InstructionCounts sum;
    std::vector<const InstructionCounts*> instructions;
};

struct SourceLines {
    std::vector<InstructionCounts> instructions;
    InstructionCounts all;
    // By file and line. Code that belongs to no line in particular: "" and 0.
    std::map<std::string, std::map<int, SourceLine>> files;

    SourceLines() = default;
    SourceLines(SourceLines&&) = default;
    SourceLines& operator=(SourceLines&&) = default;
};

Result<SourceLines> source_lines(const RunFile& run, const KernelResult& kernel);

}  // namespace lockstep::report
