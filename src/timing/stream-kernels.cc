#include "timing/stream-kernels.h"

#include <algorithm>
#include <cmath>

#include "timing/fit.h"

namespace lockstep::timing {
namespace {

// The least share that each gets of 1, such that nobody gets more than it wants and nothing is left over
// while somebody wants it.
double fair_share(std::vector<double> wanted) {
    std::sort(wanted.begin(), wanted.end());
    double left = 1;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double each = left / static_cast<double>(wanted.size() - i);
        if (wanted[i] > each) return each;
        left -= wanted[i];
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace

double KernelPool::Running::blocks_running() const {
    double blocks = 0;
    for (const Batch& batch : batches) blocks += static_cast<double>(batch.blocks);
    return blocks;
}

void KernelPool::add(OperationId id, const KernelWork& work, int priority) {
    Running kernel;
    kernel.id = id;
    kernel.priority = priority;
    const std::uint64_t places =
        static_cast<std::uint64_t>(sms_) * std::max<std::uint32_t>(work.resident_blocks, 1);
    kernel.places = static_cast<double>(places);
    const std::uint64_t blocks = std::max<std::uint64_t>(work.blocks, 1);
    const std::uint64_t waves = std::min((blocks - 1) / places + 1, fit::most_waves);
    kernel.waiting = std::min(blocks, fit::most_waves * places);
    kernel.block_time = std::max(work.nanoseconds / static_cast<double>(waves), fit::least_time);
    const auto at_once = static_cast<double>(std::min(blocks, places));
    kernel.dram = work.dram_share / at_once;
    kernel.issue = work.issue_share / at_once;
    const auto after = std::find_if(running_.begin(), running_.end(),
                                    [&](const Running& other) { return other.priority > priority; });
    running_.insert(after, std::move(kernel));
}

std::vector<OperationId> KernelPool::start_blocks() {
    std::vector<OperationId> begun;
    for (Running& kernel : running_) {
        if (kernel.waiting == 0) continue;
        const double places = std::floor(free_ * kernel.places + fit::least_place);
        const auto blocks = std::min(kernel.waiting, static_cast<std::uint64_t>(std::max(places, 0.0)));
        if (blocks == 0) continue;
        kernel.waiting -= blocks;
        kernel.batches.push_back({blocks, kernel.block_time});
        free_ -= static_cast<double>(blocks) / kernel.places;
        if (!kernel.begun) begun.push_back(kernel.id);
        kernel.begun = true;
    }
    set_speeds();
    return begun;
}

void KernelPool::set_speeds() {
    std::vector<double> dram, issue;
    for (const Running& kernel : running_) {
        const double blocks = kernel.blocks_running();
        dram.push_back(kernel.dram * blocks);
        issue.push_back(kernel.issue * blocks);
    }
    const double dram_share = fair_share(dram), issue_share = fair_share(issue);
    for (std::size_t i = 0; i < running_.size(); ++i) {
        double speed = 1;
        if (dram[i] > dram_share) speed = std::min(speed, dram_share / dram[i]);
        if (issue[i] > issue_share) speed = std::min(speed, issue_share / issue[i]);
        running_[i].speed = speed;
    }
}

double KernelPool::next() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Running& kernel : running_)
        for (const Batch& batch : kernel.batches) least = std::min(least, batch.left / kernel.speed);
    return least;
}

std::vector<OperationId> KernelPool::advance(double nanoseconds) {
    std::vector<OperationId> ended;
    for (Running& kernel : running_) {
        for (Batch& batch : kernel.batches) {
            batch.left -= nanoseconds * kernel.speed;
            if (batch.left <= fit::least_time) free_ += static_cast<double>(batch.blocks) / kernel.places;
        }
        std::erase_if(kernel.batches, [](const Batch& batch) { return batch.left <= fit::least_time; });
        if (kernel.waiting == 0 && kernel.batches.empty()) ended.push_back(kernel.id);
    }
    std::erase_if(running_,
                  [](const Running& kernel) { return kernel.waiting == 0 && kernel.batches.empty(); });
    if (running_.empty()) free_ = 1;  // no rounding error outlives the work
    return ended;
}

}  // namespace lockstep::timing
