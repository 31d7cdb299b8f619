#include "timing/nested-kernels.h"

#include <algorithm>
#include <map>

#include "timing/fit.h"

namespace lockstep::timing {
namespace {

constexpr std::uint64_t fire_and_forget = 4;  // cudaStreamFireAndForget

class Placer {
  public:
    explicit Placer(const gpu::GpuModel& gpu)
        : gpu_(gpu),
          times_{.launch = gpu.timing.nested_launch_us * 1e3,
                 .interval = gpu.timing.nested_interval_us * 1e3,
                 .block_interval = gpu.timing.nested_block_interval_us * 1e3,
                 .start = gpu.timing.nested_start_us * 1e3,
                 .gap = gpu.timing.nested_gap_us * 1e3,
                 .end = gpu.timing.nested_end_us * 1e3,
                 .tail = gpu.timing.nested_tail_us * 1e3,
                 .tail_interval = gpu.timing.nested_tail_interval_us * 1e3,
                 .tail_done = gpu.timing.nested_tail_done_us * 1e3} {}

    // The kernel's end, with all its children's. `in_tail`: it is in a tail stream, and its parent's end
    // waits for it.
    double place(const NestedKernels& kernel, double begin, int depth, std::size_t parent, bool in_tail) {
        const std::size_t self = placements_.size();
        placements_.push_back({kernel.name, depth, parent, begin, begin});
        sm_time_ += kernel.work.nanoseconds * share_of_sms(kernel.work);

        Launching launching(times_.launch, times_.block_interval);
        Streams streams;
        double last = begin;
        for (const NestedOperation& one : kernel.children) {
            const double launched = one.kernel || one.bytes ? launching.next(one) : launching.until_now(one);
            last = std::max(last, place(one, begin + launched, depth, self, streams));
        }
        for (const NestedOperation& one : kernel.tail) launching.next(one);
        double latest = launching.latest();
        // All launches in tail streams of a grid are put into one list.
        if (!kernel.tail.empty())
            latest = std::max(
                latest, times_.launch + times_.tail_interval * static_cast<double>(kernel.tail.size() - 1));
        double end = begin + kernel.work.nanoseconds + latest;
        // Where a block waited, what it does afterwards comes behind.
        if (kernel.waits) end = std::max(end, last + times_.end + kernel.work.nanoseconds);
        if (!kernel.children.empty())
            end = std::max(end, last + times_.end + (depth == 0 ? fit::nested_root : 0));
        placements_[self].end = end;
        double wait = times_.tail;
        for (const NestedOperation& one : kernel.tail) {
            const double start = end + wait;
            end = one.kernel ? place(*one.kernel, start, depth + 1, self, true) : start + copy_ns(one);
            wait = times_.gap;
        }
        if (!kernel.tail.empty() && !in_tail) {
            constexpr std::size_t at_once = 32;  // that the list's end waits for
            end += times_.end +
                   times_.tail_done * static_cast<double>(std::min(kernel.tail.size(), at_once) - 1);
        }
        return end;
    }

    // Kernels that run beside each other share the SMs: together they take no less than their work.
    std::vector<NestedPlacement> finished(double end) {
        placements_.front().end = end;
        const double stretch = end > 0 ? std::max(1.0, sm_time_ / end) : 1;
        for (NestedPlacement& one : placements_) {
            one.begin *= stretch;
            one.end *= stretch;
        }
        return std::move(placements_);
    }

  private:
    // When the threads of a kernel have made their launches: each one after the other, and those of a block
    // at some distance.
    class Launching {
      public:
        Launching(double each, double interval) : each_(each), interval_(interval) {}
        double next(const NestedOperation& one) {
            const double own = threads_[{one.block, one.thread}] += each_;
            const auto [before, first] = blocks_.try_emplace(one.block, own);
            if (!first) before->second = std::max(own, before->second + interval_);
            latest_ = std::max(latest_, before->second);
            return before->second;
        }
        double until_now(const NestedOperation& one) { return threads_[{one.block, one.thread}]; }
        double latest() const { return latest_; }

      private:
        double each_, interval_, latest_ = 0;
        std::map<std::pair<std::uint64_t, std::uint32_t>, double> threads_;  // by block and thread
        std::map<std::uint64_t, double> blocks_;
    };
    struct Streams {
        std::map<std::pair<std::uint64_t, std::uint64_t>, double> ends;  // by block and stream
        std::map<std::pair<std::uint64_t, std::uint64_t>, double> events;
    };

    double place(const NestedOperation& one, double launched, int depth, std::size_t parent,
                 Streams& streams) {
        const std::pair stream(one.block, one.stream);
        const auto before = streams.ends.find(stream);
        const bool ordered = one.stream != fire_and_forget;
        if (one.records || one.waits_for) {
            double& end = streams.ends[stream];
            if (one.records) streams.events[{one.block, one.records}] = end;
            if (one.waits_for) end = std::max(end, streams.events[{one.block, one.waits_for}]);
            return end;
        }
        double start = std::max(launched + times_.start, launcher_free_);
        if (ordered && before != streams.ends.end()) start = std::max(start, before->second + times_.gap);
        // The order of a stream costs the launcher a second turn.
        launcher_free_ =
            std::max(launched + times_.start, launcher_free_) + times_.interval * (ordered ? 2 : 1);
        const double end =
            one.kernel ? place(*one.kernel, start, depth + 1, parent, false) : start + copy_ns(one);
        if (ordered) streams.ends[stream] = end;
        return end;
    }

    // A GB/s is a byte a nanosecond.
    double copy_ns(const NestedOperation& one) const {
        return static_cast<double>(one.bytes) /
               (gpu_.memory_bandwidth_gbs * gpu_.timing.dram_mixed_efficiency);
    }
    double share_of_sms(const KernelWork& work) const {
        return std::min(
            1.0, static_cast<double>(work.blocks) / (static_cast<double>(work.resident_blocks) * gpu_.sms));
    }

    const gpu::GpuModel& gpu_;
    struct {
        double launch, interval, block_interval, start, gap, end, tail, tail_interval, tail_done;
    } const times_;  // in nanoseconds
    std::vector<NestedPlacement> placements_;
    double launcher_free_ = 0;
    double sm_time_ = 0;  // of all SMs together
};

}  // namespace

std::vector<NestedPlacement> place_nested(const NestedKernels& root, const gpu::GpuModel& gpu) {
    Placer placer(gpu);
    const double end = placer.place(root, 0, 0, 0, false);
    return placer.finished(end);
}

}  // namespace lockstep::timing
