// Compiling PTX at run time, with what the program wants to know of it.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "runtime/driver.h"

namespace lockstep::runtime {

// The options of cuModuleLoadDataEx and the like, as far as they ask for something. They keep the addresses
// of their values.
class JitOptions {
  public:
    JitOptions(unsigned count, const CUjit_option* options, void** values);
    void set(CUjit_option option, void** value) { options_[option] = value; }
    // One that CUDA does not have is an error.
    Outcome check() const;
    bool verbose() const;  // the program wants to know what its kernels take
    // Writes the logs and the time to where the program wants them.
    void tell(const std::string& information, const std::string& errors) const;

  private:
    std::map<CUjit_option, void**> options_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// PTX from what a program gives as a module.
Found<std::string> text_of(Device& device, const void* image);
// What is wrong with it, in ptxas's shape; empty: nothing is.
std::string errors_of(const std::string& text);
Found<exec::Module*> load_text(Device& device, const std::string& text, const JitOptions& options);
std::optional<std::string> read_file(const char* path);

}  // namespace lockstep::runtime
