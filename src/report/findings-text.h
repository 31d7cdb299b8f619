// Findings for people: what happened, the source lines it happened at, the memory's history, and what would
// mend it.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/check-report.h"

namespace lockstep::report {

// Files are read once.
class SourceLineReader {
  public:
    // Without its newline. Nothing: the file cannot be read, or is shorter.
    std::optional<std::string> line(const std::string& file, int number);

  private:
    std::map<std::string, std::vector<std::string>> files_;
};

struct FindingsStyle {
    bool colour = false;
    std::size_t width = 80;
};

std::string finding_text(const check::Finding& finding, SourceLineReader& sources,
                         const FindingsStyle& style);

// All of them, what else is to be said, and the summary.
std::string findings_text(const CheckReport& report, const FindingsStyle& style);

}  // namespace lockstep::report
