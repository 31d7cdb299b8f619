#include "timing/trace.h"

#include <algorithm>
#include <bit>

#include "counters/banks.h"
#include "counters/memory-at.h"
#include "counters/request.h"
#include "events/take-record.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using kernel::AccessKind;

class TraceMaker {
  public:
    TraceMaker(const Code& code, const kernel::Kernel& kernel,
               std::span<const counters::MachineAccess> accesses)
        : code_(code), kernel_(kernel), accesses_(accesses) {
        // Where in its region's section a site stands.
        ordinal_.assign(kernel.sites.size(), Op::no_access);
        for (const Region& region : code.regions)
            for (std::size_t i = 0; i < region.once.sites.size(); ++i)
                ordinal_[region.once.sites[i]] = static_cast<std::uint16_t>(i);
        for (const kernel::Site& site : kernel.sites)
            region_of_.push_back(code.issued_with[kernel.first_block(site.function) + site.block]);
    }

    BlockTrace run(const RecordedBlock& recorded) {
        BlockTrace trace;
        out_ = &trace;
        trace.block = recorded.block;
        trace.record_bytes = recorded.record_bytes;
        std::uint64_t kept = 0;
        for (std::size_t w = 0; w < recorded.warps.size(); ++w) {
            warp_number_ = w;
            warp_ = &recorded.warps[w];
            steps_ = &trace.warps.emplace_back();
            kept += warp_->records.size();
            read();
            join_turns();
        }
        // A block that did nothing observable still has a warp that starts and ends.
        if (trace.warps.empty()) trace.warps.emplace_back();
        if (trace.record_bytes)
            trace.kept = static_cast<double>(kept) / static_cast<double>(trace.record_bytes);
        return trace;
    }

  private:
    void read() {
        const std::byte* at = warp_->records.data();
        const std::byte* end = at + warp_->records.size();
        while (at < end) {
            const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(at);
            const std::uint32_t number = events::number_of(word);
            switch (events::tag_of(word)) {
                case events::Tag::block: {
                    events::take<events::BlockRecord>(at);
                    enter(number);
                    for (std::uint32_t block : code_.follows[number]) enter(block);
                    break;
                }
                case events::Tag::linear_access: {
                    const auto& record = events::take<events::LinearAccess>(at);
                    std::uint64_t addresses[32];
                    events::lane_addresses(record, addresses);
                    access(number, record.mask, addresses);
                    break;
                }
                case events::Tag::scattered_access: {
                    const auto& record = events::take<events::ScatteredAccess>(at);
                    access(number, record.mask, record.addresses);
                    break;
                }
                case events::Tag::split: {
                    events::take<events::SplitRecord>(at);
                    if (Step* step = find_step(code_.issued_with[number])) step->split = true;
                    break;
                }
            }
        }
    }

    void enter(std::uint32_t block) {
        if (code_.issued_with[block] != block) return;
        const Section& section = code_.regions[block].once;
        steps_->steps.push_back({block, static_cast<std::uint32_t>(steps_->accesses.size()), false, false});
        steps_->accesses.insert(steps_->accesses.end(), section.sites.size(), WarpTrace::no_access);
    }

    Step* find_step(std::uint32_t region) {
        auto& steps = steps_->steps;
        for (std::size_t i = steps.size(); i-- > 0;)
            if (steps[i].region == region) return &steps[i];
        return nullptr;
    }

    // A lane of a generic access may be in any memory; the hardware asks each, and we follow the most lanes.
    Memory memory_of(ptx::Space space, std::uint32_t mask, const std::uint64_t* addresses) const {
        if (space != ptx::Space::none) return counters::memory_at(space, 0, *warp_);
        return counters::memory_at(space, addresses[std::countr_zero(mask)], *warp_);
    }

