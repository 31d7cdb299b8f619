// A golden test is one file that holds a program, the commands to run and what to expect of them. The
// directives stand in comments at its top:
//
//     // RUN: lockstep run %s -- 64      a shell command; each RUN begins a new block
//     // ENV: NAME=value                 environment of this run
//     // EXIT: 0                         a number, "nonzero", or "signal NAME"; 0 unless given
//     // OUT: regex                      lines of standard output that must come, in this order, others
//     between them or not
//     // ERR: regex                      the same for standard error
//     // NOT: regex                      no line of either may match
//     // LIMIT: 20                       seconds that the run may take; 120 unless given
//     // NEEDS: nvcc                     for the whole file: skipped, saying so, where this program, or
//     a header (<rocprim/rocprim.hpp>), is missing
//     // ALSO: nvcc                      for the whole file: a second test with `--compiler nvcc` after
//     `lockstep run`
//     // FILE: examples/matmul.cu        for a file with the ending .expect: the program, from the project's
//     root
//
// In commands, environment and regular expressions: %s is the program, %S its folder, %t an empty folder of
// this test's own, %l the number of the program's line that ends with "// HERE".
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::e2e {

struct Exit {
    enum class Kind { status, nonzero, signal } kind = Kind::status;
    int status = 0;
    std::string signal;

    std::string to_string() const;
};

struct Pattern {
    std::string regex;
    int line = 0;  // in the golden file
};

struct Step {
    std::string command;
    int line = 0;
    std::vector<std::string> environment;
    Exit exit;
    std::vector<Pattern> out, err, absent;
    int limit_s = 120;
};

struct GoldenFile {
    std::filesystem::path path;
    std::filesystem::path program;  // %s
    std::vector<Step> runs;
    std::vector<std::string> needs;
    bool also_nvcc = false;
    int marked_line = 0;  // %l
};

// Empty where the file holds no RUN at all (a header, a helper).
Result<std::optional<GoldenFile>> parse_golden_file(const std::filesystem::path& path,
                                                    const std::string& text,
                                                    const std::filesystem::path& root);

// %s, %S, %t and %l replaced; %% becomes %.
std::string substitute(const std::string& text, const GoldenFile& file,
                       const std::filesystem::path& temporary);

// The command with `--compiler nvcc` after each `lockstep run`.
std::string with_nvcc(const std::string& command);

}  // namespace lockstep::e2e
