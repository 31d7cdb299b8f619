// Findings for programs: JSON, SARIF, JUnit.
#pragma once
#include <string>

#include "report/check-report.h"

namespace lockstep::report {

// {"findings": [{"class", "kind", "rank", "kernel", "message", "advice", "count", "own_places", "places":
// [{"file", "line", "function", "role", "who"}], "details": {…}}], "suppressed": [… with "by"], "run": {…}}
std::string findings_json(const CheckReport& report);

// SARIF 2.1.0, as code scanning services read it.
std::string findings_sarif(const CheckReport& report);

// A test case a finding, which fails; and one that passes for each class with nothing found.
std::string findings_junit(const CheckReport& report);

}  // namespace lockstep::report
