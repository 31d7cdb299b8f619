// Who wrote some bytes last in a launch.
#pragma once
#include <cstdint>
#include <optional>

#include "check/byte-set.h"
#include "check/code.h"
#include "events/observer.h"

namespace lockstep::check {

class LastWrite : public events::Observer {
  public:
    // `wants`: what else is to be recorded, so that code is taken that is compiled already.
    LastWrite(const KernelCode& code, ByteSet::Range bytes, events::Wants wants);

    events::Wants wants() const override { return wants_; }
    void records(const events::Batch& batch) override;

    struct Write {
        std::uint32_t site = 0;
        std::uint32_t block = 0, warp = 0;
        int lane = 0;
    };
    const std::optional<Write>& write() const { return write_; }

  private:
    const KernelCode& code_;
    const ByteSet::Range bytes_;
    const events::Wants wants_;
    std::optional<Write> write_;
};

}  // namespace lockstep::check
