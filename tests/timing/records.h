// Records as the engine makes them, written by hand.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "counters/machine-access.h"
#include "events/records.h"

namespace lockstep::timing {

// For kernels of a few sites whose accesses have nothing special.
inline const std::vector<counters::MachineAccess> plain_accesses(16);

class Records {
  public:
    Records& block(std::uint32_t number, std::uint32_t mask = ~0u) {
        return add(events::BlockRecord{events::tagged(events::Tag::block, number), mask});
    }
    Records& linear(std::uint32_t site, std::uint64_t first, std::int64_t stride, std::uint32_t mask = ~0u) {
        return add(
            events::LinearAccess{events::tagged(events::Tag::linear_access, site), mask, first, stride});
    }
    Records& scattered(std::uint32_t site, const std::vector<std::uint64_t>& addresses,
                       std::uint32_t mask = ~0u) {
        events::ScatteredAccess record{};
        record.word = events::tagged(events::Tag::scattered_access, site);
        for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
            record.mask |= mask & 1u << lane;
            record.addresses[lane] = addresses[lane];
        }
        return add(record);
    }
    // Rows that begin at `first` and so far behind it.
    Records& rows(std::uint32_t site, std::uint64_t first, std::int32_t stride,
                  const std::vector<std::int64_t>& distances, std::uint32_t mask = ~0u) {
        events::RowsAccess record{};
        record.word = events::tagged(events::Tag::rows_access, site);
        record.mask = mask;
        record.stride = stride;
        record.rows = static_cast<std::uint32_t>(distances.size()) + 1;
        record.first = first;
        std::copy(distances.begin(), distances.end(), record.distances);
        add(record);
        bytes.resize(bytes.size() - sizeof record + record.size());
        return *this;
    }
    Records& split(std::uint32_t number, std::uint32_t mask, std::uint32_t taken) {
        return add(events::SplitRecord{events::tagged(events::Tag::split, number), mask, taken});
    }

    std::vector<std::byte> bytes;

  private:
    template <class Record>
    Records& add(const Record& record) {
        const std::size_t at = bytes.size();
        bytes.resize(at + sizeof record);
        std::memcpy(bytes.data() + at, &record, sizeof record);
        return *this;
    }
};

}  // namespace lockstep::timing
