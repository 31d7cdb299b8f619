// Counts what one worker thread of a launch does.
//
// Programs repeat themselves: most requests of a memory instruction have the form of the one before, moved by
// a multiple of what matters to sectors and banks. So a site remembers the form of its last request and how
// often it came; what such a request costs is found once for all of them.
#pragma once
#include <span>
#include <vector>

#include "counters/raw-counts.h"
#include "counters/request.h"
#include "events/observer.h"
#include "events/records.h"
#include "machine/view.h"

namespace lockstep::counters {

// The bytes that a lane accesses when the machine executes a memory instruction of the PTX, one for each of
// kernel.sites. Of neighbouring accesses that became one wide access, the first has all and the others none.
std::vector<std::uint32_t> machine_bytes(const events::ObservedKernel& kernel,
                                         std::span<const machine::View> views);

class LaunchCounter : public events::Observer {
  public:
    // `bytes`: as machine_bytes gives them.
    LaunchCounter(const events::ObservedKernel& kernel, std::span<const std::uint32_t> bytes);
    void records(const events::Batch& batch) override;
    RawCounts counts() const;

  private:
    struct Site {
        std::uint32_t bytes = 0;  // 0: not counted
        ptx::Space space{};
        events::AccessKind kind{};

        // The form of the last request, and how often it came.
        Memory memory{};
        std::uint32_t mask = 0;  // 0: there was none
        std::uint32_t phase = 0;
        std::int64_t stride = 0;
        std::uint64_t times = 0;
        AccessCounts cost;  // of one
    };
    // For scattered requests, the addresses less lane 0's.
    struct Offsets {
        std::uint64_t lanes[32];
    };

    void linear(std::uint32_t number, const events::LinearAccess& access, const events::Batch& batch);
    void scattered(std::uint32_t number, const events::ScatteredAccess& access, const events::Batch& batch);
    void generic(std::uint32_t number, std::uint32_t mask, const std::uint64_t* addresses,
                 const events::Batch& batch);
    void remember(std::uint32_t number, Memory memory, std::int64_t stride, const Request& request,
                  const events::Batch& batch);

    std::vector<Site> sites_;
    std::vector<Offsets> offsets_;  // by site
    RawCounts counts_;              // without those of the forms that sites remember
};

}  // namespace lockstep::counters
