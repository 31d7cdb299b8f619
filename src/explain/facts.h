// What is known of a kernel, for the rules: its metrics by name, its source lines, its launches.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explain/finding.h"
#include "gpu/model.h"
#include "report/run-reader.h"
#include "report/source-lines.h"
#include "timing/changes.h"

namespace lockstep::explain {

// What a PTX instruction does, without the predicate before it: "@%p1 st.global…".
inline std::string_view operation_of(const report::InstructionCounts& at) {
    const std::string_view ptx = at.ptx;
    return ptx.starts_with('@') ? ptx.substr(ptx.find(' ') + 1) : ptx;
}

// What a vendor calls things.
struct Words {
    const char* warp;
    const char* unit;  // an SM
    const char* shared;
    const char* api;   // what its functions' names begin with
    const char* line;  // that memory is asked for in
    int line_bytes;
    int lanes;
};
inline constexpr Words nvidia_words{"warp", "SM", "shared memory", "cuda", "sector", 32, 32};
inline constexpr Words amd_words{"wavefront", "compute unit", "the LDS", "hip", "line", 64, 64};

class Facts {
  public:
    // `gpu`: null where its model is not at hand.
    static Result<Facts> of(const report::RunFile& run, const report::KernelResult& kernel,
                            const gpu::GpuModel* gpu);

    const report::KernelResult& kernel() const { return *kernel_; }
    const gpu::GpuModel* gpu() const { return gpu_; }
    // Its average over the launches; nothing where none has it.
    std::optional<double> metric(std::string_view name) const;
    // Where all launches have the same; else nothing.
    std::optional<double> same(std::string_view name) const;
    double metric_or(std::string_view name, double otherwise) const {
        return metric(name).value_or(otherwise);
    }
    // Whether it is AMD's machine code.
    bool of_waves() const { return metric("Wavefronts").has_value(); }
    const Words& words() const { return of_waves() ? amd_words : nvidia_words; }
    double nanoseconds() const;  // of an average launch
    // The share of the time that goes away without that; nothing where nobody has asked for it.
    std::optional<double> cost(timing::Change change) const;
    bool imagined() const;
    bool bound_by(timing::Bound bound) const;
    double state(timing::WarpState state) const;  // share of the warps' time

    // The lines that have most of something, the first ones first, until they have nine tenths of it.
    std::vector<Place> lines_with(
        const std::function<double(const report::InstructionCounts&)>& amount) const;
    double total(const std::function<double(const report::InstructionCounts&)>& amount) const;
    void each_line(const std::function<void(const report::InstructionCounts&)>& use) const;
    void each_instruction(const std::function<void(const report::InstructionCounts&)>& use) const;
    const report::InstructionCounts& all() const { return lines_.all; }

  private:
    const report::RunFile* run_ = nullptr;
    const report::KernelResult* kernel_ = nullptr;
    const gpu::GpuModel* gpu_ = nullptr;
    report::SourceLines lines_;
};

}  // namespace lockstep::explain