    void access(std::uint32_t site, std::uint32_t mask, const std::uint64_t* addresses) {
        const counters::MachineAccess& machine = accesses_[site];
        Step* step = find_step(region_of_[site]);
        if (machine.bytes == 0 || ordinal_[site] == Op::no_access || !step) return;
        Access access;
        access.site = site;
        access.kind = machine.kind;
        access.memory = memory_of(kernel_.sites[site].space, mask, addresses);
        access.lanes = static_cast<std::uint8_t>(std::popcount(mask));
        access.lane_bytes = static_cast<std::uint8_t>(std::min(machine.bytes, 255u));
        access.first_line = static_cast<std::uint32_t>(out_->lines.size());
        const std::uint64_t first = addresses[std::countr_zero(mask)];
        access.one_address = true;
        counters::for_each_lane(mask, [&](int lane) { access.one_address &= addresses[lane] == first; });
        if (machine.one_lane_for_all && access.one_address) {
            mask &= -mask;
            access.lanes = 1;
        }
        const bool atomic = machine.kind == AccessKind::atomic || machine.kind == AccessKind::reduction;
        switch (access.memory) {
            case Memory::shared: {
                const auto sharing = atomic                              ? counters::Sharing::nothing
                                     : machine.kind == AccessKind::store ? counters::Sharing::words
                                                                         : counters::Sharing::parts;
                const auto passes = counters::bank_passes({mask, machine.bytes, addresses}, sharing);
                access.wavefronts =
                    static_cast<std::uint16_t>(passes.wavefronts * (machine.compares ? 2 : 1));
                break;
            }
            case Memory::local: local_lines(mask, machine.bytes, addresses); break;
            case Memory::global: find_lines(mask, machine.bytes, addresses, out_->lines); break;
            case Memory::constant: break;
        }
        access.lines = static_cast<std::uint16_t>(out_->lines.size() - access.first_line);
        for (std::size_t i = access.first_line; i < out_->lines.size(); ++i)
            access.sectors =
                static_cast<std::uint16_t>(access.sectors + std::popcount(out_->lines[i].sectors));
        access.partial =
            static_cast<std::uint32_t>(access.lanes) * machine.bytes < access.sectors * sector_bytes;
        steps_->accesses[step->first_access + ordinal_[site]] =
            static_cast<std::uint32_t>(out_->accesses.size());
        out_->accesses.push_back(access);
    }

    // Word w of the 32 lanes lies together. Each warp of the grid has memory of its own, far from all other.
    void local_lines(std::uint32_t mask, std::uint32_t bytes, const std::uint64_t* addresses) {
        const std::uint64_t own = (out_->block * 64 + warp_number_ + 1) << 40;
        std::uint64_t placed[32]{};
        for (std::uint32_t w = 0; w < std::max(bytes / 4, 1u); ++w) {
            counters::for_each_lane(mask, [&](int lane) {
                const std::uint64_t offset = addresses[lane] - warp_->local.begin -
                                             static_cast<std::uint64_t>(lane) * warp_->local_bytes + w * 4;
                placed[lane] = own + offset / 4 * line_bytes + static_cast<std::uint64_t>(lane) * 4;
            });
            find_lines(mask, 4, placed, out_->lines);
        }
    }

    // Turns of a loop that ptxas unrolled are issued together.
    void join_turns() {
        auto& steps = steps_->steps;
        std::size_t to = 0;
        for (std::size_t from = 0; from < steps.size();) {
            const std::uint32_t region = steps[from].region;
            const std::uint32_t unroll = code_.regions[region].unroll;
            std::size_t turns = 1;
            while (turns < unroll && from + turns < steps.size() && steps[from + turns].region == region)
                ++turns;
            const bool whole = unroll > 1 && turns == unroll;
            steps[to] = steps[from];
            steps[to].unrolled = whole;
            from += whole ? turns : 1;
            ++to;
        }
        steps.resize(to);
    }

    const Code& code_;
    const kernel::Kernel& kernel_;
    std::span<const counters::MachineAccess> accesses_;
    std::vector<std::uint16_t> ordinal_;    // by site
    std::vector<std::uint32_t> region_of_;  // by site
    BlockTrace* out_ = nullptr;
    const RecordedBlock::Warp* warp_ = nullptr;
    std::size_t warp_number_ = 0;
    WarpTrace* steps_ = nullptr;
};

}  // namespace

void find_lines(std::uint32_t mask, std::uint32_t bytes, const std::uint64_t* addresses,
                std::vector<Line>& out) {
    const std::size_t begin = out.size();
    const auto touch = [&](std::uint64_t address) {
        const std::uint64_t line = address / line_bytes * line_bytes;
        const auto sector = static_cast<std::uint8_t>(1u << address % line_bytes / sector_bytes);
        // Lanes next to each other mostly touch the same line.
        for (std::size_t i = out.size(); i-- > begin;)
            if (out[i].address == line) {
                out[i].sectors |= sector;
                return;
            }
        out.push_back({line, sector});
    };
    counters::for_each_lane(mask, [&](int lane) {
        for (std::uint32_t b = 0; b < bytes; b += sector_bytes) touch(addresses[lane] + b);
        if (bytes > sector_bytes || addresses[lane] % sector_bytes + bytes > sector_bytes)
            touch(addresses[lane] + bytes - 1);
    });
}

BlockTrace make_trace(const RecordedBlock& recorded, const Code& code, const kernel::Kernel& kernel,
                      std::span<const counters::MachineAccess> accesses) {
    return TraceMaker(code, kernel, accesses).run(recorded);
}

}  // namespace lockstep::timing
