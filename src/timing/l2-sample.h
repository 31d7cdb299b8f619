// How the L2 cache fares, from a sample of its lines over the whole launch. Whether a line belongs to the
// sample follows from its address; a cache smaller by the same factor then sees what the whole one would
// (Waldspurger et al., "Efficient MRC construction with SHARDS", FAST 2015). Every block of the grid counts,
// so that data shared by blocks far apart are found.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "counters/machine-access.h"
#include "events/batch-forms.h"
#include "events/observer.h"
#include "events/records.h"
#include "gpu/model.h"
#include "kernel/kernel.h"

namespace lockstep::timing {

// How thin the sample is: one line of 2^level. It becomes thinner as it grows; where it ends follows from the
// entries alone, in whatever order and by whatever number of threads they come.
class SampleLevel {
  public:
    explicit SampleLevel(std::uint64_t most_entries) : most_(most_entries) {}

    // What one thread has found, by the thinnest sample that still has the line. Others only look.
    class Found {
      public:
        void count(std::uint32_t level, std::uint32_t times = 1) {
            entries_[level].store(of(level) + times, std::memory_order_relaxed);
        }
        std::uint64_t of(std::uint32_t level) const {
            return entries_[level].load(std::memory_order_relaxed);
        }
        void set(std::uint32_t level, std::uint64_t entries) {
            entries_[level].store(entries, std::memory_order_relaxed);
        }

      private:
        std::atomic<std::uint64_t> entries_[33]{};
    };
    // One for each thread, before any of them starts.
    Found& add_thread() { return threads_.emplace_back(); }

    std::uint64_t most_entries() const { return most_; }
    std::uint32_t now() const { return level_.load(std::memory_order_relaxed); }
    // As thin as what was found so far asks for.
    void settle();
    // So thin that of as many entries more about twice as many are left as there may be, or as it is.
    std::uint32_t likely_with(std::uint64_t entries) const;
    // Where only one thread goes on.
    void set(std::uint32_t level) { level_.store(level, std::memory_order_relaxed); }
    // Whether it would be so thin at least, however thick it had been before.
    bool is_due(std::uint32_t level) const { return entries_from(level) > most_; }

    static constexpr std::uint32_t levels = 33;

  private:
    std::uint64_t entries_from(std::uint32_t level) const;
    std::uint64_t most_;
    std::atomic<std::uint32_t> level_{0};
    std::deque<Found> threads_;
};

struct SampledAccess {
    std::uint64_t line = 0;    // address / 128
    std::uint64_t block = 0;   // of the grid
    std::uint32_t moment = 0;  // which of its warp's stretches of straight code with accesses
    std::uint32_t warp = 0;    // of the block
    std::uint32_t site = 0;
    std::uint8_t sectors = 0;
    bool writes = false, reads = false;
    // Tells accesses of one thread apart that come one after the other; 0: all its lines are apart.
    std::uint8_t turn = 0;
    // Of one access and one line.
    bool is_one_with(const SampledAccess& next) const {
        return line == next.line && turn && turn == next.turn && block == next.block &&
               moment == next.moment && warp == next.warp && site == next.site;
    }
};

// What one worker thread sees.
class L2Sampler {
  public:
    // `accesses`: of the kernel's sites.
    L2Sampler(const kernel::Kernel& kernel, std::span<const counters::MachineAccess> accesses,
              SampleLevel& level);
    void records(const events::Batch& batch);
    // Forms are learnt in the order of their numbers. Which lines a batch touches is then found once for all
    // of its form.
    void learn_form(const events::Batch& first) { traces_.push_back(trace_of(first)); }
    void has_form(const events::Batch& batch, const events::BatchForm& form);
    void forget_forms() { traces_.clear(); }
    void moved(events::MovedBlocks& blocks);
    // Once all threads have ended.
    std::vector<SampledAccess> take();

