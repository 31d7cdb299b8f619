// Which counters of AMD's GPUs have lockstep's numbers, and in how many runs of a program they can be read.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/model.h"
#include "measure/formula.h"
#include "measure/measured-launch.h"

namespace lockstep::measure {

// rocprof's and omniperf's metrics, by counters: rocprofv3 has some under other names, and others not at all.
std::span<const Formula> rocprof_formulas();

// The counters that are needed of these, each once, as far as a GPU for this code ("gfx90a") is known to have
// them.
std::vector<std::string> rocprof_counters(std::span<const metrics::Selected> selected,
                                          std::string_view target);

// "TCC_HIT_sum": a counter of the hardware, which --pmc takes.
bool is_rocprof_counter(std::string_view name);

// A block of the GPU has a few registers to count with; what does not fit takes another run.
std::vector<std::vector<std::string>> counter_passes(std::span<const std::string> counters);

// What formulas need of the GPU itself.
void add_gpu_figures(const gpu::GpuModel& model, MeasuredLaunch& launch);

}  // namespace lockstep::measure
