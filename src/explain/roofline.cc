// How close a kernel is to what the GPU can do at all.
#include "explain/roofline.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::explain {
namespace {

constexpr double near = 70;     // per cent of a roof
constexpr double little = 0.1;  // a finding's cost, of the time

// Of device memory, and of the SMs' or vector units: per cent of their peaks.
struct Used {
    double memory = 0, compute = 0;
};

std::optional<Used> used(const Facts& facts) {
    std::optional<double> memory, compute;
    if (facts.of_waves()) {
        if (facts.gpu() && facts.nanoseconds() > 0)
            memory = 100 * (facts.metric_or("FetchSize", 0) + facts.metric_or("WriteSize", 0)) /
                     (facts.nanoseconds() * facts.gpu()->memory_bandwidth_gbs);
        compute = facts.metric("VALUBusy");
    } else {
        memory = facts.metric("dram__throughput.avg.pct_of_peak_sustained_elapsed");
        compute = facts.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed");
    }
    if (!memory || !compute) return std::nullopt;
    // An instruction that the model starts faster than its pipe is said to may come out above.
    return Used{std::min(*memory, 100.0), std::min(*compute, 100.0)};
}

// "0.17 operations a byte, where 20.1 are the ridge": on which side of the roofline it lies.
std::string intensity(const Facts& facts) {
    const double operations = facts.metric_or("flop_count_sp", 0) + facts.metric_or("flop_count_dp", 0);
    const double bytes = facts.metric_or("dram__bytes.sum", 0);
    const gpu::GpuModel* gpu = facts.gpu();
    if (operations <= 0 || bytes <= 0 || !gpu || gpu->memory_bandwidth_gbs <= 0) return "";
    const double peak = 2.0 * gpu->sms * gpu->timing.fma.lanes * gpu->clock_mhz * 1e-3;  // in a ns
    const double ridge = peak / gpu->memory_bandwidth_gbs, here = operations / bytes;
    return fmt::format(
        "; {:.2f} floating-point operations for each byte of it, {} the {:.1f} from which on "
        "the SMs are the limit",
        here, here < ridge ? "below" : "above", ridge);
}

}  // namespace

std::vector<std::string> roofline_text(const Facts& facts, double worst) {
    const std::optional<Used> peak = used(facts);
    if (!peak) return {};
    const char* const units = facts.of_waves() ? "vector units" : "SMs";
    std::vector<std::string> lines{
        fmt::format("device memory at {:.0f} %, the {} at {:.0f} % of what they can do{}", peak->memory,
                    units, peak->compute, intensity(facts))};
    if (facts.bound_by(timing::Bound::launch_overhead)) {
        lines.push_back(
            "too little work to come near any of it: what a launch takes at least is most of its time");
        return lines;
    }
    const char* const verdict = worst < little ? "All is well" : "Near the roof all the same";
    if (peak->memory >= near && peak->memory >= peak->compute)
        lines.push_back(fmt::format(
            "{}: it runs at {:.0f} % of device memory's peak{}. Nothing is left but to move fewer bytes: "
            "smaller types, fewer passes over the data, kernels joined.",
            verdict, peak->memory,
            facts.gpu() ? fmt::format(" ({:.0f} of {:.0f} GB/s)",
                                      peak->memory / 100 * facts.gpu()->memory_bandwidth_gbs,
                                      static_cast<double>(facts.gpu()->memory_bandwidth_gbs))
                        : ""));
    else if (peak->compute >= near)
        lines.push_back(fmt::format(
            "{}: the {} do {:.0f} % of what they can. Nothing is left but fewer or cheaper instructions: "
            "another algorithm, smaller types, tensor cores.",
            verdict, units, peak->compute));
    return lines;
}

}  // namespace lockstep::explain
