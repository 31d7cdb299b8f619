// What was found so far, each once. Every finding is in the file when it is made, so that a program may crash
// or be killed; how often it was met is there when the process ends.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/finding.h"

namespace lockstep::check {

// Thread-safe.
class Findings {
  public:
    // Appends to the file, which several processes may share.
    static Result<std::unique_ptr<Findings>> open(const std::filesystem::path& file);

    // Whether it is a new one; else it is counted with the one that is there.
    bool add(Finding finding);
    std::size_t size() const;
    // Of a kernel, by its demangled name.
    bool has(Class of, const std::string& kernel) const;
    // Writes the counts. A process that forked has none of its parent's.
    void finish();

  private:
    explicit Findings(int file) : file_(file) {}
    void write(const std::string& line) const;

    int file_ = -1;
    pid_t process_ = 0;
    mutable std::mutex mutex_;
    std::map<std::string, Finding> findings_;  // by key
};

// All of a file, those of one key joined; lines that are not complete are passed over.
std::vector<Finding> read_findings(const std::filesystem::path& file);

}  // namespace lockstep::check
