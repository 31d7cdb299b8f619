// A program of NVRTC's interface: CUDA C++ in memory, with headers in memory, and what was made of it.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::nvrtc {

struct Header {
    std::string name, text;
};

enum class Outcome { success, invalid_option, compilation };

class Program {
  public:
    Program(std::string source, std::string name, std::vector<Header> headers)
        : source_(std::move(source)), name_(std::move(name)), headers_(std::move(headers)) {}

    void add_name_expression(std::string expression) { expressions_.push_back(std::move(expression)); }
    // `architecture`: where the options name none.
    Outcome compile(std::span<const char* const> options, int architecture);

    bool compiled() const { return compiled_; }  // successfully
    bool attempted() const { return attempted_; }
    const std::string& ptx() const { return ptx_; }
    // What cuModuleLoadData takes for a GPU's machine code: a container with the PTX. Empty unless the
    // options name a GPU (sm_90).
    const std::string& image() const { return image_; }
    const std::string& log() const { return log_; }
    // The name in the PTX of each expression.
    const std::map<std::string, std::string>& lowered_names() const { return lowered_; }

  private:
    struct Compiled;
    Result<Compiled> make(const struct Options& options);

    std::string source_, name_;
    std::vector<Header> headers_;
    std::vector<std::string> expressions_;
    bool compiled_ = false, attempted_ = false;
    std::string ptx_, image_, log_;
    std::map<std::string, std::string> lowered_;
};

}  // namespace lockstep::nvrtc
