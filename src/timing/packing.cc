#include "timing/packing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "counters/banks.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using counters::wavefront_bytes;

// Steps of a block's warps are packed that are the same code, at the same visit of it.
class Packing {
  public:
    Packing(const Code& code, BlockTrace& block) : code_(code), block_(block) {
        for (WarpTrace& warp : block.warps)
            for (const Step& step : warp.steps) full_ = std::max<std::uint32_t>(full_, step.lanes);
    }

    bool run() {
        find_groups();
        choose_carriers();
        for (const Group& group : groups_)
            for (const Member& member : group.members) {
                if (member.warp == group.carrier) continue;
                merge(member, *std::ranges::find(group.members, group.carrier, &Member::warp));
                changed_ = true;
            }
        for (std::size_t w = 0; w < block_.warps.size(); ++w) {
            std::vector<Step> kept;
            for (std::size_t s = 0; s < group_of_[w].size(); ++s)
                if (group_of_[w][s] == none || groups_[group_of_[w][s]].carrier == w)
                    kept.push_back(block_.warps[w].steps[s]);
            block_.warps[w].steps = std::move(kept);
        }
        return changed_;
    }

  private:
    struct Key {
        std::uint32_t region = 0;
        bool unrolled = false;
        std::uint32_t visit = 0;
        auto operator<=>(const Key&) const = default;
    };
    struct Member {
        std::size_t warp = 0, step = 0;
    };
    // Steps that together are one.
    struct Group {
        std::uint32_t lanes = 0;
        std::vector<Member> members;
        std::size_t carrier = 0;  // the warp that does it
    };
    static constexpr std::size_t none = ~std::size_t{0};

    void find_groups() {
        std::map<Key, std::size_t> open;  // the last group of each
        group_of_.resize(block_.warps.size());
        for (std::size_t w = 0; w < block_.warps.size(); ++w) {
            std::map<std::uint32_t, std::uint32_t> visits;  // by region
            for (std::size_t s = 0; s < block_.warps[w].steps.size(); ++s) {
                Step& step = block_.warps[w].steps[s];
                const std::uint32_t visit = visits[step.region]++;
                if (std::exchange(step.split, false)) changed_ = true;
                group_of_[w].push_back(none);
                if (step.lanes >= full_ || waits(step)) continue;
                const Key key{step.region, step.unrolled, visit};
                auto found = open.find(key);
                if (found == open.end() || groups_[found->second].lanes + step.lanes > full_ ||
                    groups_[found->second].members.back().warp == w) {
                    found = open.insert_or_assign(key, groups_.size()).first;
                    groups_.emplace_back();
                }
                Group& group = groups_[found->second];
                group.lanes += step.lanes;
                group.members.push_back({w, s});
                group_of_[w].back() = found->second;
            }
        }
    }

    // Steps of one way stay in one warp; another way goes to the warp that has least to do, as it would if
    // whole warps took one.
    void choose_carriers() {
        std::vector<double> work(block_.warps.size());
        for (Group& group : groups_) {
            const Member first = group.members.front();
            group.carrier = none;
            if (const std::size_t before = same_way_before(first);
                before != none && std::ranges::find(group.members, groups_[before].carrier, &Member::warp) !=
                                      group.members.end())
                group.carrier = groups_[before].carrier;
            if (group.carrier == none)
                group.carrier = std::ranges::min_element(group.members, {}, [&](const Member& member) {
                                    return work[member.warp];
                                })->warp;
            work[group.carrier] +=
                static_cast<double>(section_of(code_, block_.warps[first.warp].steps[first.step]).ops.size());
        }
    }

    // The group of the last step of the same lanes, with no step of all lanes since.
    std::size_t same_way_before(const Member& member) const {
        const std::vector<Step>& steps = block_.warps[member.warp].steps;
        for (std::size_t s = member.step; s-- > 0 && steps[s].lanes < full_;)
            if (steps[s].mask == steps[member.step].mask) return group_of_[member.warp][s];
        return none;
    }

    // What others wait for cannot be done by another warp.
    bool waits(const Step& step) const {
        return std::ranges::any_of(section_of(code_, step).ops, [](const Op& op) {
            return op.unit == Unit::barrier || op.unit == Unit::shuffle || op.unit == Unit::bulk ||
                   op.async != Async::none;
        });
    }

    // The accesses of `from` become those of `to`.
    void merge(const Member& from, const Member& to) {
        const WarpTrace& from_warp = block_.warps[from.warp];
        WarpTrace& to_warp = block_.warps[to.warp];
        const Step &from_step = from_warp.steps[from.step], &to_step = to_warp.steps[to.step];
        const std::size_t sites = section_of(code_, from_step).sites.size();
        for (std::size_t i = 0; i < sites; ++i) {
            const std::uint32_t index = from_warp.accesses[from_step.first_access + i];
            if (index == WarpTrace::no_access) continue;
            std::uint32_t& target = to_warp.accesses[to_step.first_access + i];
            if (target == WarpTrace::no_access)
                target = index;
            else
                join(block_.accesses[target], block_.accesses[index]);
        }
    }

    void join(Access& to, const Access& from) {
        to.lanes = static_cast<std::uint8_t>(std::min<std::uint32_t>(to.lanes + from.lanes, full_));
        to.one_address = false;
        to.issues = std::max(to.issues, from.issues);
        to.branches = std::max(to.branches, from.branches);
        to.wavefronts = std::max({to.wavefronts, from.wavefronts, pieces(bytes_of(to), wavefront_bytes)});
        if (to.memory == Memory::shared) return;
        const auto first = static_cast<std::uint32_t>(block_.lines.size());
        for (std::uint32_t i = 0; i < to.lines; ++i)
            block_.lines.push_back(Line(block_.lines[to.first_line + i]));
        for (std::uint32_t i = 0; i < from.lines; ++i) {
            const Line line = block_.lines[from.first_line + i];
            const auto known = std::find_if(block_.lines.begin() + first, block_.lines.end(),
                                            [&](const Line& one) { return one.address == line.address; });
            if (known == block_.lines.end())
                block_.lines.push_back(line);
            else
                known->sectors |= line.sectors;
        }
        to.first_line = first;
        to.lines = static_cast<std::uint16_t>(block_.lines.size() - first);
        to.sectors = 0;
        for (std::uint32_t i = 0; i < to.lines; ++i)
            to.sectors =
                static_cast<std::uint16_t>(to.sectors + counters::count_of(block_.lines[first + i].sectors));
        to.passes = std::max({to.passes, from.passes, static_cast<std::uint8_t>(to.sectors)});
        to.partial = bytes_of(to) < std::uint32_t{to.sectors} * sector_bytes;
    }

    const Code& code_;
    BlockTrace& block_;
    std::uint32_t full_ = 0;
    std::vector<Group> groups_;                       // in the order of their first steps
    std::vector<std::vector<std::size_t>> group_of_;  // by warp and step; none: it stays as it is
    bool changed_ = false;
};

}  // namespace

bool pack_lanes(const Code& code, BlockTrace& block) { return Packing(code, block).run(); }

}  // namespace lockstep::timing