  private:
    struct Progress {
        std::uint32_t moment = 0;
        bool entered = false;  // straight code whose accesses have not come yet
    };
    // What batches of a form touch of global memory.
    struct FormTrace {
        // One of an access's lines, as the sample would have it if it had all of them.
        struct Touch {
            std::uint64_t bytes = 0;  // from the access's first address to the line
            std::uint8_t sectors = 0;
        };
        struct Access {
            std::uint32_t site = 0;
            std::uint32_t moment = 0;   // from the begin of the batch on
            std::uint32_t address = 0;  // where its first one stands in the records, in bytes
            std::uint32_t first_line = 0, end_line = 0;
            std::uint32_t first_touch = 0, end_touch = 0;
        };
        std::vector<std::uint64_t> lines;  // of the accesses, each once, as Touch::bytes
        std::vector<Touch> touches;
        std::vector<Access> accesses;
        std::uint32_t moments = 0;   // of the whole batch
        bool begins_inside = false;  // it has an access before it enters straight code
        bool enters = false;         // straight code, at its end
    };
    FormTrace trace_of(const events::Batch& batch) const;
    std::uint64_t touches_of(events::MovedBlocks& blocks) const;
    void follow(events::MovedBlocks& blocks);
    void moved_along(const events::MovedBlocks& blocks, const events::MovedBlocks::Form& form,
                     const events::MovedBlocks::Moved& moved, const FormTrace& trace,
                     const FormTrace::Access& access, std::uint64_t address);
    void add_sampled(const FormTrace& trace, const FormTrace::Access& access, std::uint64_t address,
                     std::uint32_t mask);
    Progress& begin(const events::Batch& batch);
    static void note_access(Progress& warp);
    void linear(const events::LinearAccess& access, std::uint32_t site);
    void scattered(const events::ScatteredAccess& access, std::uint32_t site, const events::Batch& batch);
    void bulk(const events::BulkAccess& access, std::uint32_t site);
    void add(std::uint64_t line, std::uint8_t sectors, std::uint32_t site);
    // One of an access's lines. Neighbours in one line make one entry, if what lies between them is not in
    // the sample, whether it never was or is not any more. `times`: how many of these are in it, as they
    // would be if all lines were in the sample: how thin that becomes must not depend on how thin it is.
    void add_line(std::uint64_t line, std::uint8_t sectors, std::uint32_t site, std::uint32_t times);
    void append(std::uint64_t line, std::uint8_t sectors, std::uint32_t site, std::uint32_t times,
                std::uint8_t turn);
    // What add_line adds from here on is another access's.
    void begin_access() { turn_ = turn_ == 255 ? 1 : static_cast<std::uint8_t>(turn_ + 1); }
    void thin_if_due();
    void thin();

    const kernel::Kernel& kernel_;
    std::span<const counters::MachineAccess> accesses_;
    SampleLevel& level_;
    SampleLevel::Found& found_;
    std::uint32_t thinned_to_ = 0, counted_ = 0;
    std::uint8_t turn_ = 0;
    std::uint64_t block_ = ~std::uint64_t{0};
    std::uint32_t warp_ = 0;
    std::vector<Progress> progress_;  // by warp of the block
    std::vector<SampledAccess> entries_;
    std::vector<FormTrace> traces_;  // by form
};

// Of the whole launch, by what the L2 would do if every access asked it.
struct L2Outcome {
    std::vector<double> miss_share;  // by site: sectors fetched from device memory / sectors accessed
    // By site: of the sectors that are found, those that are on their way, since another block has just asked
    // for them. Empty: nobody has looked.
    std::vector<double> wait_share;
    double read_bytes = 0;     // fetched
    double write_bytes = 0;    // written back before the launch ends
    double written_bytes = 0;  // by the program
};

struct SampledSite {
    std::uint32_t order = 0;  // its place among those that are issued with it
    double sectors = 0;       // that its requests touched in the whole launch; 0: nobody has counted them
};

// For how many blocks of the grid one that was followed stands: the first only for themselves, since they
// find the cache empty, the others for all that were not followed.
struct L2Weights {
    std::uint64_t first_end = 0;  // of the grid
    double later = 1;
    double of(std::uint64_t block) const { return block < first_end ? 1 : later; }
};

// `entries` of all threads. `resident`: blocks that run at once.
L2Outcome simulate_l2(std::span<const SampledAccess> entries, std::uint32_t level,
                      std::span<const SampledSite> sites, const gpu::GpuModel& gpu, std::uint64_t resident,
                      const L2Weights& weights = {});

}  // namespace lockstep::timing
