#include "report/compare-vendors.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

namespace lockstep::report {
namespace {

bool ran_on_amd(const RunFile& run) { return run.info.devices.front().compute_capability.starts_with("gfx"); }

// The threads of a block in each kernel's first launch.
Result<std::map<std::string, std::uint32_t>> block_sizes(const RunFile& run) {
    std::map<std::string, std::uint32_t> sizes;
    auto read = run.each_launch([&](const StoredLaunch& stored) {
        const auto& block = stored.launch.block;
        sizes.try_emplace(stored.launch.kernel, block[0] * block[1] * block[2]);
    });
    if (!read) return read.error();
    return sizes;
}

struct BlockCut {
    std::uint32_t threads = 0, lanes = 0;
    std::uint32_t warps() const { return (threads + lanes - 1) / lanes; }
    std::uint32_t idle() const { return warps() * lanes - threads; }
    double idle_share() const { return 100.0 * idle() / (warps() * lanes); }
    std::string text(bool amd) const {
        const std::string name = amd ? "wavefront" : "warp";
        return fmt::format("{} {}{} of {} lanes{}", warps(), name, warps() == 1 ? "" : "s", lanes,
                           idle() ? fmt::format(", {} lanes idle ({:.0f} %)", idle(), idle_share()) : "");
    }
};

std::optional<double> occupancy_of(const Side& side, const std::string& kernel) {
    const auto at = side.run.metric("sm__warps_active.avg.pct_of_peak_sustained_active");
    if (!at) return {};
    for (const KernelResult& one : side.run.kernels)
        if (one.name == kernel && one.metrics[*at].count) return one.metrics[*at].average();
    return {};
}

}  // namespace

bool are_of_two_vendors(const RunFile& a, const RunFile& b) { return ran_on_amd(a) != ran_on_amd(b); }

Result<std::vector<std::string>> vendor_notes(const Side& a, const gpu::GpuModel& gpu_a, const Side& b,
                                              const gpu::GpuModel& gpu_b,
                                              std::span<const ComparedKernel> kernels) {
    auto sizes_a = block_sizes(a.run), sizes_b = block_sizes(b.run);
    if (!sizes_a) return sizes_a.error();
    if (!sizes_b) return sizes_b.error();
    std::vector<std::string> notes;
    for (const ComparedKernel& kernel : kernels) {
        const auto in_a = sizes_a->find(kernel.a), in_b = sizes_b->find(kernel.b);
        if (in_a == sizes_a->end() || in_b == sizes_b->end()) continue;
        const BlockCut cut_a{in_a->second, static_cast<std::uint32_t>(gpu_a.warp_size)},
            cut_b{in_b->second, static_cast<std::uint32_t>(gpu_b.warp_size)};
        const bool amd_a = !gpu_a.target.empty(), amd_b = !gpu_b.target.empty();
        notes.push_back(fmt::format("{}: a block of {} threads is {} on {}, one of {} is {} on {}", kernel.a,
                                    cut_a.threads, cut_a.text(amd_a), gpu_a.name, cut_b.threads,
                                    cut_b.text(amd_b), gpu_b.name));
        // The wider side is the one that leaves lanes idle, where only one does.
        for (const auto& [cut, other, gpu, other_gpu] :
             {std::tuple{cut_a, cut_b, &gpu_a, &gpu_b}, std::tuple{cut_b, cut_a, &gpu_b, &gpu_a}})
            if (cut.idle() && !other.idle())
                notes.push_back(fmt::format(
                    "{}: blocks of {} are right for {} and wrong for {}: no multiple of {}; "
                    "{} or {} would leave no lane idle",
                    kernel.a, cut.threads, other_gpu->name, gpu->name, cut.lanes,
                    std::max(cut.lanes, cut.threads / cut.lanes * cut.lanes), cut.warps() * cut.lanes));
        const auto full_a = occupancy_of(a, kernel.a), full_b = occupancy_of(b, kernel.b);
        constexpr double much = 20;  // percent of what an SM holds
        if (full_a && full_b && std::abs(*full_a - *full_b) >= much)
            notes.push_back(
                fmt::format("{}: {:.0f} % of {}'s warps are there ({} fit on a multiprocessor), {:.0f} % of "
                            "{}'s ({}): registers, "
                            "shared memory and the block's size cut occupancy by different rules",
                            kernel.a, *full_a, gpu_a.name, gpu_a.max_warps_per_sm(), *full_b, gpu_b.name,
                            gpu_b.max_warps_per_sm()));
    }
    return notes;
}

}  // namespace lockstep::report
