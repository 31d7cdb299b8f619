// Counts what one worker thread of a launch does.
//
// Programs repeat themselves: most requests of a memory instruction have the form of an earlier one, moved by
// a multiple of what matters to sectors and banks. So a site remembers a few forms and how often each came;
// what such a request costs is found once for all of them. Of batches that repeat each other only the number
// is kept.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "counters/machine-access.h"
#include "counters/raw-counts.h"
#include "counters/request.h"
#include "events/batch-forms.h"
#include "events/records.h"
#include "machine/slow-ways.h"

namespace lockstep::counters {

class LaunchCounter : public events::FormObserver {
  public:
    LaunchCounter(const kernel::Kernel& kernel, std::span<const MachineAccess> accesses);
    events::Wants wants() const override { return events::profile_wants; }
    void records(const events::Batch& batch) override;
    void begins_form(const events::Batch& batch, const events::BatchForm& form) override;
    void has_form(const events::Batch&, const events::BatchForm& form) override {
        ++repeats_[form.number].times;
    }
    void forget_forms() override;
    void moved(events::MovedBlocks& blocks) override;
    // Without batches whose forms are still to be forgotten.
    RawCounts counts() const;

  private:
    // What matters of a request: requests of one form cost the same.
    struct Form {
        kernel::LaneMask mask;  // empty: none
        std::uint32_t start = 0;
        std::int64_t stride = 0;
        bool operator==(const Form&) const = default;
    };
    struct Site {
        Form form;                // of the last request,
        std::uint64_t times = 0;  // how often it came in a row,
        std::uint32_t slot = 0;   // and where it is remembered
        MachineAccess access;
        ptx::Space space{};
    };
    struct Remembered {
        Form form;
        std::uint64_t times = 0;
        AccessCounts cost;  // of one
        AccessPattern pattern;
    };
    static constexpr std::uint32_t slots = 16;  // of a site
    // For scattered requests, the addresses less lane 0's.
    struct Offsets {
        std::uint64_t lanes[slots][kernel::warp_lanes];
    };

    void slow_way(std::uint32_t number, const events::SlowWayRecord& record);
    void linear(std::uint32_t number, const events::LinearAccess& access, const events::Batch& batch);
    void scattered(std::uint32_t number, const events::ScatteredAccess& access, const events::Batch& batch);
    void generic(std::uint32_t number, kernel::LaneMask mask, const std::uint64_t* addresses,
                 const events::Batch& batch);
    // Makes this form the site's last one, if it is remembered.
    bool recall(std::uint32_t number, const Form& form, const std::uint64_t* scattered);
    void remember(std::uint32_t number, const Form& form, const std::uint64_t* addresses,
                  const events::Batch& batch);
    // What requests of that form cost goes to the counts.
    static void add(RawCounts& counts, std::uint32_t number, const Remembered& form, std::uint64_t times);
    bool has_offsets(std::uint32_t number, std::uint32_t slot, const std::uint64_t* addresses) const;

    std::vector<Site> sites_;
    std::vector<Remembered> remembered_;                          // `slots` for each site
    std::vector<std::unique_ptr<Offsets>> offsets_;               // by site
    std::vector<std::uint32_t> entered_with_;                     // by block
    std::vector<std::span<const machine::SlowPart>> slow_parts_;  // by site
    RawCounts counts_;                                            // without what sites and forms hold
    std::uint64_t batches_ = 1;                                   // for which the one that is counted stands
    struct Repeats {
        const events::BatchForm* form = nullptr;
        std::uint64_t times = 0;  // after the first
    };
    std::vector<Repeats> repeats_;  // by form
};

}  // namespace lockstep::counters
