// What nvcc takes and clang does not, spelled so that both do: `k << <grid, block>> >(…)`, braces among a
// launch's dimensions, launches in device code, `#pragma unroll` before something that is no loop,
// `__shared__` variables with constructors. clang reads the copy under the file's own name, and its messages
// keep their lines.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "compile/process.h"

namespace lockstep::compile {

// Brackets of launches without blanks in them, and `dim3` before braces that stand for one. Lines stay as
// they are.
std::string respell_launches(std::string_view text);

// The `#pragma unroll` that stands last before `line` (the first is 1) becomes a comment of the same length.
std::string drop_unroll(std::string text, int line);

// Launches on these lines (all, where none is on one) as clang takes them in device code:
// lockstep/nested-launch.h.
std::string nest_launches(std::string_view text, const std::set<int>& lines);

// `%name` in inline PTX with operands is `%%name`.
std::string escape_registers(std::string_view text);

class Respelling {
  public:
    explicit Respelling(std::filesystem::path scratch) : scratch_(std::move(scratch)) {}

    // Looks at launches in `file`.
    void add(const std::filesystem::path& file);
    // Looks at the files that the compiler's errors name. True if one of them has another spelling now.
    bool learn(const std::string& messages);

    // For the compiler's command line; none where nothing has to be spelled anew.
    Arguments arguments() const;
    // What somebody may want to know of it.
    const std::string& warnings() const { return warnings_; }

  private:
    bool update(const std::filesystem::path& file);

    std::filesystem::path scratch_;
    struct Trouble {
        std::set<int> without_loop;  // the lines after pragmas
        std::set<int> alignas_;      // lines
        std::set<int> operands;      // lines on which one begins
        std::set<int> constructed;   // lines with __shared__ variables
        std::set<int> nested;        // lines with launches in device code
        bool registers = false;
    };
    struct Copy {
        std::filesystem::path file;
        std::string text;
    };
    std::map<std::string, Trouble> trouble_;  // by file
    std::map<std::string, Copy> copies_;      // of the files that are spelled anew
    std::string warnings_;
};

}  // namespace lockstep::compile
